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

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from ralph.guardrails.python.bindings import Binding, binding, scope_of, tries_import
from ralph.guardrails.python.constants import constant
from ralph.guardrails.python.words import Node, enclosing, identifier, words_of
from ralph.guardrails.source import Source
from ralph.system.patterns import later

DYNAMIC = (
    "getattr",
    "__getattr__",
    "__getattribute__",
    "attrgetter",
    "methodcaller",
    "__dict__",
    "vars",
    "modules",
    "__import__",
    "import_module",
)
"""Words by which a name can be reached without being written."""

_WORTH = later(
    r"(?:_?pytest|unittest2?|twisted|testtools|absl|nose|numpy\.testing|typing|typing_extensions)\."
    r"|(?:builtins\.)?(?:getattr|setattr|vars|__import__|exec|eval|importlib\.import_module|sys\.modules)$"
)
"""What is followed to the names that it is given."""

GETTERS = frozenset({"operator.attrgetter", "operator.methodcaller"})
"""What asks for a member by its name; the second calls it, too."""

_MARK = later(r"(?:mark|MARK_GEN|unittest\w*|case|testtools|absltest)\.(?:skip\w*|xfail|expectedFailure|only|focus)$")
"""A mark that is given its arguments is still that mark."""

_STAR = later(rb"^[ \t]*from\s+([\w.]+)\s+import\s*\(?\s*\*", re.MULTILINE)
_ANY_STAR = later(rb"import\s*\(?\s*\*")
_CARRIES = frozenset(
    [
        "attribute",
        "call",
        "subscript",
        "argument_list",
        "parenthesized_expression",
        "conditional_expression",
        "boolean_operator",
        "tuple",
        "list",
        "expression_list",
        "dotted_name",
        "await",
    ]
)
"""Expressions that may pass on what a part of them stands for."""


