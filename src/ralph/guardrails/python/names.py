"""What a name in a Python file stands for, as far as the file itself tells.

Rules:

- A name belongs to the innermost scope that binds it; a class body is no scope for the functions in it.
- An import binds a dotted path; an assignment binds what its right side stands for; a parameter, a loop variable, a
  `def` bind something that is not known. A name bound several times stands for all of it.
- `getattr(x, "y")`, `x.__dict__["y"]`, `vars(x)["y"]`, `__import__("m")`, `functools.partial(f)` are seen through,
  with strings that are put together from constants.
- Identifiers are compared in the form Python compares them in (NFKC).
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from ralph.guardrails.python.bindings import Binding, Node, bindings, identifier, scope_of, tries_import
from ralph.guardrails.python.constants import constant
from ralph.guardrails.source import Source

DEPTH = 8
"""How many names of names are followed: enough for people, an end for loops."""


class Names:
    def __init__(self, source: Source) -> None:
        self.source = source

    @cached_property
    def _scopes(self) -> dict[int, dict[str, list[tuple[Node, Binding]]]]:
        """Node id of a scope -> name -> where it is bound, and to what."""
        scopes: dict[int, dict[str, list[tuple[Node, Binding]]]] = defaultdict(lambda: defaultdict(list))
        for node in self.source.walk():
            for name, value in bindings(self.source, node):
                scopes[scope_of(node).id][self.identifier(name)].append((name, value))
        return scopes

    @cached_property
    def _stars(self) -> tuple[str, ...]:
        """Modules of which everything is imported."""
        statements = (node for node in self.source.walk() if node.type == "wildcard_import")
        modules = (node.parent.child_by_field_name("module_name") for node in statements if node.parent)
        return tuple(self.identifier(module) for module in modules if module is not None)

    def identifier(self, node: Node) -> str:
        return identifier(self.source, node)

    def paths(self, node: Node | None, depth: int = DEPTH) -> frozenset[str]:
        """The dotted paths that an expression may stand for; empty if none is known."""
        if node is None or depth == 0:
            return frozenset()
        kind = node.type
        if kind == "identifier":
            return self._of_name(node, depth)
        if kind == "attribute":
            return self._member(node.child_by_field_name("object"), self._attribute(node), depth)
        if kind == "call":
            return self._of_call(node, depth)
        if kind == "subscript":
            return self._of_subscript(node, depth)
        if kind == "named_expression":
            return self.paths(node.child_by_field_name("value"), depth - 1)
        if kind in ("parenthesized_expression", "conditional_expression", "boolean_operator", "await"):
            parts = node.named_children[::2] if kind == "conditional_expression" else node.named_children
            return frozenset().union(*(self.paths(part, depth - 1) for part in parts))
        return frozenset()

    def values(self, name: str, place: Node) -> list[Binding]:
        """All that a name is bound to where it is used; empty for a builtin or unknown name."""
        return [value for _, value in self._bound(name, place)]

    def optional(self, name: str, place: Node) -> bool:
        """True for a name that tells whether an import worked: bound differently in a `try` and its `except`."""
        bound = self._bound(name, place)
        distinct = {value if value is None or isinstance(value, str) else self.source.text(value) for _, value in bound}
        imported = any(isinstance(value, str) for _, value in bound)
        return (imported or len(distinct) > 1) and any(tries_import(self.source, target) for target, _ in bound)

    def _bound(self, name: str, place: Node) -> list[tuple[Node, Binding]]:
        scope: Node | None = scope_of(place)
        first = True
        while scope is not None:
            bound = self._scopes.get(scope.id, {})
            if name in bound and (first or scope.type != "class_definition"):
                return bound[name]
            first = False
            scope = scope_of(scope) if scope.type != "module" else None
        return []

    def constant(self, node: Node | None) -> object:
        """The value of a constant expression, None if it is none."""
        return None if node is None else constant(self.source.text(node))

    def _of_name(self, node: Node, depth: int) -> frozenset[str]:
        name = self.identifier(node)
        values = self.values(name, node)
        if not values:
            return frozenset({name} | {f"{module}.{name}" for module in self._stars})
        found: set[str] = set()
        for value in values:
            if isinstance(value, str):
                found.add(value)
            elif value is not None and value.type == "class_definition":
                bases = value.child_by_field_name("superclasses")
                for base in bases.named_children if bases else ():
                    found |= self.paths(base, depth - 1)
            elif value is not None and value.id != node.id:
                found |= self.paths(value, depth - 1)
        return frozenset(found)

    def _member(self, owner: Node | None, name: object, depth: int) -> frozenset[str]:
        if not isinstance(name, str):
            return frozenset()
        return frozenset(f"{path}.{name}" for path in self.paths(owner, depth - 1))

    def _attribute(self, node: Node) -> str:
        name = node.child_by_field_name("attribute")
        return self.identifier(name) if name else ""

    def _of_call(self, node: Node, depth: int) -> frozenset[str]:
        function, arguments = node.child_by_field_name("function"), positional(node)
        called = self.paths(function, depth - 1)
        if not arguments:
            return frozenset()
        if called & {"getattr", "builtins.getattr"} and len(arguments) > 1:
            return self._member(arguments[0], self.constant(arguments[1]), depth)
        if called & {"__import__", "importlib.import_module", "importlib.__import__"}:
            module = self.constant(arguments[0])
            return frozenset({module}) if isinstance(module, str) else frozenset()
        if called & {"functools.partial", "staticmethod"}:
            return self.paths(arguments[0], depth - 1)
        return frozenset()

    def _of_subscript(self, node: Node, depth: int) -> frozenset[str]:
        owner, key = node.child_by_field_name("value"), self.constant(node.child_by_field_name("subscript"))
        if owner is None or not isinstance(key, str):
            return frozenset()
        if owner.type == "call" and self.paths(owner.child_by_field_name("function")) & {"vars", "builtins.vars"}:
            return self._member(next(iter(positional(owner)), None), key, depth)
        paths = self.paths(owner, depth - 1)
        if "sys.modules" in paths:
            return frozenset({key})
        ending = ".__dict__"
        return frozenset(f"{path.removesuffix(ending)}.{key}" for path in paths if path.endswith(ending))


def positional(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    named = arguments.named_children if arguments else []
    return [node for node in named if node.type not in ("keyword_argument", "comment")]


def keyword(names: Names, call: Node, name: str) -> Node | None:
    """The value of a keyword argument."""
    arguments = call.child_by_field_name("arguments")
    for node in arguments.named_children if arguments else ():
        key = node.child_by_field_name("name") if node.type == "keyword_argument" else None
        if key is not None and names.identifier(key) == name:
            return node.child_by_field_name("value")
    return None
