"""Where a Python file binds names, and in which scope: imports, assignments, definitions, parameters, loops."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from ralph.guardrails.python.words import Node, identifier
from ralph.guardrails.source import Source, parent_of

BINDERS = ("import_statement", "import_from_statement", "aliased_import", "dotted_name", "parameters")
TARGETS = frozenset(
    [
        "aliased_import",
        "dotted_name",
        "pattern_list",
        "expression_list",
        "tuple_pattern",
        "list_pattern",
        "list_splat_pattern",
        "dictionary_splat_pattern",
        "tuple",
        "list",
        "default_parameter",
        "typed_parameter",
        "typed_default_parameter",
        "parenthesized_expression",
    ]
)
"""What may stand between a name and the statement that binds it."""

BINDING = frozenset(
    [
        "import_statement",
        "import_from_statement",
        "assignment",
        "augmented_assignment",
        "named_expression",
        "function_definition",
        "class_definition",
        "parameters",
        "lambda_parameters",
        "for_statement",
        "for_in_clause",
        "as_pattern_target",
    ]
)
DEFAULTS = ("default_parameter", "typed_default_parameter")
SCOPES = ("module", "function_definition", "class_definition", "lambda")

Binding = str | Node | None
"""A dotted path, the expression that was assigned (or the class), or unknown."""


def binding(source: Source, node: Node) -> tuple[Binding] | None:
    """What an identifier is bound to where it stands, if it is bound there: a tuple of one."""
    binder: Node | None = node.parent
    while binder is not None and binder.type in TARGETS:
        binder = binder.parent
    if binder is None or binder.type not in BINDING:
        return None
    return next(((value,) for name, value in _bindings(source, binder) if name.id == node.id), None)


def _bindings(source: Source, node: Node) -> Iterator[tuple[Node, Binding]]:
    kind = node.type
    if kind in ("import_statement", "import_from_statement"):
        yield from _imports(source, node)
    elif kind in ("assignment", "augmented_assignment"):
        yield from _assigned(node.child_by_field_name("left"), node.child_by_field_name("right"))
    elif kind == "named_expression":
        yield from _assigned(node.child_by_field_name("name"), node.child_by_field_name("value"))
    elif kind in ("function_definition", "class_definition"):
        if name := node.child_by_field_name("name"):
            yield name, node if kind == "class_definition" else None
    elif kind in ("parameters", "lambda_parameters"):
        for parameter in node.named_children:
            yield from _assigned(
                parameter.child_by_field_name("name") or parameter, parameter.child_by_field_name("value")
            )
    elif kind in ("for_statement", "for_in_clause"):
        yield from _assigned(node.child_by_field_name("left"), None)
    elif kind == "as_pattern_target":
        for target in node.named_children:
            yield from _assigned(target, None)


def _imports(source: Source, node: Node) -> Iterator[tuple[Node, Binding]]:
    module = node.child_by_field_name("module_name")
    prefix = "" if module is None else identifier(source, module) + "."
    for imported in node.children_by_field_name("name"):
        name, alias = imported, imported
        if imported.type == "aliased_import":
            name = imported.child_by_field_name("name") or imported
            alias = imported.child_by_field_name("alias") or imported
        path = prefix + identifier(source, name)
        if alias is not imported:
            yield alias, path
        else:  # `import a.b` binds `a`
            first = imported.named_children[0]
            yield first, identifier(source, first) if module is None else path


def scope_of(node: Node) -> Node:
    """The scope whose code a node is part of: decorators, names and defaults of a `def` are outside of it."""
    child, above, default = node, parent_of(node), False
    while above is not None:
        kind = above.type
        if kind in DEFAULTS and above.child_by_field_name("value") == child:
            default = True
        elif kind == "module" or (kind in SCOPES and not default and _is_inside(child, above)):
            return above
        elif kind in SCOPES:
            default = False
        child, above = above, parent_of(above)
    return child


def is_read(source: Source, node: Node) -> bool:
    """False where a name is not read: imports, targets, parameters, keywords, the name of a definition."""
    above = node.parent
    if above is None or above.type in BINDERS:
        return False
    if above.type == "keyword_argument":
        return above.child_by_field_name("name") != node
    if above.type in ("function_definition", "class_definition", "named_expression", *DEFAULTS):
        return above.child_by_field_name("name") != node
    if above.type == "attribute":  # an exception is looked at by itself
        name = above.child_by_field_name("attribute")
        return above.child_by_field_name("object") == node and source.text(name or node) != "Exception"
    if above.type in ("assignment", "augmented_assignment", "for_statement"):
        return above.child_by_field_name("left") != node
    return above.type not in ("pattern_list", "as_pattern_target", "typed_parameter", "global_statement")


def tries_import(source: Source, node: Node) -> bool:
    """True inside a `try` that tries an import and is ready for its failure."""
    above: Node | None = node
    while above is not None and above.type not in SCOPES:
        if above.type == "try_statement" and any(map(partial(catches_import, source), above.children)):
            body = above.child_by_field_name("body")
            if body is not None and any("import" in child.type for child in body.named_children):
                return True
        above = above.parent
    return False


def catches_import(source: Source, node: Node) -> bool:
    """True for `except ImportError` and its narrower relative."""
    if node.type != "except_clause":
        return False
    caught = " ".join(source.text(child) for child in node.named_children if child.type not in ("block", "comment"))
    return re.fullmatch(r"\(?\s*(?:(?:ImportError|ModuleNotFoundError)[\s,]*)+\)?(?:\s*as\s+\w+)?", caught) is not None


def _is_inside(child: Node, scope: Node) -> bool:
    return child == scope.child_by_field_name("body") or child == scope.child_by_field_name("parameters")


def _assigned(target: Node | None, value: Node | None) -> Iterator[tuple[Node, Binding]]:
    if target is None:
        return
    if target.type == "identifier":
        yield target, value
    elif target.type in ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list"):
        parts = target.named_children
        values = value.named_children if value is not None and len(value.named_children) == len(parts) else None
        for index, part in enumerate(parts):
            yield from _assigned(part, values[index] if values else None)
    elif target.type in (
        "list_splat_pattern",
        "dictionary_splat_pattern",
        "typed_parameter",
        "parenthesized_expression",
    ):
        yield from _assigned(target.named_children[0] if target.named_children else None, None)
