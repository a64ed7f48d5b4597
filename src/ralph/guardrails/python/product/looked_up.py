"""Functions that answer from a table of their own: `return {"USD": 1.08}.get(code, 1.0)` (policy set v2, class G19)."""

from __future__ import annotations

import ast

from ralph.guardrails.python.bodies import without_docstring
from ralph.guardrails.python.claims import is_constant, source_of
from ralph.guardrails.python.product.functions import Tree
from ralph.guardrails.python.trees import walk

PURE = frozenset(
    {"str", "int", "float", "len", "bool", "tuple", "list", "dict", "set", "sorted", "isinstance", "max", "min"}
)


def looks_up(tree: Tree) -> bool:
    """All that it does is to look a parameter up in a literal table."""
    parameters = {each.arg for each in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs)}
    match without_docstring(tree.body):
        case [
            ast.Return(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Dict() as table, attr="get"), args=[ast.Name(id=name), *rest]
                )
            )
        ]:
            return name in parameters and is_constant(table) and all(map(is_constant, rest))
        case [ast.Return(value=ast.Subscript(value=ast.Dict() as table, slice=ast.Name(id=name)))]:
            return name in parameters and is_constant(table)
    return False


def asks_others(tree: Tree) -> bool:
    """It calls something besides methods of what it was given and what only converts."""
    given = {each.arg for each in tree.args.args}
    called = (source_of(each.func) for each in walk(tree) if isinstance(each, ast.Call))
    return any(name not in PURE and name.partition(".")[0] not in given for name in called)
