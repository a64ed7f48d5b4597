"""The time limit that a test of JavaScript sets itself (policy set v2, class G14; what is made of it: `attitude`).

Read are the number behind the function, `timeout` of an object with options, `.timeout(...)` behind the test, and
`this.timeout(...)` or `test.setTimeout(...)` in it. A limit of 0 is none.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.checks.writing import Writing
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped

SETS = frozenset({"timeout", "setTimeout"})


def limit_s(code: Code, writing: Writing, test: tree_sitter.Node) -> float | None:
    """In seconds; the last one that it sets."""
    found = [number for each in _given(code, test) if (number := writing.number(each)) is not None]
    return found[-1] / 1000 if found and found[-1] > 0 else None


def _given(code: Code, test: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    behind = False
    for argument in map(unwrapped, arguments(test)):
        if argument is None:
            continue
        behind = behind or argument.type in FUNCTIONS
        literal = code.constants.object_of(argument)
        if literal is not None:
            yield from (value for name, value, _ in code.constants.options(literal) if name == "timeout")
        elif behind and argument.type not in FUNCTIONS:
            yield argument
    above = code.names.parent(test)
    around = code.names.parent(above) if above is not None and code.constants.member(above) == "timeout" else None
    if around is not None and around.type == "call_expression":
        yield from arguments(around)[:1]
    if b"imeout(" in (test.text or b""):
        yield from _set_inside(code, test)


def _set_inside(code: Code, test: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    for call in code.calls:
        if not test.start_byte < call.start_byte < test.end_byte:
            continue
        function = unwrapped(call.child_by_field_name("function"))
        name = code.constants.member(function) if function is not None else None
        receiver = unwrapped(function.child_by_field_name("object")) if function is not None else None
        if name in SETS and receiver is not None and (receiver.type == "this" or code.cases.roots.ref(receiver)):
            yield from arguments(call)[:1]
