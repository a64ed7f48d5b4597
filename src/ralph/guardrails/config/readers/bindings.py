"""The names of a JavaScript module: constants, imports, exports, and what is assigned to them afterwards."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from ralph.guardrails.config.readers.syntax import text_of
from ralph.record import record
from ralph.syntax import walk

HARMLESS = frozenset(
    {"comment", "interface_declaration", "type_alias_declaration", "empty_statement", "hash_bang_line"}
)


@record
class Patch:
    """`name.keys = value`, `delete name.keys` (no value) or `name.keys.push(value)`."""

    keys: tuple[str, ...]
    value: tree_sitter.Node | None
    append: bool = False
    conditions: tuple[tuple[tree_sitter.Node, bool], ...] = ()
    """The conditions that it stands under, innermost first, and whether they have to hold."""


class Bindings:
    def __init__(self, root: tree_sitter.Node) -> None:
        self.values: dict[str, tree_sitter.Node] = {}
        self.imports: dict[str, tuple[str, str]] = {}
        self.exports: dict[str, tree_sitter.Node] = {}
        self.patches: dict[str, list[Patch]] = {}
        self.unread: dict[str, list[tree_sitter.Node]] = {}
        """By name: the statements that may change its value in a way that is not followed."""
        self._under: list[tuple[tree_sitter.Node, bool]] = []
        for statement in root.named_children:
            self._statement(statement)

    def export_patches(self, name: str) -> list[Patch]:
        """Assignments through `module.exports.key` and `exports.key` are patches of the default export."""
        return self.patches.get("module.exports", []) if name == "default" else []

    def add_locals(self, body: tree_sitter.Node) -> None:
        for statement in body.named_children:
            if statement.type != "return_statement":
                self._statement(statement)

    def qualified(self, text: str) -> str:
        """The text with an imported first name told by where it comes from: renaming an import changes nothing."""
        name, *rest = text.removeprefix("... ").split(".", 1)
        if name not in self.imports:
            return text
        specifier, imported = self.imports[name]
        return ".".join([f"{specifier}#{imported}", *rest])

    def _statement(self, node: tree_sitter.Node) -> None:
        match node.type:
            case "lexical_declaration" | "variable_declaration":
                for declarator in node.named_children:
                    self._declarator(declarator)
            case "function_declaration":
                if name := node.child_by_field_name("name"):
                    self.values[text_of(name)] = node
            case "import_statement":
                self._import(node)
            case "export_statement":
                self._export(node)
            case "expression_statement" if node.named_children:
                if not self._expression(node.named_children[0]):
                    self._unread(node)
            case "if_statement":
                self._decided(node)
            case kind if kind not in HARMLESS:
                self._unread(node)

    def _decided(self, node: tree_sitter.Node) -> None:
        asked = node.child_by_field_name("condition")
        for name, holds in (("consequence", True), ("alternative", False)):
            part = node.child_by_field_name(name)
            if part is None or asked is None:
                continue
            self._under.append((asked, holds))
            for statement in part.named_children if part.type in ("statement_block", "else_clause") else [part]:
                inner = statement.named_children if statement.type == "statement_block" else [statement]
                for each in inner:
                    self._statement(each)
            self._under.pop()

    def _declarator(self, node: tree_sitter.Node) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or value is None:
            return
        required = _required(value)
        if name.type == "object_pattern" and required:
            for part in name.named_children:
                key, local = part.child_by_field_name("key") or part, part.child_by_field_name("value") or part
                self.imports[text_of(local)] = (required, text_of(key))
        elif name.type == "identifier" and required:
            self.imports[text_of(name)] = (required, "default")
        elif name.type == "identifier":
            self.values[text_of(name)] = value

    def _import(self, node: tree_sitter.Node) -> None:
        source = node.child_by_field_name("source")
        clause = next((child for child in node.named_children if child.type == "import_clause"), None)
        if source is None or clause is None:
            return
        specifier = text_of(source)[1:-1]
        for child in clause.named_children:
            if child.type == "identifier":
                self.imports[text_of(child)] = (specifier, "default")
            elif child.type == "namespace_import":
                self.imports[text_of(child.named_children[0])] = (specifier, "*")
            else:
                for part in child.named_children:
                    name = part.child_by_field_name("name")
                    alias = part.child_by_field_name("alias") or name
                    if name and alias:
                        self.imports[text_of(alias)] = (specifier, text_of(name))

    def _export(self, node: tree_sitter.Node) -> None:
        value, declaration = node.child_by_field_name("value"), node.child_by_field_name("declaration")
        if value:
            self.exports["default"] = value
        elif declaration:
            before = set(self.values)
            self._statement(declaration)
            fresh = set(self.values) - before
            is_default = any(child.type == "default" for child in node.children)
            self.exports.update({"default" if is_default else name: self.values[name] for name in fresh})
        else:
            for part in _specifiers(node):
                name = part.child_by_field_name("name")
                alias = part.child_by_field_name("alias") or name
                if name and alias:
                    self.exports[text_of(alias)] = name

    def _unread(self, node: tree_sitter.Node) -> None:
        for name in _identifiers(node):
            self.unread.setdefault(name, []).append(node)

    def _expression(self, node: tree_sitter.Node) -> bool:
        """True if the expression is understood."""
        if node.type == "parenthesized_expression" and node.named_children:
            return self._expression(node.named_children[0])
        if node.type == "binary_expression" and node.children[1].type in ("&&", "||"):
            asked, then = node.child_by_field_name("left"), node.child_by_field_name("right")
            if asked is None or then is None:
                return False
            self._under.append((asked, node.children[1].type == "&&"))
            understood = self._expression(then)
            self._under.pop()
            return understood
        if node.type == "assignment_expression":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left and right and (keys := _dotted(left)):
                return self._assign(keys, right)
        elif node.type == "unary_expression" and node.children[0].type == "delete":
            return self._assign(_dotted(node.named_children[0]), None)
        elif node.type == "call_expression":
            function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            keys = _dotted(function) if function else ()
            if keys[-1:] in (("push",), ("unshift",)) and arguments:
                for argument in arguments.named_children:
                    self._assign(keys[:-1], argument, append=True)
                return len(keys) > 1
        return False

    def _assign(self, keys: tuple[str, ...], value: tree_sitter.Node | None, *, append: bool = False) -> bool:
        if keys[:2] == ("module", "exports") or keys[:1] == ("exports",):
            rest = keys[2:] if keys[0] == "module" else keys[1:]
            first = "default" not in self.exports or not self._under
            if first and ((not rest and value and not append) or (rest == ("default",) and value)):
                self.exports["default"] = value
            else:
                if value and len(rest) == 1:
                    self.exports[rest[0]] = value
                self._patch("module.exports", rest, value, append=append)
        elif len(keys) == 1 and value and not append and not (self._under and keys[0] in self.values):
            self.values[keys[0]] = value
        elif keys:
            self._patch(keys[0], keys[1:], value, append=append)
        # What is changed through an alias changes what it stands for.
        alias = self.values.get(keys[0]) if len(keys) > 1 or append else None
        return bool(keys) and (alias is None or not _dotted(alias) or self._changed_through(alias, value))

    def _patch(self, name: str, keys: tuple[str, ...], value: tree_sitter.Node | None, *, append: bool) -> None:
        conditions = tuple(reversed(self._under))
        self.patches.setdefault(name, []).append(Patch(keys, value, append, conditions))

    def _changed_through(self, alias: tree_sitter.Node, value: tree_sitter.Node | None) -> bool:
        self.unread.setdefault(_dotted(alias)[0], []).append(value or alias)
        return True


def _required(value: tree_sitter.Node) -> str | None:
    """The specifier of `require("…")`."""
    function, arguments = value.child_by_field_name("function"), value.child_by_field_name("arguments")
    if value.type != "call_expression" or function is None or arguments is None or text_of(function) != "require":
        return None
    given = arguments.named_children
    return text_of(given[0])[1:-1] if len(given) == 1 and given[0].type == "string" else None


def _specifiers(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    for clause in node.named_children:
        if clause.type == "export_clause":
            yield from clause.named_children


def _dotted(node: tree_sitter.Node) -> tuple[str, ...]:
    """`a.b["c"]` as its parts; empty for anything else."""
    if node.type == "identifier":
        return (text_of(node),)
    target = node.child_by_field_name("object")
    key = node.child_by_field_name("property") or node.child_by_field_name("index")
    if target is None or key is None or not (parts := _dotted(target)):
        return ()
    return (*parts, text_of(key)[1:-1] if key.type == "string" else text_of(key))


def _identifiers(node: tree_sitter.Node) -> Iterator[str]:
    return (text_of(each) for each in walk(node) if each.type == "identifier")
