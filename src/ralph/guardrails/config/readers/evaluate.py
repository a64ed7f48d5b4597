"""The reading of JavaScript expressions as data. See `script` for what is read and what stays opaque."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import tree_sitter

from ralph.guardrails.config.node import SPREAD, Node, Opaque, merged
from ralph.guardrails.config.readers.bindings import Bindings, Patch
from ralph.guardrails.config.readers.choices import laid_over, question
from ralph.guardrails.config.readers.errors import Unreadable
from ralph.guardrails.config.readers.of_each import of_each
from ralph.guardrails.config.readers.put_together import called, decided, given_back, put_together
from ralph.guardrails.config.readers.syntax import (
    canonical_text,
    holds_in_ci,
    last_name,
    number_value,
    patched,
    returns,
    string_value,
    text_of,
    told,
)
from ralph.record import record

MAX_DEPTH = 60
MAX_STEPS = 100_000

CONSTANTS = {"true": True, "false": False, "null": None, "undefined": None}
TRANSPARENT = {
    "parenthesized_expression",
    "as_expression",
    "satisfies_expression",
    "non_null_expression",
    "await_expression",
    "type_assertion",
}
LIST_WRAPPERS = {"config", "defineConfig", "defineFlatConfig"}
"""Called with several values these give the list of them."""
MERGERS = {"mergeConfig", "assign", "merge", "defu"}
IDENTITIES = {
    "defineConfig",
    "defineProject",
    "defineWorkspace",
    "freeze",
    "config",
    "defineFlatConfig",
    "createDefaultPreset",
}
"""These give back what they are given; any other call may add what cannot be seen here."""


@record
class Place:
    path: str
    first_column: int = 1


class Module:
    """One file's syntax tree with its names."""

    def __init__(self, place: Place, root: tree_sitter.Node, load: Callable[[str], Node | None] | None) -> None:
        self.place = place
        self.names = Bindings(root)
        self.load = load
        self.depth = 0
        self.steps = 0
        self.busy: set[str] = set()
        self.members: dict[str, Node] = {}

    def exports(self) -> Node:
        found: dict[str, Node] = {}
        for name, node in self.names.exports.items():
            found[name] = self.evaluate(node)
        for name in list(found):
            found[name] = self._patched(found[name], self.names.export_patches(name))
        if "default" in found and "module" in self.names.unread:
            found["default"] = self._marked(found["default"], "module")
        return Node(found, self.place.path, 1, 1)

    def evaluate(self, node: tree_sitter.Node) -> Node:
        self.depth += 1
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise Unreadable("it repeats itself too much")
        try:
            if self.depth > MAX_DEPTH:
                return self._opaque(node)
            return self._evaluate(node)
        finally:
            self.depth -= 1

    def _evaluate(self, node: tree_sitter.Node) -> Node:
        if node.type in TRANSPARENT and node.named_children:
            inner = [child for child in node.named_children if child.type != "comment"]
            return self.evaluate(inner[-1] if node.type == "type_assertion" else inner[0])
        match node.type:
            case "object":
                return self._node(node, self._object(node))
            case "array":
                return self._node(node, list(self._array(node)))
            case "identifier" | "shorthand_property_identifier":
                return self._name(node)
            case "member_expression" | "subscript_expression":
                return self._member(node)
            case "call_expression" | "new_expression":
                return self._call(node)
            case "arrow_function" | "function_expression" | "function_declaration":
                return self._function(node)
        return self._literal(node)

    def _literal(self, node: tree_sitter.Node) -> Node:
        match node.type:
            case "string":
                return self._node(node, string_value(node))
            case "regex" if (pattern := node.child_by_field_name("pattern")) is not None:
                return self._node(node, text_of(pattern))
            case "number":
                return self._node(node, number_value(text_of(node)))
            case "true" | "false" | "null" | "undefined":
                return self._node(node, CONSTANTS[node.type])
        return put_together(node, self.evaluate, self._opaque)

    def _object(self, node: tree_sitter.Node) -> dict[str, Node]:
        found: dict[str, Node] = {}
        for child in node.named_children:
            match child.type:
                case "pair":
                    key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                    if key and value:
                        item = self.evaluate(value)
                        # A value's place is its key's, wherever the value itself was written.
                        row, column = self._at(key)
                        own = Node(item.value, item.path, row, column) if item.path == self.place.path else item
                        found[self._key(key)] = own
                case "shorthand_property_identifier":
                    found[text_of(child)] = self.evaluate(child)
                case "spread_element":
                    spread = self.evaluate(child.named_children[0])
                    if isinstance(spread.value, dict):
                        found.update({key: laid_over(value, found.get(key)) for key, value in spread.value.items()})
                    elif isinstance(spread.value, Opaque):
                        found[f"{SPREAD}{canonical_text(child)}"] = self._opaque(child)
                case "method_definition":
                    if name := child.child_by_field_name("name"):
                        found[self._key(name)] = self._opaque(child)
        return found

    def _key(self, node: tree_sitter.Node) -> str:
        if node.type == "string":
            return string_value(node)
        if node.type == "computed_property_name":
            value = self.evaluate(node.named_children[0]).value
            return value if isinstance(value, str) else f"{SPREAD}{canonical_text(node)}"
        return text_of(node)

    def _array(self, node: tree_sitter.Node) -> Iterator[Node]:
        for child in node.named_children:
            if child.type == "comment":
                continue
            if child.type != "spread_element":
                yield self.evaluate(child)
                continue
            spread = self.evaluate(child.named_children[0])
            if isinstance(spread.value, list):
                self.steps += len(spread.value)
                yield from spread.value
            else:
                yield spread if isinstance(spread.value, Opaque) and spread.value.may_be else self._opaque(child)

    def _name(self, node: tree_sitter.Node) -> Node:
        name = text_of(node)
        if name in self.members:
            return self.members[name]
        if name in CONSTANTS:
            return self._node(node, CONSTANTS[name])
        if name in self.busy:
            return self._opaque(node)
        self.busy.add(name)
        try:
            found = self._bound(name)
            if found is None:
                return self._opaque(node)
            return self._marked(self._patched(found, self.names.patches.get(name, ())), name)
        finally:
            self.busy.discard(name)

    def _bound(self, name: str) -> Node | None:
        if name in self.names.values:
            return self.evaluate(self.names.values[name])
        if name in self.names.imports and self.load:
            specifier, imported = self.names.imports[name]
            module = self.load(specifier)
            return module if module is None or imported == "*" else module.at(imported)
        return None

    def _member(self, node: tree_sitter.Node) -> Node:
        target = node.child_by_field_name("object")
        key = node.child_by_field_name("property") or node.child_by_field_name("index")
        if target is None or key is None:
            return self._opaque(node)
        name = string_value(key) if key.type == "string" else text_of(key)
        return self.evaluate(target).at(name) or self._opaque(node)

    def _call(self, node: tree_sitter.Node) -> Node:
        made = node.child_by_field_name("constructor")
        function, arguments = node.child_by_field_name("function") or made, node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return self._opaque(node)
        name = last_name(function)
        given = [child for child in arguments.named_children if child.type != "comment"]
        if name == "require" and len(given) == 1 and given[0].type == "string":
            module = self.load(string_value(given[0])) if self.load else None
            return (module.at("default") or module) if module else self._opaque(node)
        if not given and function.type == "identifier" and name in self.names.values and name not in self.busy:
            return self._name(function)
        if (made_of := of_each(function, given, self.evaluate, self._evaluate_with)) is not None:
            return self._node(node, made_of)
        values = list(self._array(arguments))
        if name in LIST_WRAPPERS and (len(values) > 1 or any(child.type == "spread_element" for child in given)):
            return self._node(node, values)
        if name == "globalIgnores" and values and isinstance(values[0].value, list):
            return self._node(node, {"ignores": values[0]})  # of ESLint's own; what it is named ignores nothing
        readable = [value for value in values if isinstance(value.value, dict | list)]
        if name in IDENTITIES and len(values) == 1 and readable:
            return readable[0]
        return self._together(node, name, values) if readable else called(node, name, values, self._opaque)

    def _evaluate_with(self, body: tree_sitter.Node, names: dict[str, Node]) -> Node:
        """A body in which these names stand for a member of a list."""
        outer, self.members = self.members, {**self.members, **names}
        read = self.evaluate(body)
        self.members = outer
        return read

    def _together(self, node: tree_sitter.Node, name: str, values: list[Node]) -> Node:
        """What is seen of the arguments, with a mark for what the call itself may add."""
        whole = self._node(node, {})
        for value in values:
            if isinstance(value.value, dict):
                whole = merged(whole, value)
            elif isinstance(value.value, Opaque):
                whole = merged(whole, self._node(node, {f"{SPREAD}{value.value.text}": value}))
        if name not in MERGERS:
            mark = f"{SPREAD}{name}()"
            whole = merged(whole, self._node(node, {mark: self._node(node, Opaque(mark))}))
        lists = [value for value in values if isinstance(value.value, list)]
        return lists[0] if lists and len(values) == 1 else whole

    def _function(self, node: tree_sitter.Node) -> Node:
        body = node.child_by_field_name("body")
        if body is None:
            return self._opaque(node)
        if (set_to := told(node)) is not None:
            return self.evaluate(set_to)
        if body.type != "statement_block":
            return self.evaluate(body)
        self.names.add_locals(body)
        returned = list(returns(body))
        values = returned[0].named_children if len(returned) == 1 else []
        if len(returned) > 1 and (one_of := given_back(body.named_children, self.evaluate)) is not None:
            return one_of
        return self.evaluate(values[0]) if values else self._opaque(node)

    def _patched(self, node: Node, patches: tuple[Patch, ...] | list[Patch]) -> Node:
        for patch in patches:
            was = node
            node = patched(node, patch.keys, self.evaluate(patch.value) if patch.value else None, append=patch.append)
            for condition, holds in patch.conditions:
                yes, no = (node, was) if holds else (was, node)
                node = decided(self._opaque(condition), self.evaluate(condition), yes, no)
        return node

    def _marked(self, node: Node, name: str) -> Node:
        """The value with a mark for every statement that may have changed it unseen."""
        for statement in self.names.unread.get(name, ()):
            mark = self._opaque(statement)
            if isinstance(node.value, list):
                node = node.with_value([*node.value, mark])
            elif isinstance(node.value, dict):
                node = node.with_value({**node.value, f"{SPREAD}{canonical_text(statement)}": mark})
            else:
                node = mark
        return node

    def _opaque(self, node: tree_sitter.Node) -> Node:
        opaque = self._node(node, Opaque(self.names.qualified(canonical_text(node))))
        if (holds := holds_in_ci(node)) is None:
            return opaque
        return question(opaque, opaque.with_value(holds))

    def _node(self, node: tree_sitter.Node, value: object) -> Node:
        row, column = self._at(node)
        return Node(value, self.place.path, row, column)  # type: ignore[arg-type]

    def _at(self, node: tree_sitter.Node) -> tuple[int, int]:
        first = self.place.first_column if node.start_point.row == 0 else 1
        return node.start_point.row + 1, node.start_point.column + first
