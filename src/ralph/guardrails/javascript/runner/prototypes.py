"""Methods of the language's own objects that tests replace (policy set v2, class G08).

Rule: what assertions and the product alike rest on (`Array.prototype.includes`, `Promise.prototype.catch`, anything
that all objects then have) is replaced by an answer of one's own. It is not where it is taken away, where the new one
gives what the old one gives, or where a single test replaces it and puts back what was there, itself or in a hook.
"""

from __future__ import annotations

import re

import tree_sitter

from ralph.guardrails.config.node import names
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments, first
from ralph.guardrails.javascript.syntax.names import FUNCTIONS, unwrapped
from ralph.guardrails.javascript.syntax.origins import Path

METHODS = {
    "Array": names("every some includes indexOf filter find findIndex map reduce forEach sort slice join concat"),
    "Map": names("get has set delete forEach size"),
    "Set": names("has add delete forEach size"),
    "String": names("trim includes indexOf startsWith endsWith replace match split toLowerCase toUpperCase slice"),
    "Promise": names("then catch"),
    "RegExp": names("test exec"),
    "Number": names("toFixed toString valueOf"),
    "Function": names("call apply bind"),
}
"""Those that every engine has, so that nobody has to put them in."""
WORDS = (r"\bprototype\b",)
_FLAGS = frozenset({"writable", "enumerable", "configurable"})
_NOTHING = frozenset({"undefined", "null", "void 0"})


def is_replaced(code: Code, path: Path, node: tree_sitter.Node, value: tree_sitter.Node | None) -> bool:
    """`path` is what is assigned to at `node`."""
    if len(path) != 3 or path[1] != "prototype" or (path[0] != "Object" and path[2] not in METHODS.get(path[0], ())):
        return False
    if _is_of_one(code, node) or code.text(value) in _NOTHING:
        return False
    if _was_there(code, path, value) or _calls_it(code, path, value):
        return False
    if node.type != "assignment_expression" and _keeps_the_value(code, path, value):
        return False
    return not (code.cases.inside_test(node) and _is_put_back(code, path, node))


def _is_of_one(code: Code, node: tree_sitter.Node) -> bool:
    """Only one list or map gets a method of its own: `const map = new Map(); map.get = ...`."""
    for part in (node, *code.names.above(node)):
        owner = None
        if part.type == "assignment_expression":
            left = part.child_by_field_name("left")
            owner = left.child_by_field_name("object") if left is not None else None
        elif part.type == "call_expression":
            owner = first(part)
        if owner is not None:
            binding = code.names.binding(owner) if owner.type == "identifier" else None
            made = unwrapped(binding.value) if binding is not None and binding.kind == "value" else None
            return made is not None and made.type == "new_expression"
    return False


def _was_there(code: Code, path: Path, value: tree_sitter.Node | None) -> bool:
    """What the method was before, or how it was described."""
    if code.origins.of(value) == path:
        return True
    if value is None or value.type != "identifier":
        return False
    kept = rf"\b{re.escape(code.text(value))}\s*=\s*(?:Object|Reflect)\.getOwnPropertyDescriptor\("
    return re.search(kept, code.source.data.decode("utf-8", "replace")) is not None


def _keeps_the_value(code: Code, path: Path, value: tree_sitter.Node | None) -> bool:
    """It is described anew, and stays what it was: `{ ...own, writable: false }`."""
    described = unwrapped(value)
    if described is None or described.type != "object" or not described.named_children:
        return False
    return all(_is_kept(code, path, part) for part in described.named_children)


def _is_kept(code: Code, path: Path, part: tree_sitter.Node) -> bool:
    if part.type == "pair":
        return code.text(part.child_by_field_name("key")).strip("\"'") in _FLAGS
    if part.type == "spread_element":
        return re.fullmatch(_own_description(path), code.text(_given_once(code, part.named_children[0]))) is not None
    return "comment" in part.type


def _given_once(code: Code, node: tree_sitter.Node) -> tree_sitter.Node:
    """What a variable is given, where it is given one thing."""
    binding = code.names.binding(node) if node.type == "identifier" else None
    if binding is None or binding.kind != "value":
        return node
    values = [*([binding.value] if binding.value is not None else []), *(value for value, _ in binding.assigned)]
    return values[0] if len(values) == 1 else node


def _own_description(path: Path) -> str:
    owner, name = r"\s*\.\s*".join(map(re.escape, path[:-1])), re.escape(path[-1])
    return rf"(?:Object|Reflect)\.getOwnPropertyDescriptor\(\s*{owner}\s*,\s*([\"'`]){name}\1\s*,?\s*\)"


def _calls_it(code: Code, path: Path, value: tree_sitter.Node | None) -> bool:
    """All that it gives is what the one before gives: `return own.call(this, key)`."""
    function = unwrapped(value)
    if function is None or function.type not in FUNCTIONS:
        return False
    given = [part.named_children[0] for part in code.source.walk(function) if _gives(part)]
    return bool(given) and all(_is_call_of(code, path, each) for each in given)


def _gives(node: tree_sitter.Node) -> bool:
    return node.type == "return_statement" and bool(node.named_children)


def _is_call_of(code: Code, path: Path, node: tree_sitter.Node) -> bool:
    called = code.origins.of(node.child_by_field_name("function")) if node.type == "call_expression" else None
    given = arguments(node) if called == ("Reflect", "apply") else []
    return called in ((*path, "call"), (*path, "apply")) or bool(given and code.origins.of(given[0]) == path)


def _is_put_back(code: Code, path: Path, node: tree_sitter.Node) -> bool:
    """Later in the same test, or in a hook."""
    test = code.cases.around(node)
    return any(
        _is_in_hook(code, part) or (part.start_byte > node.end_byte and code.cases.around(part) is test)
        for part in code.names.nodes
        if _puts_back(code, path, part)
    )


def _is_in_hook(code: Code, node: tree_sitter.Node) -> bool:
    callbacks = code.cases.roots.callbacks
    return any(callbacks[above.id].kind == "hook" for above in code.names.above(node) if above.id in callbacks)


def _puts_back(code: Code, path: Path, node: tree_sitter.Node) -> bool:
    """`delete Map.prototype.get`, `Map.prototype.get = own`, `Object.defineProperty(Map.prototype, "size", kept)`."""
    if node.type == "unary_expression" and code.text(node.child_by_field_name("operator")) == "delete":
        return code.origins.of(node.child_by_field_name("argument")) == path
    if node.type == "assignment_expression":
        target, value = code.origins.of(node.child_by_field_name("left")), node.child_by_field_name("right")
        return target == path and _was_there(code, path, value)
    given = arguments(node) if node.type == "call_expression" else []
    if len(given) != 3 or code.origins.of(node.child_by_field_name("function")) != ("Object", "defineProperty"):
        return False
    where = (*(code.origins.of(given[0]) or ()), code.constants.value(given[1]))
    return where == path and _was_there(code, path, given[2])
