"""What a piece of Python code does, read from its syntax tree: writes to attributes, calls, results.

Nested functions and classes are looked into where that is said: they run when they are called, so that a `return` in
one is none of the function around it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ralph.guardrails.python.claims import constant_value, source_of
from ralph.guardrails.python.constants import constant
from ralph.guardrails.python.trees import UNREADABLE, children, definition, walk
from ralph.guardrails.python.words import Node
from ralph.guardrails.source import Source, remembered
from ralph.record import record

Code = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
"""What is run or called by itself."""
DOING = frozenset({ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.NamedExpr, ast.Delete, ast.Call})
KEPT = 64
"""Trees of which the answers are kept: the rules ask the same of one function after the other."""

BROAD_CATCH = frozenset(
    {"BaseException", "Exception", "AssertionError", "Failed", "OutcomeException", "StandardError", "UnexpectedError"}
)


@record
class Write:
    """An attribute or item that is given a value; `value` is None where that is not in sight (or it is deleted).

    `name` is the attribute or key; `[i]` is one item of a list, `[]` are several, and whatever is deleted.
    """

    owner: str
    name: str
    value: ast.expr | None
    node: ast.AST


def code_of(source: Source, node: Node) -> ast.AST | None:
    """The tree of a definition, lambda or statement, standing alone; None if this Python cannot read it.

    A function is without its decorators.
    """
    if node.type == "function_definition" and (function := definition(source, node, decorated=False)) is not None:
        return function
    column = node.start_point.column
    before = source.lines[node.start_point.row][:column].decode("utf-8", "replace")
    text = source.text(node)
    try:
        if node.type in ("lambda", "call"):
            return ast.parse(f"({text})", mode="eval").body
        written = f"if 1:\n{before}{text}" if column and not before.strip() else text
        found: ast.AST = ast.parse(written).body[0]
    except (*UNREADABLE, IndexError):
        return None
    return found.body[0] if isinstance(found, ast.If) and written is not text else found


def name_of(node: ast.AST | None) -> str:
    """`a.b.c` of an expression of names; calls and items are left out of it."""
    if isinstance(node, ast.Attribute):
        owner = name_of(node.value)
        return f"{owner}.{node.attr}" if owner else node.attr
    if isinstance(node, ast.Call):
        return name_of(node.func)
    if isinstance(node, ast.Subscript | ast.Await | ast.Starred):
        return name_of(node.value)
    return node.id if isinstance(node, ast.Name) else ""


@remembered(KEPT)
def own_nodes(tree: ast.AST) -> Sequence[ast.AST]:
    """Every node of a function but for those of functions and classes in it."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting += [child for child in children(node) if not isinstance(child, INNER)]
    return found


@remembered(KEPT)
def all_nodes(tree: ast.AST) -> Sequence[ast.AST]:
    """Every node, read once for all rules."""
    return walk(tree)


@remembered(KEPT)
def doing(tree: ast.AST) -> Sequence[ast.AST]:
    """The calls, and what gives values: a tenth of the nodes."""
    return [node for node in all_nodes(tree) if type(node) in DOING]


@remembered(KEPT)
def writes(tree: ast.AST) -> Sequence[Write]:
    """Everything that is given to attributes and items, in nested functions too, whatever the spelling."""
    return list(_writes(tree))


def _writes(tree: ast.AST) -> Iterator[Write]:
    for node in doing(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _targets(target, node.value, node)
        elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.For | ast.NamedExpr):
            yield from _targets(node.target, getattr(node, "value", None), node)
        elif isinstance(node, ast.Delete):
            for target in node.targets:
                yield from _targets(target, None, node)
        elif isinstance(node, ast.Call):
            yield from _by_call(node)


def _targets(target: ast.expr, value: ast.expr | None, node: ast.AST) -> Iterator[Write]:
    if isinstance(target, ast.Tuple | ast.List):
        values = value.elts if isinstance(value, ast.Tuple | ast.List) else []
        paired = values if len(values) == len(target.elts) else [None] * len(target.elts)
        for part, given in zip(target.elts, paired, strict=True):
            yield from _targets(part, given, node)
    elif isinstance(target, ast.Attribute):
        yield Write(name_of(target.value), target.attr, value, node)
    elif isinstance(target, ast.Subscript):
        key = constant(source_of(target.slice))
        owner = target.value
        if isinstance(owner, ast.Attribute) and owner.attr == "__dict__":
            owner = owner.value
        elif isinstance(owner, ast.Call) and name_of(owner) == "vars" and owner.args:
            owner = owner.args[0]
        single = not isinstance(target.slice, ast.Slice) and not isinstance(node, ast.Delete)
        yield Write(name_of(owner), key if isinstance(key, str) else "[i]" if single else "[]", value, node)


