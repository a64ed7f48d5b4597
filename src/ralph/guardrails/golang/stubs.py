"""Go: functions that a test replaces and then asks itself (see `inventory.arranged.attitude`, class G06).

Rules:

- `pay = func(...)`, `s.pay = stub` with a function of the file, and `Patch(&pay, func...)` replace what is declared
  outside of the test. A function that passes on to the original is a spy.
- Libraries for patches replace functions and methods by what they are handed: `mockey.Mock(Pay).Return(3).Build()`.
- It counts where the assertions ask the replaced function itself: those of a test that is named after it, or all. A
  clock that is set, and with whose time an answer is compared, is no subject.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

import tree_sitter

from ralph.guardrails.inventory.model import Check, Fake
from ralph.guardrails.inventory.writing import text_of
from ralph.guardrails.source import Source
from ralph.system.patterns import later

REPLACES = later(r"(?i)\b(?:\w*patch|\w*stub|swap|replace|override|set|apply)\w*$")
ORIGINAL = r"\b(?:orig\w*|real\w*|old\w*|saved\w*|prev\w*|NAME)\("
OF_METHOD = later(r"(?:\w+\.)?ApplyMethod(?:Return|Func|Seq)?|(?:\w+\.)?PatchInstanceMethod")
OF_FUNCTION = later(r"(?:\w+\.)?Apply(?:Func|FuncReturn|FuncSeq)")
METHOD = later(r"\"(\w+)\"")
MOCKED = later(r"(?:mockey|\w*[mM]onkey)\.Mock\((?P<name>(?:\(\*?[\w.]+\)\.)?[\w.]+)\)\.(?:Return|To)")


DECLARING = frozenset({"short_var_declaration", "var_spec"})
REPLACING = DECLARING | {"assignment_statement", "call_expression"}


def replaced(nodes: Iterable[tree_sitter.Node], source: Source) -> Iterator[tuple[str, tree_sitter.Node]]:
    """What the nodes of a test replace by a function, and where."""
    local = set[str]()
    for node in nodes:
        if node.type in DECLARING:
            local.update(re.findall(r"\w+", text_of(node.child_by_field_name("left") or node.named_children[0])))
            continue
        if node.type == "call_expression" and (patched := _patched(node)):
            yield patched, node
        for name, value in _given(node):
            if name not in local and _is_double(name, value, source):
                yield name, node


def _given(node: tree_sitter.Node) -> Iterator[tuple[str, tree_sitter.Node]]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type == "assignment_statement" and left is not None and right is not None:
        yield from zip(map(text_of, left.named_children), right.named_children, strict=False)
    function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if node.type == "call_expression" and function is not None and given is not None:
        values = given.named_children
        if REPLACES.search(text_of(function)):
            yield from ((text_of(name).lstrip("&"), value) for name, value in pairwise(values))


def _patched(call: tree_sitter.Node) -> str:
    """What a library for patches replaces: `ApplyMethodReturn(s, "Rename", …)`, `Mock((*Service).Rename).Return(…)`.

    A method goes by its name behind a point, whatever it is called on."""
    called, listed = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    function, given = (
        text_of(called) if called is not None else "",
        list(map(text_of, listed.named_children if listed else ())),
    )
    if OF_METHOD.fullmatch(function) and len(given) > 2 and (named := METHOD.fullmatch(given[1])) is not None:
        return f".{named[1]}"
    if OF_FUNCTION.fullmatch(function) and len(given) > 1:
        return given[0]
    mocked = MOCKED.fullmatch(function)
    return mocked["name"].rpartition(")")[2] if mocked is not None else ""


def _is_double(name: str, value: tree_sitter.Node, source: Source) -> bool:
    if not re.fullmatch(r"[\w.]+", name):
        return False
    if value.type == "func_literal":
        passes_on = ORIGINAL.replace("NAME", re.escape(name.rpartition(".")[2]))
        return re.search(passes_on, text_of(value), re.IGNORECASE) is None
    own = f"\nfunc {text_of(value)}(".encode()
    return value.type == "identifier" and own in source.data


def asked(faked: Iterable[Fake], checks: Iterable[Check], test: str) -> tuple[Fake, ...]:
    """The replaced functions that the assertions of a test ask."""
    doubles, subjects = tuple(faked), [check.subject for check in checks if check.grade]
    every = bool(subjects) and all(any(_asks(each, subject) for each in doubles) for subject in subjects)
    return tuple(
        each
        for each in doubles
        if (every or each.name.rpartition(".")[2].lower() in test.lower())
        and any(_asks(each, subject) for subject in subjects)
    )


def _asks(double: Fake, subject: str) -> bool:
    asked = f"{double.name}("
    return asked in subject if double.name.startswith(".") else subject.startswith(asked)
