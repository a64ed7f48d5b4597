"""Whether a function with a name may be called at all (test inventory, class G05).

To look at a function is not to call it: `typeof verify`, `expect(verify).toBeDefined()`, `verify.name`, `void verify`.
Whatever passes it on (an argument, a property, a `return`) may call it. A variable that is given the function, or an
object that holds it, counts as the function does.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.javascript.checks.chain import ACCESSES, chain_from
from ralph.guardrails.javascript.code import Code
from ralph.guardrails.javascript.syntax.calls import arguments
from ralph.guardrails.javascript.syntax.names import WRAPPERS
from ralph.system.patterns import later

_LAZY = frozenset({"generator_function", "generator_function_declaration"})
_NAMES = frozenset({"identifier", "shorthand_property_identifier"})
_ABOUT = frozenset({"name", "length", "constructor", "displayName", "toString", "prototype"})
_COMPARES = frozenset({"===", "!==", "==", "!=", "instanceof", "in"})
LOOKS = later(
    r"to(?:Be(?:Defined|Truthy|InstanceOf|TypeOf|Null|Undefined|Falsy|An?|An?Function|Function)?|(?:Strict)?Equal|Exist"
    r"|Have(?:Property|Length)|Contain|MatchObject)|not|to|be|an?|is|of|ok|exists?|[iI]nstance[oO]f|null|undefined|length"
    r"|lengthOf|property|equals?|eq|eql|have|true|false|defined|function"
)
"""Matchers that only look at a function."""
_LOOKING = frozenset(
    {"ok", "isFunction", "exists", "isOk", "isDefined", "typeOf", "instanceOf", "notEqual", "isNotNull"}
)
_GIVES = frozenset({"variable_declarator", "assignment_expression"})
DEPTH = 4
"""So many names of one function are followed."""


def is_async(function: tree_sitter.Node) -> bool:
    return any(part.type == "async" for part in function.children)


class Called:
    def __init__(self, code: Code, root: tree_sitter.Node) -> None:
        self._code, self._root = code, root

    def may_be(self, name: tree_sitter.Node, inside: tree_sitter.Node, depth: int = 0) -> bool:
        """Something in the test, other than the function `inside` itself, may call what has the name."""
        return any(self._calls(node, depth) for node in self._uses(name, inside))

    def member_may_be(self, holder: tree_sitter.Node, key: str | None, inside: tree_sitter.Node) -> bool:
        """The same for a function that an object or array with the name `holder` has at `key`."""
        for node in self._uses(holder, inside):
            access = self._code.names.parent(node)
            if access is None or access.type not in ACCESSES or access.child_by_field_name("object") != node:
                if self._calls(node, 1):
                    return True
            else:
                at = self._code.constants.member(access)
                if at != "length" and (key is None or at in (key, None)) and self._calls(access, 1):
                    return True
        return False

    def is_only_started(self, name: tree_sitter.Node, inside: tree_sitter.Node) -> bool:
        """Every use of it calls it as a statement of its own: nobody waits for it, or goes through what it yields."""
        if not is_async(inside) and inside.type not in _LAZY:
            return False
        uses = [node for node in self._uses(name, inside) if node.type == "identifier"]
        return bool(uses) and all(self._is_started(node) for node in uses)

    def _is_started(self, node: tree_sitter.Node) -> bool:
        call = self._code.names.parent(node)
        if call is None or call.type != "call_expression" or call.child_by_field_name("function") != node:
            return False
        outer = self._code.names.parent(call)
        if outer is not None and outer.type == "unary_expression":
            outer = self._code.names.parent(outer)
        return outer is not None and outer.type == "expression_statement"

    def _uses(self, name: tree_sitter.Node, inside: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
        wanted = self._code.names.name(name)
        for node in self._code.source.walk(self._root):
            own = inside.start_byte <= node.start_byte < inside.end_byte
            other = node.type in _NAMES and node.start_byte != name.start_byte and not own
            if other and self._code.names.name(node) == wanted:
                yield node

    def _calls(self, node: tree_sitter.Node, depth: int) -> bool:
        parent = self._code.names.parent(node)
        while parent is not None and parent.type in WRAPPERS:
            node, parent = parent, self._code.names.parent(parent)
        if parent is None or parent.type in ("unary_expression", "expression_statement", "if_statement"):
            return parent is None
        if node in (parent.child_by_field_name("left"), parent.child_by_field_name("name")) and parent.type in _GIVES:
            return False
        if parent.type in ACCESSES and parent.child_by_field_name("object") == node:
            return self._code.constants.member(parent) not in _ABOUT
        if parent.type == "binary_expression":
            operator = parent.child_by_field_name("operator")
            return operator is None or operator.type not in _COMPARES
        if parent.type == "variable_declarator" and parent.child_by_field_name("value") == node and depth < DEPTH:
            name = parent.child_by_field_name("name")
            return name is None or name.type != "identifier" or self.may_be(name, parent, depth + 1)
        return not (parent.type == "arguments" and self._only_looks(parent))

    def _only_looks(self, listed: tree_sitter.Node) -> bool:
        """`expect(verify).toBeDefined()`, `assert.ok(verify)`."""
        call = self._code.names.parent(listed)
        path = self._code.origins.of(call.child_by_field_name("function")) if call is not None else None
        if call is None or path is None or call.type != "call_expression":
            return False
        if path[0] == "console":
            return True
        if path == ("expect",) and len(arguments(call)) > 0:
            names = chain_from(self._code, call).names
            return bool(names) and all(LOOKS.fullmatch(name) for name in names)
        return path[0] in ("assert", "chai") and (path == ("assert",) or path[-1] in _LOOKING)
