"""Objects that Playwright hands to tests (test inventory, class G05).

Rule, for `test.extend({ cart: async ({ page }, use) => { await use(new CartPage(page)) } })`: what a test takes by a
name is what the one fixture of that name is used with, of the extended `test` that it is defined with. Where `test.use`
sets another for the file, nobody can tell.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.checks.chain import ACCESSES
from ralph.guardrails.javascript.checks.modules import Modules, Value, is_function, values_in
from ralph.guardrails.javascript.checks.parameters import parameters
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import unwrapped

MOST_EXTENDED = 6


def fixture(modules: Modules, value: Value) -> Value | None:
    """What the parameter of a test, or of a hook, is given."""
    code, name = value
    binding = code.names.binding(name)
    function = binding.function if binding is not None and binding.kind == "parameter" else None
    if binding is None or function is None or binding.position or len(binding.path) != 1:
        return None
    if not code.cases.owns(function):
        return None
    key, listed = code.constants.property_name(binding.path[0]), code.names.parent(function)
    call = code.names.parent(listed) if listed is not None else None
    root = beginning(call) if call is not None and call.type == "call_expression" else None
    if not key or root is None or _is_set(code, key):
        return None
    return _provided(modules, code, root, key, 0)


def beginning(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The name with which a chain of calls and members begins."""
    plain = unwrapped(node)
    while plain is not None and plain.type in ("call_expression", *ACCESSES):
        plain = unwrapped(plain.child_by_field_name("function") or plain.child_by_field_name("object"))
    return plain if plain is not None and plain.type == "identifier" else None


def _is_set(code: Code, key: str) -> bool:
    given = code.source.memo.once("what test.use is given", lambda: list(_given_to_use(code)))
    return any(any(values_in(code, each, key)) for each in given)


def _given_to_use(code: Code) -> Iterator[tree_sitter.Node]:
    for call in code.calls if b"use" in code.source.data else ():
        function = unwrapped(call.child_by_field_name("function"))
        if function is not None and function.type in ACCESSES and code.constants.member(function) == "use":
            yield from (each for each in arguments(call) if each.type == "object")


def _provided(modules: Modules, code: Code, node: tree_sitter.Node, key: str, steps: int) -> Value | None:
    value = modules.meant(code, node)
    if value is None or value.node.type != "call_expression" or steps > MOST_EXTENDED:
        return None
    function, given = unwrapped(value.node.child_by_field_name("function")), arguments(value.node)
    if function is not None and function.type == "identifier" and value.code.names.name(function) == "mergeTests":
        found = [one for each in given if (one := _provided(modules, value.code, each, key, steps + 1)) is not None]
        return found[0] if len(found) == 1 else None
    base = function.child_by_field_name("object") if function is not None and function.type in ACCESSES else None
    if function is None or base is None or value.code.constants.member(function) != "extend" or len(given) != 1:
        return None
    listed = modules.meant(value.code, given[0])
    if listed is None or listed.node.type != "object":
        return None
    fixtures = list(values_in(listed.code, listed.node, key))
    if not fixtures:
        return _provided(modules, value.code, base, key, steps + 1)
    return _used(modules, listed.code, fixtures[0]) if len(fixtures) == 1 else None


def _used(modules: Modules, code: Code, given: tree_sitter.Node) -> Value | None:
    """What a fixture calls `use` with."""
    plain = unwrapped(given)
    if plain is not None and plain.type == "array" and plain.named_children:
        plain = unwrapped(plain.named_children[0])
    if plain is None or not is_function(plain):
        return None
    use = next((each.name for each in parameters(code, plain) if each.position == 1 and not each.key), None)
    calls = [
        call
        for call in code.calls_between(plain.start_byte, plain.end_byte)
        if (function := call.child_by_field_name("function")) is not None and code.text(function) == use
    ]
    given_on = arguments(calls[0]) if len(calls) == 1 else []
    return modules.meant(code, given_on[0]) if given_on else None
