"""Test functions replaced under a name that is put together: `globalThis[name] = globalThis[name].skip` (class G08).

Rules, for what is written to a member of the global object in brackets, whose name nobody can read:

- A member that keeps tests from running (`.skip`, `.todo`, `.failing`), taken of anything, blocks where a loop or a
  function says that names of test functions are meant, or where it is taken of the global object itself.
- So does a function of the file's own, where such names are meant.
- So does a function that does nothing as a member of `assert`.
- What another framework has under the same name is how frameworks are mixed; other globals are none of this.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.checks.chain import ACCESSES
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.collected.frameworks import GLOBAL_OBJECTS, OFF
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.system.patterns import later

WORDS = (
    r"\[[^\]\n]+\]\s*=[^=\n]*(?:\.\s*(?:skip|todo|failing|fails)\b|\[\s*[\"'`](?:skip|todo|failing|fails)\b|=>|\bfunction\b)",
    r"\b(?:definePropert(?:y|ies)|set)\s*\([^\n]*\.\s*(?:skip|todo|failing|fails)\b",
    r"\b(?:it|test|describe|specify|suite)\s*=[^=>\n]*\.\s*(?:skip|todo|failing|fails)\b",
)
_NAMED = later(
    r"[\"'`](?:it|test|describe|specify|suite|context|expect|assert)[\"'`]"
    r"|[{,]\s*(?:it|test|describe|specify|suite)\s*[:,}]"
)
_SETTERS = frozenset({("Object", "defineProperty"), ("Reflect", "defineProperty"), ("Reflect", "set")})
_GLOBAL = frozenset((name,) for name in GLOBAL_OBJECTS)


def computed(code: Code) -> Iterator[tree_sitter.Node]:
    """What replaces a test function so."""
    for node in code.names.of_types("assignment_expression", "call_expression"):
        if node.type == "assignment_expression":
            left = node.child_by_field_name("left")
            if left is not None and left.type == "subscript_expression" and code.constants.member(left) is None:
                target = left.child_by_field_name("object")
                yield from _replaced(code, node, target, node.child_by_field_name("right"))
        elif code.origins.of(node.child_by_field_name("function")) in _SETTERS:
            given = arguments(node)
            if len(given) > 2 and not isinstance(code.constants.value(given[1]), str):
                yield from _replaced(code, node, given[0], given[2])


def _replaced(
    code: Code, node: tree_sitter.Node, target: tree_sitter.Node | None, value: tree_sitter.Node | None
) -> Iterator[tree_sitter.Node]:
    value = unwrapped(value)
    origin = code.origins.of(target)
    if (
        value is not None
        and origin
        and origin[-1] == "assert"
        and value.type in FUNCTIONS
        and _does_nothing(code, value)
    ):
        yield node
    if value is None or origin not in _GLOBAL:
        return
    meant = any(_NAMED.search(text) for text in _lists(code, node))
    off = _off(code, value)
    skips = off is not None and (meant or code.origins.of(_root(off)) in _GLOBAL)
    if skips or (meant and any(part.type in FUNCTIONS for part in (value, *_given(code, value)))):
        yield node


def _does_nothing(code: Code, function: tree_sitter.Node) -> bool:
    return not any(part.type in ("call_expression", "throw_statement") for part in code.source.walk(function))


def _off(code: Code, value: tree_sitter.Node) -> tree_sitter.Node | None:
    """The part that keeps tests from running."""
    for part in code.source.walk(value):
        if part.type in ACCESSES and code.constants.member(part) in OFF:
            return part
        binding = code.names.binding(part) if part.type == "identifier" else None
        if binding is not None and binding.path and binding.path[-1] in OFF:
            return binding.value or part
    return None


def _root(node: tree_sitter.Node) -> tree_sitter.Node:
    while (inner := node.child_by_field_name("object")) is not None:
        node = unwrapped(inner) or inner
    return node


def _given(code: Code, value: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """What a call is handed, and what a property's description holds."""
    for argument in arguments(value) if value.type == "call_expression" else ():
        yield unwrapped(argument) or argument
    for _, each, _ in code.constants.options(value) if value.type == "object" else ():
        yield unwrapped(each) or each


def _lists(code: Code, node: tree_sitter.Node) -> Iterator[str]:
    """The text of what the loops around go through, and of what the functions around are called with."""
    for above in code.names.above(node):
        if above.type == "for_in_statement":
            yield from _written(code, above.child_by_field_name("right"))
        elif above.type in FUNCTIONS:
            parent = code.names.parent(above)
            call = code.names.parent(parent) if parent is not None and parent.type == "arguments" else None
            function = unwrapped(call.child_by_field_name("function")) if call is not None else None
            if function is not None:
                yield from _written(code, function.child_by_field_name("object"))
            name = above.child_by_field_name("name") or (parent.child_by_field_name("name") if parent else None)
            if name is not None:
                called = (
                    each for each in code.calls if code.text(each.child_by_field_name("function")) == code.text(name)
                )
                yield from (code.text(each.child_by_field_name("arguments")) for each in called)


def _written(code: Code, node: tree_sitter.Node | None) -> Iterator[str]:
    """A list as it is written, and those that its names stand for."""
    if node is None:
        return
    yield code.text(node)
    for part in code.source.walk(node):
        binding = code.names.binding(part) if part.type == "identifier" else None
        if binding is not None and binding.kind == "value" and binding.value is not None and not binding.path:
            yield re.sub(r"\s+", " ", code.text(binding.value))
