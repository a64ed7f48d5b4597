"""Modules of the project of which a test takes a part for itself, and then asks that part (policy set v2, class G06).

Rules, for what a file of tests compares answers of:

- An object of the test's own is the module with a function of its own over it: `{ ...require("./prices"), total: () =>
  7 }`, `Object.assign({}, prices, { total: () => 7 })`.
- What is loaded is put there before: `require.cache[require.resolve("./prices")] = { exports: { total: () => 7 } }`.
- A function inside of the module is another one: rewire's `prices.__set__("total", () => 7)`.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.checks.chain import ACCESSES
from ralph.guardrails.javascript.code import Code, code, may_use_tests
from ralph.guardrails.javascript.doubles.asserted import Asserted
from ralph.guardrails.javascript.doubles.mocks import FAKED
from ralph.guardrails.javascript.places import stem
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.guardrails.javascript.syntax.origins import LOCAL_MODULE, Path
from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.system.patterns import later

WORDS = (
    r"\.\.\.\s*(?:await\s+)?(?:require|import)\s*\(|\{\s*\.\.\.\w+\s*,.*\(.*\)\s*=>|object\s*\.\s*assign\s*\(.*=>",
    r"require\s*\.\s*cache|__set__",
)
_CACHED = later(r"require\s*\.\s*cache\s*\[\s*require\s*\.\s*resolve\(\s*[\"'`](?P<module>[^\"'`]+)[\"'`]\s*\)\s*\]")


def amended(source: Source) -> Iterator[Hit]:
    if may_use_tests(source) and (found := code(source)).cases.are_tests:
        asserted = Asserted(found)
        yield from _put_over(found, asserted)
        yield from _cached(found, asserted)
        yield from _set_inside(found, asserted)


def _put_over(code: Code, asserted: Asserted) -> Iterator[Hit]:
    seen = set[int]()
    for callee in asserted.callees:
        owner = callee.child_by_field_name("object") if callee.type in ACCESSES else None
        binding = code.names.binding(owner) if owner is not None and owner.type == "identifier" else None
        value = unwrapped(binding.value) if binding is not None and not binding.path else None
        if value is None or value.id in seen or not _is_put_over(code, value, code.constants.member(callee)):
            continue
        seen.add(value.id)
        yield code.source.hit(FAKED, value, f"{code.text(callee)} is the test's own")


def _is_put_over(code: Code, value: tree_sitter.Node, name: str | None) -> bool:
    """The object is a module of the project, and the function of that name is written down there."""
    parts = [value]
    if value.type == "call_expression":
        if code.origins.of(value.child_by_field_name("function")) != ("Object", "assign"):
            return False
        parts = arguments(value)
    taken = [part for part in parts if _is_module(code, code.origins.of(part))]
    literals = [part for part in map(unwrapped, parts) if part is not None and part.type == "object"]
    spread = [each for literal in literals for each in literal.named_children if each.type == "spread_element"]
    taken += [each for each in spread if _is_module(code, code.origins.of(each.named_children[0]))]
    return bool(taken) and any(_gives(code, literal, name) for literal in literals)


def _is_module(code: Code, path: Path | None) -> bool:
    return path is not None and len(path) == 1 and LOCAL_MODULE.match(path[0]) is not None


def _gives(code: Code, literal: tree_sitter.Node, name: str | None) -> bool:
    for child in literal.named_children:
        if child.type == "method_definition" and code.text(child.child_by_field_name("name")) == name:
            return True
        if child.type == "pair" and code.text(child.child_by_field_name("key")).strip("\"'") == name:
            value = unwrapped(child.child_by_field_name("value"))
            return value is not None and value.type in FUNCTIONS
    return False


def _cached(code: Code, asserted: Asserted) -> Iterator[Hit]:
    asked = {stem(path[0]) for path in asserted.paths if LOCAL_MODULE.match(path[0])}
    for node in code.names.of_types("assignment_expression"):
        match = _CACHED.match(code.text(node.child_by_field_name("left")))
        if match is not None and LOCAL_MODULE.match(match["module"]) and stem(match["module"]) in asked:
            yield code.source.hit(FAKED, node, f"mock {match['module']}", detail=match["module"])


def _set_inside(code: Code, asserted: Asserted) -> Iterator[Hit]:
    for call in code.calls:
        callee, given = unwrapped(call.child_by_field_name("function")), arguments(call)
        if (
            callee is None
            or callee.type not in ACCESSES
            or len(given) < 2
            or code.constants.member(callee) != "__set__"
        ):
            continue
        path, name = code.origins.of(callee.child_by_field_name("object")), code.constants.value(given[0])
        if path is not None and isinstance(name, str) and (*path, name) in asserted.paths:
            yield code.source.hit(FAKED, call, f"{name} is replaced inside of {path[0]}")
