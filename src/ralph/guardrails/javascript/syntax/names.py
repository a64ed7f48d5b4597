"""Which declaration a name of a JavaScript file refers to (spec: governance engine 1.4).

Only what is needed to tell a test function from a variable of the same name: declarations, parameters, imports and
later assignments, by lexical scope. A name without a declaration is a global of the runtime.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from typing import Literal

import tree_sitter

from ralph.guardrails.javascript.syntax.destructuring import Key, name_of, targets_of
from ralph.guardrails.source import Source
from ralph.record import field, record

FUNCTIONS = frozenset(
    {
        "arrow_function",
        "function_declaration",
        "function_expression",
        "generator_function",
        "generator_function_declaration",
        "method_definition",
    }
)
DEFINITIONS = frozenset(
    {
        "abstract_class_declaration",
        "class_declaration",
        "enum_declaration",
        "function_declaration",
        "generator_function_declaration",
        "internal_module",
    }
)
NAMING = (
    FUNCTIONS
    | DEFINITIONS
    | {
        "assignment_expression",
        "augmented_assignment_expression",
        "catch_clause",
        "for_in_statement",
        "import_statement",
        "update_expression",
        "variable_declarator",
    }
)
"""What declares a name or gives it a value."""

BLOCKS = FUNCTIONS | {
    "catch_clause",
    "class_static_block",
    "for_in_statement",
    "for_statement",
    "program",
    "statement_block",
    "switch_body",
}
WRAPPERS = frozenset(
    {
        "as_expression",
        "await_expression",
        "instantiation_expression",
        "non_null_expression",
        "parenthesized_expression",
        "satisfies_expression",
        "type_assertion",
    }
)


@record
class Binding:
    """A declared name. `path` leads from the declared value to the name, through destructuring."""

    kind: Literal["import", "value", "parameter", "definition"]
    value: tree_sitter.Node | None = None
    path: tuple[Key, ...] = ()
    module: str = ""
    """For an import: where from; `path` is the imported name, `()` the namespace."""
    function: tree_sitter.Node | None = None
    position: int = 0
    """For a parameter: of which function, and its number."""
    assigned: list[tuple[tree_sitter.Node, tuple[Key, ...]]] = field(default_factory=list)


class Names:
    """The declarations of one file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.nodes: list[tree_sitter.Node] = []
        """Every named node, in source order."""
        self._places: dict[str, list[int]] = defaultdict(list)
        """Where nodes of each type stand among them."""
        self._above: dict[int, tuple[tree_sitter.Node, int]] = {}
        """The parent of each node, and the innermost block that holds it; by their ids."""
        self._walk(source.tree.root_node)
        self.calls = self.of_types("call_expression")
        self.naming = self.of_types(*NAMING)
        """What declares a name or gives it a value, in source order."""
        self._promises = bool(self.of_types("ambient_declaration"))
        """Something here is only declared (`declare const x`)."""
        self._bound: dict[int, dict[str, Binding]] = defaultdict(dict, {self.nodes[0].id: {}})
        self._declaring: dict[int, int | None] = {}
        """By the id of a block: the innermost one around it that declares something."""
        for node in self.naming:
            self._declare(node)
        for node in self.naming:
            if node.type == "assignment_expression":
                self._assign(node)
            elif node.type in ("update_expression", "augmented_assignment_expression"):
                self._update(node)

    def _walk(self, root: tree_sitter.Node) -> None:
        """With a cursor, which takes a sixth of what asking each node for its children takes."""
        cursor, frames = root.walk(), [(root, root.id)]
        self.nodes.append(root)
        entered = cursor.goto_first_child()
        while entered:
            node = cursor.node
            if node is not None and node.is_named:
                frame = self._above[node.id] = frames[-1]
                kind = node.type
                self._places[kind].append(len(self.nodes))
                self.nodes.append(node)
                if cursor.goto_first_child():
                    frames.append((node, node.id if kind in BLOCKS else frame[1]))
                    continue
            while not cursor.goto_next_sibling():
                cursor.goto_parent()
                frames.pop()
                if not frames:
                    return

    def of_types(self, *types: str) -> list[tree_sitter.Node]:
        """The nodes of these types, in source order."""
        found = [self._places[kind] for kind in types if kind in self._places]
        places = found[0] if len(found) == 1 else sorted(chain.from_iterable(found))
        return [self.nodes[place] for place in places]

    def parent(self, node: tree_sitter.Node) -> tree_sitter.Node | None:
        frame = self._above.get(node.id)
        return None if frame is None else frame[0]

    def above(self, node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
        current = self.parent(node)
        while current is not None:
            yield current
            current = self.parent(current)

    def binding(self, node: tree_sitter.Node) -> Binding | None:
        """What an identifier refers to; None for a global."""
        name, scope = self.name(node), self._scope(node.id)
        while scope is not None:
            if (found := self._bound[scope].get(name)) is not None:
                return found
            scope = self._scope(scope)
        return None

    def _scope(self, node: int) -> int | None:
        """The innermost block above that declares something. Asked when all declarations are known."""
        frame = self._above.get(node)
        if frame is None:
            return None
        block = frame[1]
        return block if block in self._bound else self._around(block)

    def _around(self, block: int) -> int | None:
        """The same for a block that declares nothing."""
        passed: list[int] = []
        while block not in self._declaring:
            passed.append(block)
            frame = self._above.get(block)
            if frame is None or frame[1] in self._bound:
                self._declaring[block] = None if frame is None else frame[1]
            else:
                block = frame[1]
        scope = self._declaring[block]
        self._declaring.update(dict.fromkeys(passed, scope))
        return scope

    @property
    def outermost(self) -> dict[str, Binding]:
        """What the file declares outside of all blocks."""
        return self._bound[self.nodes[0].id]

    def name(self, node: tree_sitter.Node) -> str:
        """An identifier as the engine reads it: escapes resolved."""
        return name_of(self.source, node)

    def _declare(self, node: tree_sitter.Node) -> None:
        if node.type == "variable_declarator":
            value, target = node.child_by_field_name("value"), node.child_by_field_name("name")
            function_wide = (parent := self.parent(node)) is not None and parent.type == "variable_declaration"
            self._bind(node, target, Binding("value", value), function_wide)
        elif node.type == "for_in_statement" and node.child_by_field_name("kind") is not None:
            self._bind_in(node, node.child_by_field_name("left"), Binding("parameter"))
        elif node.type == "catch_clause":
            self._bind_in(node, node.child_by_field_name("parameter"), Binding("parameter"))
        elif node.type == "import_statement":
            self._import(node)
        elif node.type in DEFINITIONS and (name := node.child_by_field_name("name")) is not None:
            self._bind(node, name, Binding("definition", node))
        if node.type in FUNCTIONS:
            self._parameters(node)

    def _parameters(self, function: tree_sitter.Node) -> None:
        single = function.child_by_field_name("parameter")
        listed = function.child_by_field_name("parameters")
        items = [single] if single is not None else _plain_children(listed)
        for position, item in enumerate(items):
            target = item.child_by_field_name("pattern") or item
            self._bind_in(function, target, Binding("parameter", function=function, position=position))

    def _import(self, node: tree_sitter.Node) -> None:
        source = node.child_by_field_name("source")
        for part in self.source.walk(node):
            if part.type == "import_specifier":
                name = part.child_by_field_name("name")
                local = part.child_by_field_name("alias") or name
                if name is not None and local is not None:
                    self._bind(node, local, self._imported(source, (self.name(name).strip("\"'"),)))
            elif part.type == "namespace_import":
                self._bind(node, part.named_children[-1], self._imported(source, ()))
            elif part.type == "import_clause" and part.children[0].type == "identifier":
                self._bind(node, part.children[0], self._imported(source, ("default",)))
            elif part.type == "import_require_clause":
                required = part.child_by_field_name("source")
                self._bind(node, part.named_children[0], self._imported(required, ()))

    def _imported(self, source: tree_sitter.Node | None, path: tuple[Key, ...]) -> Binding:
        module = self.source.text(source).strip("\"'") if source is not None else ""
        return Binding("import", path=path, module=module)

    def _assign(self, node: tree_sitter.Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        for target, path in targets_of(self.source, left):
            if target.type in ("identifier", "shorthand_property_identifier_pattern"):
                binding = self.binding(target)
                if binding is None:
                    binding = self._bound[self.nodes[0].id].setdefault(self.name(target), Binding("value"))
                binding.assigned.append((right, path))

    def _update(self, node: tree_sitter.Node) -> None:
        """`n++` and `n += 1` assign what only running it could tell."""
        target = node.child_by_field_name("argument") or node.child_by_field_name("left")
        binding = self.binding(target) if target is not None and target.type == "identifier" else None
        if binding is not None:
            binding.assigned.append((node, ()))

    def _bind(
        self, at: tree_sitter.Node, target: tree_sitter.Node | None, binding: Binding, function_wide: bool = False
    ) -> None:
        wanted = FUNCTIONS | {"program"} if function_wide else BLOCKS
        around = (scope for scope in self.above(at) if scope.type in wanted)
        self._bind_in(next(around, self.nodes[0]), target, binding)

    def _bind_in(self, scope: tree_sitter.Node, target: tree_sitter.Node | None, binding: Binding) -> None:
        if target is None:
            return
        if self._promises and any(node.type == "ambient_declaration" for node in self.above(target)):
            return  # what `declare` promises is a global of the runtime
        for name, path in targets_of(self.source, target):
            found = Binding(
                binding.kind, binding.value, binding.path + path, binding.module, binding.function, binding.position
            )
            self._bound[scope.id].setdefault(self.name(name), found)


def unwrapped(node: tree_sitter.Node | None) -> tree_sitter.Node | None:
    """The expression without parentheses, casts and `await`; the value of a comma or an assignment."""
    while node is not None:
        if node.type in WRAPPERS:
            inner = [child for child in node.named_children if "comment" not in child.type]
            node = inner[-1] if node.type == "type_assertion" and inner else inner[0] if inner else None
        elif node.type == "sequence_expression":
            node = _plain_children(node)[-1]
        elif node.type == "assignment_expression":
            node = node.child_by_field_name("right")
        else:
            return node
    return None


def _plain_children(node: tree_sitter.Node | None) -> list[tree_sitter.Node]:
    return [] if node is None else [child for child in node.named_children if "comment" not in child.type]
