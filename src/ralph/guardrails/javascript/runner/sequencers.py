"""A sequencer of tests that leaves some of them out (policy set v2, class G08).

Rule: the `sort` of a sequencer is handed the files with tests, and what it gives back is run. One that gives back what
`filter` or `slice` left of them, or takes some out of the list itself, does not only put them in order. Parts that are
put together again (`[...fast, ...slow]`) are an order; so is a copy (`slice()`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.syntax.calls import given_back
from ralph.guardrails.javascript.syntax.names import FUNCTIONS
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.system.patterns import later

IS_SEQUENCER = later(rb"(?i)sequencer")
SORTS = later(r"(?:\w+\.)*sort")
LEAVES_OUT = later(r"\.(?:filter|find|findLast|at|pop|shift)\(|\.slice\(\s*[^)\s]|\.splice\(")
TOGETHER = later(r"\.{3}[^,\]]+,\s*\.{3}|\.concat\(|\.push\(")
NOTHING = later(r"\[\s*\]|null|undefined|Promise\.resolve\(\s*\[\s*\]\s*\)")
NAMED = later(r"(?:await\s+)?\[?(?:\.{3})?([\w$]+)")
MOST_STEPS = 4


def sequencers(source: Source) -> Iterator[Hit]:
    if not IS_SEQUENCER.search(source.data):
        return
    for node in source.walk():
        function = _sort(source, node)
        if function is None or not (given := _given(source, function)):
            continue
        place = next((each for each in given_back(function) if _leaves_out(source, function, each, given)), None)
        place = place or _taken_out(source, function, given)
        if place is not None:
            yield source.hit("js.runner-replaced", place, "a sequencer that leaves tests out")


def _sort(source: Source, node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The function of `sort(tests) {…}`, `sort = (tests) => …` and `sort: function (tests) {…}`."""
    name = next(
        (found for field in ("name", "key", "property", "left") if (found := node.child_by_field_name(field))), None
    )
    if name is None or not SORTS.fullmatch(source.text(name)):
        return None
    if node.type == "method_definition":
        return node
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    return value if value is not None and value.type in FUNCTIONS else None


def _given(source: Source, function: tree_sitter.Node) -> str:
    """The name of the list that it is handed."""
    listed = function.child_by_field_name("parameters") or function.child_by_field_name("parameter")
    match = re.match(r"\(?\s*([\w$]+)", source.text(listed)) if listed is not None else None
    return match[1] if match is not None else ""


def _leaves_out(source: Source, function: tree_sitter.Node, answer: tree_sitter.Node, given: str) -> bool:
    for _ in range(MOST_STEPS):
        text = _outside(source, answer)
        if NOTHING.fullmatch(text):
            return True
        if TOGETHER.search(text):
            return False
        if LEAVES_OUT.search(text):
            return True
        name = NAMED.match(text)
        value = _value(source, function, name[1]) if name is not None and name[1] != given else None
        if value is None:
            return False
        answer = value
    return False


def _outside(source: Source, node: tree_sitter.Node) -> str:
    """Without the functions that it hands on: how two tests are compared is no matter."""
    text, waiting = source.text(node), [node]
    while waiting:
        for child in waiting.pop().named_children:
            if child.type in FUNCTIONS:
                text = text.replace(source.text(child), "", 1)
            else:
                waiting.append(child)
    return text


def _value(source: Source, function: tree_sitter.Node, name: str) -> tree_sitter.Node | None:
    """What a name of the function holds, unless something is added to it later."""
    if re.search(rf"(?<![\w$.]){re.escape(name)}\.(?:push|unshift|splice)\(", source.text(function)):
        return None
    for node in source.walk(function):
        called = node.child_by_field_name("name") if node.type == "variable_declarator" else None
        if called is not None and source.text(called) == name:
            return node.child_by_field_name("value")
    return None


def _taken_out(source: Source, function: tree_sitter.Node, given: str) -> tree_sitter.Node | None:
    """`tests.splice(0, 3)`, `tests.length = 1`."""
    taken = re.compile(rf"{re.escape(given)}\.(?:(?:splice|pop|shift)\(.*|length\s*=(?!=).*)", re.DOTALL)
    statements = (node for node in source.walk(function) if node.type == "expression_statement")
    return next((node for node in statements if taken.match(source.text(node))), None)
