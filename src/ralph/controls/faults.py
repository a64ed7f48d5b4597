"""Faults to put into changed lines of product code: one operator, constant or result exchanged, by the syntax tree.

Rules:

- Only what stands on a line that the change added, in Python, JavaScript and TypeScript; no tests, no annotations, no
  imports, no texts. What a fault does must be able to matter: `x + 0` is not made `x - 0`.
- A fault has a place and both spellings, so that a person who reads of it can try it.
- Which are tried first is the same each time for one tree: every function gets one before any gets a second.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import zip_longest

import tree_sitter

from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, FileChange
from ralph.record import record
from ralph.syntax import parse

PYTHON = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "in": "not in", "not in": "in",
    "is": "is not", "is not": "is", "and": "or", "or": "and", "+": "-", "-": "+", "*": "/", "/": "*", "//": "/",
    "%": "*", "+=": "-=", "-=": "+=", "*=": "/=",
}  # fmt: skip
SCRIPT = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "===", "&&": "||",
    "||": "&&", "??": "&&", "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "+=": "-=", "-=": "+=", "*=": "/=",
}  # fmt: skip
OPERATORS = {"python": PYTHON, "javascript": SCRIPT, "typescript": SCRIPT, "tsx": SCRIPT}
WITH_OPERATOR = frozenset(
    {"comparison_operator", "boolean_operator", "binary_operator", "augmented_assignment"}
    | {"binary_expression", "augmented_assignment_expression"}
)
NEGATIONS = {"not_operator": "not", "unary_expression": "!"}
CONSTANTS = {"true": "false", "false": "true", "True": "False", "False": "True"}
FUNCTIONS = frozenset(
    {"function_definition", "function_declaration", "method_definition", "arrow_function", "function_expression"}
)
PASSED_OVER = frozenset(
    {"type", "type_annotation", "import_statement", "import_from_statement", "decorator", "string", "template_string"}
    | {"interface_declaration", "type_alias_declaration", "enum_declaration", "comment"}
)


@record
class Fault:
    """Replace the bytes from `start` to `end` of a file."""

    path: str
    line: int
    start: int
    end: int
    old: str
    new: str
    function: int
    """Where the function begins that it is in: faults are spread over these."""

    def put_into(self, data: bytes) -> bytes:
        return data[: self.start] + self.new.encode() + data[self.end :]

    def __str__(self) -> str:
        what = f"became `{self.new}`" if self.new else "was taken away"
        return f"{self.path}:{self.line}: `{_short(self.old)}` {what}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:57]}..."


def faults(change: Change) -> list[Fault]:
    """All faults of a change, in the order in which they are to be tried."""
    groups: dict[tuple[str, int], list[Fault]] = defaultdict(list)
    for file in change.files:
        for fault in _in_file(file, change):
            groups[fault.path, fault.function].append(fault)
    rounds = zip_longest(*(groups[key] for key in sorted(groups)))
    return [fault for each in rounds for fault in each if fault]


def _in_file(file: FileChange, change: Change) -> Iterator[Fault]:
    language = language_of(file.path)
    if language not in OPERATORS or is_support(file.path) or file.status == "D" or file.binary:
        return
    data = change.blobs.after(file.path) or b""
    lines = {hunk.new_start + number for hunk in file.hunks for number in range(len(hunk.added))}
    for node, function in _walk(parse(language, data).root_node):
        if node.start_point[0] + 1 in lines:
            for start, end, new in _exchanges(node, OPERATORS[language]):
                old = data[start:end].decode("utf-8", "replace")
                yield Fault(file.path, data.count(b"\n", 0, start) + 1, start, end, old, new, function)


def _walk(root: tree_sitter.Node) -> Iterator[tuple[tree_sitter.Node, int]]:
    stack = [(root, 0)]
    while stack:
        node, function = stack.pop()
        if node.type in PASSED_OVER:
            continue
        function = node.start_byte + 1 if node.type in FUNCTIONS else function
        yield node, function
        stack.extend((child, function) for child in reversed(node.children))


def _exchanges(node: tree_sitter.Node, operators: dict[str, str]) -> Iterator[tuple[int, int, str]]:
    """(start, end, what stands there instead) for every fault that a node allows."""
    text = (node.text or b"").decode("utf-8", "replace")
    if node.type in WITH_OPERATOR:
        for child in node.children:
            if child.type in operators and not _is_trivial(node.children, child):
                yield child.start_byte, child.end_byte, operators[child.type]
    elif node.type in NEGATIONS and text.startswith(NEGATIONS[node.type]):
        operand = node.children[-1]
        yield node.start_byte, operand.start_byte, ""
    elif node.type in ("true", "false"):
        yield node.start_byte, node.end_byte, CONSTANTS[text]
    elif node.type in ("integer", "number") and text.isdigit():
        yield node.start_byte, node.end_byte, str(int(text) + 1)
    elif node.type == "return_statement" and (value := _returned(node)) is not None:
        yield value.start_byte, value.end_byte, "None" if operators is PYTHON else "undefined"


def _is_trivial(children: Sequence[tree_sitter.Node], operator: tree_sitter.Node) -> bool:
    """An operation with nothing (`x + 0`, `x * 1`), which the exchange leaves as it was, or with a text."""
    texts = {child.text for child in children}
    neutral = {b"+": b"0", b"-": b"0", b"*": b"1", b"/": b"1"}.get((operator.text or b"").rstrip(b"="))
    return neutral in texts or any(child.type in ("string", "template_string") for child in children)


def _returned(node: tree_sitter.Node) -> tree_sitter.Node | None:
    named = [child for child in node.named_children if child.type != "comment"]
    empty = {"none", "null", "undefined"}
    return named[0] if len(named) == 1 and named[0].type not in empty else None
