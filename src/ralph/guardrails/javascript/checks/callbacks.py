"""Callbacks that are told of an error, and calls that a test waits for (test inventory, class G05).

A promise that is kept has no error to ask about: where `listen(0, (err) => assert.ifError(err))` became `await
listen(0)`, the test fails as it did. That is so only where nothing catches the failure, in the test's own function.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.system.patterns import later

ERROR = later(r"err|error|e|ex|er")
"""How the first parameter of such a callback is called."""
_SWALLOWING = frozenset({"catch", "then", "finally", "allSettled", "race", "any"})
"""What these give may be kept although what they were called on failed."""
_AT_ONCE = "Sync"
"""`readFileSync` throws what `readFile` tells its callback."""


def told(code: Code, roots: list[tree_sitter.Node]) -> Iterator[str]:
    """The names of functions that are given such a callback, each as often as it is."""
    for call in _calls(code, roots):
        given = arguments(call)
        if given and _takes_an_error(code, unwrapped(given[-1])):
            yield _name(code, call)


def awaited(code: Code, roots: list[tree_sitter.Node]) -> Iterator[str]:
    """The names of functions whose failure fails the test."""
    for call in _calls(code, roots):
        name = _name(code, call)
        parent = code.names.parent(call)
        waits = parent is not None and parent.type == "await_expression"
        if name in _SWALLOWING:
            continue
        if name and (waits or name.endswith(_AT_ONCE)) and _is_felt(code, call, roots):
            yield name.removesuffix(_AT_ONCE)


def _calls(code: Code, roots: list[tree_sitter.Node]) -> Iterator[tree_sitter.Node]:
    if not roots:
        return
    for call in code.calls_between(min(root.start_byte for root in roots), max(root.end_byte for root in roots)):
        if any(root.start_byte <= call.start_byte < root.end_byte for root in roots):
            yield call


def _name(code: Code, call: tree_sitter.Node) -> str:
    function = unwrapped(call.child_by_field_name("function"))
    member = function.child_by_field_name("property") if function is not None else None
    return code.text(member or function)


def _takes_an_error(code: Code, function: tree_sitter.Node | None) -> bool:
    if function is None or function.type not in FUNCTIONS:
        return False
    single, listed = function.child_by_field_name("parameter"), function.child_by_field_name("parameters")
    named = single or next(iter(listed.named_children if listed is not None else ()), None)
    target = named.child_by_field_name("pattern") or named if named is not None else None
    return target is not None and ERROR.fullmatch(code.text(target)) is not None


def _is_felt(code: Code, call: tree_sitter.Node, roots: list[tree_sitter.Node]) -> bool:
    """Nothing catches its failure, and no function stands around it that something else than the test calls."""
    below = call
    for above in code.names.above(call):
        if above.type in FUNCTIONS:
            return any(root.id == above.id for root in roots) or code.cases.owns(above)
        caught = above.type == "try_statement" and above.child_by_field_name("handler") is not None
        if caught and above.child_by_field_name("body") == below:
            return False
        below = above
    return False
