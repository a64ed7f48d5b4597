"""What a call of `subprocess` starts, and what becomes of the status that `os.system` gives (classes G10, G15).

Rules:

- `executable="/usr/bin/true"` is run in the place of the first word, unless there is a shell: then it is that shell.
- With `shell=True`, only the first word of a list is the command; the others are words of the shell itself.
- On POSIX `os.system` gives the status as `wait` does: 1 is 256. An exit with that number, or with a sum or the largest
  of such numbers, is one with 0, so that a failure is lost; not where something else ends the script, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

import tree_sitter

from ralph.syntax import walk
from ralph.system.patterns import later

Node = tree_sitter.Node
PROGRAM = later(r"(?:(?:\w+\.)*(?:Path|which|str)\()*[rb]?([\"'])(?P<name>[^\"'\n]+)\1\)*")
EXITS = later(r"(?:(?:sys|os)\.)?_?exit$|SystemExit$|quit$")
HANDS_ON = frozenset((b"max", b"sum", b"int", b"abs"))
JOINS = frozenset(("boolean_operator", "binary_operator", "parenthesized_expression", "generator_expression", "list"))
SHIFTS = frozenset((b">>", b"//", b"/", b"%", b"&"))
OTHER_ENDS = later(
    rb"\braise\b(?!\s+SystemExit)|\bexit\(\s*(?:[1-9]|[\"'f]|bool|not\b|os\.W|\w+\s*(?:>>|!=))|\bexit\([^()\n]*\bif\b"
)
MADE = later(rb"(?:\w+\.)?(?:waitstatus_to_exitcode|WEXITSTATUS)\(|>>|//")
MOST_DEEP = 6


class Start(Protocol):
    """A call that runs a command; one of a method that raises has no name."""

    name: str

    @property
    def given(self) -> list[Node]: ...

    def keyword(self, key: str) -> str: ...


def started(words: list[str], call: Start, *, listed: bool) -> list[str]:
    """The words of what is run."""
    if not call.name:
        return words
    if call.keyword("shell") == "True":
        as_it_is = call.given[0].type in ("identifier", "list", "tuple")
        return words[:1] if listed and as_it_is else words
    program = PROGRAM.fullmatch(call.keyword("executable"))
    return words if program is None else [program["name"], *words[1:]]


def is_cut_off(status: Node, root: Node, deep: int = 0) -> bool:
    """An exit is given the status as it is, and nothing else tells of it."""
    above = status.parent
    if above is None or deep > MOST_DEEP:
        return False
    if above.type in JOINS:
        shifted = any(child.type == (child.text or b"").decode() and child.text in SHIFTS for child in above.children)
        return not shifted and is_cut_off(above, root, deep)
    if above.type == "return_statement":
        function = _scope(above, root)
        name = function.child_by_field_name("name")
        return name is not None and any(is_cut_off(call, root, deep + 1) for call in _calls(name, root))
    if above.type == "argument_list" and above.parent is not None:
        called = above.parent.child_by_field_name("function")
        text = (called.text or b"") if called is not None else b""
        if text in HANDS_ON:
            return is_cut_off(above.parent, root, deep)
        return EXITS.search(text.decode("utf-8", "replace")) is not None and not _ends_otherwise(above, root)
    left = above.child_by_field_name("left") if above.type in ("assignment", "augmented_assignment") else None
    if left is None or left.type != "identifier":
        return False
    uses = [each for each in walk(_scope(above, root)) if each.type == "identifier" and each.text == left.text]
    worked_out = any(_is_worked_out(each) for each in uses)
    return not worked_out and any(is_cut_off(each, root, deep + 1) for each in uses if each.start_byte > above.end_byte)


def _is_worked_out(name: Node) -> bool:
    """The name is given the status of the program itself, or one that somebody chose."""
    above = name.parent
    if above is None or above.child_by_field_name("left") != name:
        return False
    right = above.child_by_field_name("right")
    text = (right.text or b"") if right is not None else b""
    chosen = right is not None and right.type in ("integer", "true", "string") and re.fullmatch(rb"0+", text) is None
    operator = above.child_by_field_name("operator")
    return chosen or (operator is not None and (operator.text or b"") == b">>=") or MADE.search(text) is not None


def _ends_otherwise(node: Node, root: Node) -> bool:
    return OTHER_ENDS.search(_scope(node, root).text or b"") is not None


def _calls(name: Node, root: Node) -> Iterator[Node]:
    for node in walk(root):
        called = node.child_by_field_name("function") if node.type == "call" else None
        if called is not None and called.text == name.text:
            yield node


def _scope(node: Node, root: Node) -> Node:
    above = node.parent
    while above is not None and above.type != "function_definition":
        above = above.parent
    return above or root