def _by_call(call: ast.Call) -> Iterator[Write]:
    """`setattr` and its relatives; `update`, of attributes and of the environment."""
    name = name_of(call).rpartition(".")[2]
    arguments = call.args
    if name in ("setattr", "__setattr__", "delattr", "__delattr__", "setitem"):
        if name.startswith("__") and isinstance(call.func, ast.Attribute) and name_of(call.func.value) != "object":
            arguments = [call.func.value, *arguments]
        if len(arguments) >= 2:
            key = constant(source_of(arguments[1]))
            value = arguments[2] if len(arguments) > 2 and "del" not in name else None
            yield Write(name_of(arguments[0]), key if isinstance(key, str) else "?", value, call)
    elif name in ("setdefault", "putenv") and len(arguments) == 2:
        key = constant(source_of(arguments[0]))
        yield Write(name_of(call.func).rpartition(".")[0], key if isinstance(key, str) else "?", arguments[1], call)
    elif name == "update":
        owner = name_of(call.func).removesuffix(".update").removesuffix(".__dict__")
        yield from (Write(owner, keyword.arg, keyword.value, call) for keyword in call.keywords if keyword.arg)
        for given in arguments:
            if isinstance(given, ast.Dict):
                for named, value in zip(given.keys, given.values, strict=True):
                    key = constant(source_of(named)) if named is not None else None
                    yield Write(owner, key if isinstance(key, str) else "?", value, call)


@remembered(KEPT)
def calls(tree: ast.AST) -> Sequence[tuple[str, ast.Call]]:
    """Every call with the last part of what is called."""
    return [(name_of(node).rpartition(".")[2], node) for node in doing(tree) if isinstance(node, ast.Call)]


def results(tree: Code) -> list[ast.expr]:
    """What a function returns itself, but for None."""
    if isinstance(tree, ast.Lambda):
        found = [tree.body]
    else:
        found = [node.value for node in own_nodes(tree) if isinstance(node, ast.Return) and node.value is not None]
    return [each for each in found if not (isinstance(each, ast.Constant) and each.value is None)]


def yields(tree: ast.AST) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(tree))


def swallowed(tree: ast.AST, holds: type[ast.AST] | tuple[type[ast.AST], ...], word: str = "") -> ast.AST | None:
    """A `try` (or `suppress`) around something that looks like `word`, whose failure goes no further."""
    for node in own_nodes(tree):
        if isinstance(node, ast.Try | ast.TryStar):
            body = [each for statement in node.body for each in walk(statement)]
            if _has(body, holds, word) and any(map(_keeps_silent, node.handlers)):
                return node
            last = [each for statement in node.finalbody for each in own_nodes(statement)]
            if _has(body, holds, word) and any(isinstance(each, ast.Return | ast.Break) for each in last):
                return node
        elif isinstance(node, ast.With | ast.AsyncWith):
            silent = any(
                name_of(item.context_expr).endswith("suppress") and _is_broad(item.context_expr) for item in node.items
            )
            if silent and _has([each for statement in node.body for each in walk(statement)], holds, word):
                return node
    return None


def _has(nodes: list[ast.AST], holds: type[ast.AST] | tuple[type[ast.AST], ...], word: str) -> bool:
    return any(isinstance(node, holds) and word in source_of(node) for node in nodes)


def _keeps_silent(handler: ast.ExceptHandler) -> bool:
    caught = handler.type
    kinds = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    broad = any(kind is None or name_of(kind).rpartition(".")[2] in BROAD_CATCH for kind in kinds)
    inside = [node for statement in handler.body for node in own_nodes(statement)]
    passed_on = any(isinstance(node, ast.Raise) or name_of(node).endswith("force_exception") for node in inside)
    return broad and not passed_on


def _is_broad(call: ast.expr) -> bool:
    given = call.args if isinstance(call, ast.Call) else []
    return any(name_of(each).rpartition(".")[2] in BROAD_CATCH for each in given)


def always(tree: Code, wanted: bool) -> bool:
    """True if a function gives nothing but one truth value."""
    if yields(tree):
        return False
    given = results(tree)
    if not given:
        return False
    known = [_known(each, tree) for each in given]
    return all(value is not None and bool(value[0]) is wanted for value in known)


def _known(value: ast.expr, tree: Code) -> tuple[object] | None:
    """A constant, a name that is given nothing else, or what holds for every object."""
    if isinstance(value, ast.Name):
        targets = [
            node.value
            for node in all_nodes(tree)
            if isinstance(node, ast.Assign) and any(name_of(each) == value.id for each in node.targets)
        ]
        return constant_value(targets[0]) if len(targets) == 1 else None
    if isinstance(value, ast.Call) and name_of(value) == "isinstance" and name_of(value.args[-1]) == "object":
        return (True,)
    return constant_value(value)


def is_trivial(tree: Code) -> bool:
    """True if a function can neither fail nor pass anything on: it has no call, raise, assert or loop."""
    body: list[ast.AST] = [tree.body] if isinstance(tree, ast.Lambda) else list(tree.body)
    doing = (ast.Call, ast.Raise, ast.Assert, ast.Await, ast.Yield, ast.YieldFrom)
    return not any(isinstance(node, doing) for part in body for node in own_nodes(part))


def conditions(code: ast.AST, place: ast.AST) -> Iterator[ast.expr]:
    """The conditions around a place in a function, and those under which it was left before that."""
    body = getattr(code, "body", None)
    for statement in body if isinstance(body, list) else ():
        if any(node is place for node in walk(statement)):
            if isinstance(statement, ast.If | ast.While):
                yield statement.test
            for part in ("body", "orelse", "finalbody", "handlers"):
                inner = getattr(statement, part, [])
                if any(node is place for each in inner for node in walk(each)):
                    yield from conditions(ast.Module(body=inner, type_ignores=[]), place)
            return
        leaves = isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Return | ast.Continue | ast.Raise)
        if isinstance(statement, ast.If) and leaves:
            yield statement.test
