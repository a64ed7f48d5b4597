"""Macros that a function of tests defines for itself, written out where it calls them.

`macro_rules! check { ($split:ident, $par_split:ident) => { assert_eq!(s.$split(c), s.$par_split(c)); } }` inside of a
test, and `check!(lines, par_lines);` below, are the assertion for each call. Rule: a macro of one rule with plain
parameters, that stands inside of a function, is put in the place of each of its calls in that function, on one line, so
that the lines below keep their numbers; where it was defined nothing is left, for only a call does anything. One whose
parameters repeat, or that calls itself, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import tree_sitter

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.rust.built import STRING
from ralph.guardrails.source import Source
from ralph.record import record
from ralph.system.patterns import later

LOCAL = later(rb"(?m)^[ \t]+macro_rules![ \t]*\w")
PARAMETER = later(r"\$(\w+)\s*:\s*(?:expr|literal|ident|path|ty|tt|pat|lifetime)")
TRAILING = later(r"\s*\$\(\s*,\s*\)\s*[?*]\s*$|,\s*$")
VARIABLE = later(r"\$(\w+)\b")
NOTE = later(r"(?m)(?<![:\"])//[^\n]*")
MOST = 100
"""Calls of one macro."""


@record
class Local:
    """A macro, the function that defines it, and what it says of which parameters."""

    node: tree_sitter.Node
    within: tree_sitter.Node
    name: str
    parameters: tuple[str, ...]
    body: str


def unfolded(source: Source) -> Source:
    if not LOCAL.search(source.data):
        return source
    edits = [edit for macro in _macros(source) for edit in _edits(macro)]
    data = source.data
    for start, end, text in sorted(edits, reverse=True):
        data = data[:start] + text + data[end:]
    return Source(source.path, source.language, data, source.first_line) if edits else source


def _macros(source: Source) -> Iterator[Local]:
    for name in source.captures("(macro_definition name: (identifier) @found)"):
        node = name.parent
        within = _function_of(node) if node is not None else None
        rules = [each for each in node.named_children if each.type == "macro_rule"] if node is not None else []
        if node is None or within is None or len(rules) != 1:
            continue
        left, right = (rules[0].child_by_field_name(side) for side in ("left", "right"))
        if left is None or right is None:
            continue
        listed = between_commas(TRAILING.sub("", text_of(left)[1:-1].strip()), STRING)
        taken = [PARAMETER.fullmatch(each.strip()) for each in listed if each.strip()]
        names = tuple(each[1] for each in taken if each is not None)
        body = text_of(right)[1:-1]
        if len(names) == len(taken) and set(VARIABLE.findall(body)) <= set(names) and f"{text_of(name)}!" not in body:
            yield Local(node, within, text_of(name), names, body)


def _function_of(node: tree_sitter.Node) -> tree_sitter.Node | None:
    above = node.parent
    while above is not None and above.type != "function_item":
        above = above.parent
    return above


def _edits(macro: Local) -> Iterator[tuple[int, int, bytes]]:
    """What takes the place of the calls, and of the macro; nothing where one of the calls cannot be told."""
    calls = [each for each in _calls(macro.within, macro.name) if each.start_byte > macro.node.end_byte][: MOST + 1]
    found = [(call, _given(call)) for call in calls]
    if not found or len(found) > MOST or any(len(given) != len(macro.parameters) for _, given in found):
        return
    for call, given in found:
        body = _with(dict(zip(macro.parameters, given, strict=True)), NOTE.sub("", macro.body))
        lines = call.end_point.row - call.start_point.row
        yield call.start_byte, call.end_byte, ("{ " + " ".join(body.split()) + " }" + "\n" * lines).encode()
    yield macro.node.start_byte, macro.node.end_byte, b"\n" * (macro.node.end_point.row - macro.node.start_point.row)


def _with(values: Mapping[str, str], body: str) -> str:
    return VARIABLE.sub(lambda match: values[match[1]], body)


def _calls(place: tree_sitter.Node, name: str) -> Iterator[tree_sitter.Node]:
    waiting = [place]
    while waiting:
        node = waiting.pop()
        macro = node.child_by_field_name("macro") if node.type == "macro_invocation" else None
        if macro is not None and text_of(macro) == name:
            yield node
        else:
            waiting += node.named_children


def _given(call: tree_sitter.Node) -> Sequence[str]:
    tree = next((each for each in call.named_children if each.type == "token_tree"), None)
    text = re.sub(r"\s+", " ", text_of(tree)[1:-1]).strip() if tree is not None else ""
    return [each.strip() for each in between_commas(text, STRING) if each.strip()]