class Names:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.words = words_of(source)
        self._paths: dict[int, frozenset[str]] = source.memo.once("paths", dict)
        """What is the same whoever asks first: nothing in it stands for itself, by whatever way."""
        self._circular: dict[int, frozenset[str]] = {}
        self._circles = 0
        self._bindings: dict[str, dict[int, list[tuple[Node, Binding]]]] = source.memo.once("bindings", dict)
        self._chains: dict[int, tuple[Node, ...]] = source.memo.once("chains", dict)

    def references(self, words: Iterable[str]) -> Iterator[Node]:
        """Every expression that may stand for something of these names, under whatever name it goes here."""
        waiting, known, given = [*words, *DYNAMIC], {*words, *DYNAMIC}, set[int]()
        while waiting:
            for node in self.words.identifiers(waiting.pop()):
                if (whole := self._chains.get(node.id)) is None:
                    whole = self._chains[node.id] = tuple(_chain(node))
                chain = [expression for expression in whole if expression.id not in given]
                given.update([expression.id for expression in chain])
                yield from chain
                imported = node.parent is not None and node.parent.type == "dotted_name"
                if imported or any(_WORTH.match(path) for expression in chain for path in self.paths(expression)):
                    fresh = [alias for alias in self._aliases(node) if alias not in known]
                    known.update(fresh)
                    waiting += fresh

    def _aliases(self, node: Node) -> Iterator[str]:
        """The names that are given what this node is a part of."""
        above = node.parent
        while above is not None and above.type in _CARRIES:
            above = above.parent
        if above is None:
            return
        target: Node | None = None
        if above.type == "aliased_import":
            target = above.child_by_field_name("alias")
        elif above.type == "assignment":
            target = above.child_by_field_name("left")
        elif above.type in ("named_expression", "default_parameter", "typed_default_parameter", "class_definition"):
            target = above.child_by_field_name("name")
        for part in (target, *target.named_children) if target is not None else ():
            if part.type == "identifier":
                yield self.identifier(part)

    @cached_property
    def _stars(self) -> tuple[str, ...]:
        """Modules of which everything is imported."""
        data = self.source.data
        return tuple(module.decode() for module in _STAR.findall(data)) if _ANY_STAR.search(data) else ()

    def identifier(self, node: Node) -> str:
        return identifier(self.source, node)

    def paths(self, node: Node | None) -> frozenset[str]:
        """The dotted paths that an expression may stand for; empty if none is known."""
        if node is None:
            return frozenset()
        if (found := self._paths.get(node.id)) is not None:
            return found
        if (found := self._circular.get(node.id)) is not None:
            self._circles += 1
            return found
        self._circular[node.id], before = frozenset(), self._circles  # what stands for itself stands for nothing
        self._circular[node.id] = found = self._of_expression(node)
        if self._circles == before:
            self._paths[node.id] = found
        return found

    def _of_expression(self, node: Node) -> frozenset[str]:
        kind = node.type
        if kind == "identifier":
            return self._of_name(node)
        if kind == "attribute":
            return self._member(node.child_by_field_name("object"), {self._attribute(node)})
        if kind == "call":
            return self._of_call(node)
        if kind == "subscript":
            return self._of_subscript(node)
        if kind in ("named_expression", "assignment"):
            return self.paths(node.child_by_field_name("value") or node.child_by_field_name("right"))
        if kind in ("parenthesized_expression", "conditional_expression", "boolean_operator", "await"):
            parts = node.named_children[::2] if kind == "conditional_expression" else node.named_children
            return frozenset().union(*(self.paths(part) for part in parts))
        return frozenset()

    def values(self, name: str, place: Node) -> list[Binding]:
        """All that a name is bound to where it is used; empty for a builtin or unknown name."""
        return [value for _, value in self._bound(name, place)]

    def when_missing(self, name: str, place: Node) -> bool | None:
        """For a name that tells whether an import worked: whether it is true when it did not. None for any other."""
        bound = [(target, value) for target, value in self._bound(name, place) if tries_import(self.source, target)]
        texts = {self.source.text(value) for _, value in bound if isinstance(value, Node)}
        if not any(isinstance(value, str) for _, value in bound) and len(texts) < 2:
            return None
        caught = [value for target, value in bound if enclosing(target, "except_clause") is not None]
        return any(isinstance(value, Node) and bool(self.constant(value)) for value in caught)

    def _bound(self, name: str, place: Node) -> list[tuple[Node, Binding]]:
        """Where the innermost scope around `place` that binds the name does so, and to what."""
        by_scope = self._bindings.get(name)
        if by_scope is None:
            by_scope = self._bindings[name] = self._by_scope(name)
        scope: Node | None = scope_of(place) if by_scope else None
        first = True
        while scope is not None:
            bound = by_scope.get(scope.id)
            if bound and (first or scope.type != "class_definition"):
                return bound
            first = False
            scope = scope_of(scope) if scope.parent is not None else None
        return []

    def _by_scope(self, name: str) -> dict[int, list[tuple[Node, Binding]]]:
        """All places that bind the name, and to what, by the scope that each belongs to."""
        found: dict[int, list[tuple[Node, Binding]]] = {}
        for node in self.words.identifiers(name):
            if (bound := binding(self.source, node)) is not None:
                found.setdefault(scope_of(node).id, []).append((node, bound[0]))
        return found

    def constant(self, node: Node | None) -> object:
        """The value of a constant expression, None if it is none."""
        return None if node is None else constant(self.source.text(node))

    def texts(self, node: Node | None) -> frozenset[str]:
        """The texts that an expression may be, its names put in; empty if one of them is not known."""
        if node is not None and node.type in ("parenthesized_expression", "conditional_expression"):
            parts = [self.texts(part) for part in node.named_children[::2]]
            return frozenset().union(*parts) if all(parts) else frozenset()
        if node is None:
            return frozenset()
        value = constant(self.source.text(node), self._known(node))
        return frozenset({value}) if isinstance(value, str) else frozenset()

    def _known(self, node: Node) -> dict[str, object]:
        """The values of the names in an expression that are given a constant, and nothing else."""
        found: dict[str, object] = {}
        for part in self.source.walk(node):
            if part.type == "identifier":
                bound = self.values(self.identifier(part), part)
                if len(bound) == 1 and isinstance(bound[0], Node):
                    found[self.identifier(part)] = self.constant(bound[0])
        return {name: value for name, value in found.items() if value is not None}

    def _of_name(self, node: Node) -> frozenset[str]:
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
                    found |= self.paths(base)
            elif value is not None and value.id != node.id:
                found |= self.paths(value)
        return frozenset(found)

    def _member(self, owner: Node | None, names: Iterable[str]) -> frozenset[str]:
        return frozenset(f"{path}.{name}" for name in names for path in self.paths(owner))

    def _attribute(self, node: Node) -> str:
        name = node.child_by_field_name("attribute")
        return self.identifier(name) if name else ""

    def _of_call(self, node: Node) -> frozenset[str]:
        function, arguments = node.child_by_field_name("function"), positional(node)
        called = self.paths(function)
        if marks := frozenset(filter(_MARK.search, called)):
            return marks
        if not arguments or function is None:
            return frozenset()
        if function.type == "attribute" and self._attribute(function) in ("__getattr__", "__getattribute__"):
            return self._member(function.child_by_field_name("object"), self.texts(arguments[0]))
        if function.type == "call" and self.paths(function.child_by_field_name("function")) & GETTERS:
            return self._member(arguments[0], self.texts(next(iter(positional(function)), None)))
        if called & {"getattr", "builtins.getattr"} and len(arguments) > 1:
            return self._member(arguments[0], self.texts(arguments[1]))
        if called & {"__import__", "importlib.import_module", "importlib.__import__"}:
            return self.texts(arguments[0])
        if called & {"functools.partial", "staticmethod"}:
            return self.paths(arguments[0])
        return frozenset()

    def _of_subscript(self, node: Node) -> frozenset[str]:
        owner, keys = node.child_by_field_name("value"), self.texts(node.child_by_field_name("subscript"))
        if owner is None or not keys:
            return frozenset()
        if owner.type == "call" and self.paths(owner.child_by_field_name("function")) & {"vars", "builtins.vars"}:
            return self._member(next(iter(positional(owner)), None), keys)
        paths = self.paths(owner)
        if "sys.modules" in paths:
            return keys
        ending = ".__dict__"
        owners = [path.removesuffix(ending) for path in paths if path.endswith(ending)]
        return frozenset(f"{path}.{key}" for path in owners for key in keys)


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


def _chain(node: Node) -> Iterator[Node]:
    """An identifier and what is reached from it: attributes, calls, items."""
    above = node.parent
    if above is None or above.type != "attribute" or above.child_by_field_name("attribute") != node:
        yield node
    while above is not None and above.type in ("attribute", "call", "subscript"):
        yield above
        above = above.parent
