"""Names written out as what they were last given: `result = f(1); assert result == 2` says `assert f(1) == 2`."""

from __future__ import annotations

import ast
import copy
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.lending.formulas import Formulas
from ralph.guardrails.python.trees import PARTS, children, walk

DEEPEST = 6
LARGEST = 4_000
"""Characters of an expression in which nothing more is put in."""

EMPTY = ("[]", "{}", "set()", "list()", "dict()", "deque()", "Counter()")
"""What a name may be given first and filled later."""
ONLY_READ = frozenset({"zip", "enumerate", "sorted", "reversed", "list", "tuple", "len", "all", "any", "iter", "range"})

Tree = ast.FunctionDef | ast.AsyncFunctionDef


class Inliner:
    """`values` are the constants and plain fixtures of the file, `nodes` everything in the function, `formulas` what
    functions of the file only pass on.

    A name is written out if every place that binds it in the function gives it a plain value; the last such place
    before the line in question counts. What a loop or a handler binds stays a name, and so does a collection that is
    filled later.
    """

    def __init__(
        self,
        function: Tree,
        values: Mapping[str, ast.expr],
        nodes: Sequence[ast.AST],
        formulas: Formulas | None = None,
    ) -> None:
        bound = Counter(_bound(function, nodes))
        arguments = {each.arg for each in _arguments(function.args)}
        self.local = frozenset(bound) | arguments
        self.functions = frozenset(
            each.name for each in nodes if isinstance(each, ast.FunctionDef) and each is not function
        )
        self._given: dict[str, list[tuple[int, ast.expr]]] = defaultdict(list)
        for name, value, line in sorted(_assigned(nodes), key=lambda each: each[2]):
            self._given[name].append((line, value))
        filled = set(_filled(nodes))
        self._plain = {
            name
            for name, given in self._given.items()
            if bound[name] == len(given) and not (name in filled and any(source_of(each) in EMPTY for _, each in given))
        } - (arguments - _given_anew(function))
        self._outer = {name: value for name, value in values.items() if name not in bound}
        self._happenings = sorted(_happenings(nodes))
        self.formulas = formulas or None

    def put_in(self, tree: ast.expr, line: int) -> ast.expr:
        """The expression as it stands on this line."""
        put_in = _put_in(self, tree, line, DEEPEST)
        return put_in if isinstance(put_in, ast.expr) else tree

    def at(self, line: int) -> Callable[[ast.expr], ast.expr]:
        """What puts in what is known on this line."""
        return lambda tree: self.put_in(tree, line)

    def given(self, name: str, line: int) -> tuple[int, ast.expr] | None:
        """What the name was last given before the line, and where; line 0 for something outside of the function."""
        if name in self._plain:
            before = [each for each in self._given[name] if each[0] < line]
            return before[-1] if before else None
        return (0, self._outer[name]) if name in self._outer else None

    def first_name(self, name: str, line: int) -> str:
        """The name that this one was given in the place of a value, if it was."""
        for _ in range(DEEPEST):
            given = self.given(name, line)
            if given is None or not isinstance(given[1], ast.Name):
                break
            name, line = given[1].id, given[0] or line
        return name

    def changes_between(self, tree: ast.expr, node: ast.stmt) -> bool:
        """Something may have happened between the giving of a name in `tree` and the statement that it stands in."""
        names = (part.id for part in walk(tree) if isinstance(part, ast.Name))
        lines = [given[0] for name in names if (given := self.given(name, node.lineno)) is not None and given[0]]
        return any(min(lines) < line < node.lineno for line in self._happenings) if lines else False


def _put_in(inliner: Inliner, tree: ast.AST, line: int, depth: int) -> ast.AST:
    """The tree, or another one that shares with it what stays as it is."""
    if isinstance(tree, ast.Name):
        given = inliner.given(tree.id, line) if isinstance(tree.ctx, ast.Load) and depth else None
        if given is None or len(source_of(given[1])) > LARGEST:
            return tree
        return _put_in(inliner, given[1], given[0] or line, depth - 1)
    if inliner.formulas is not None and isinstance(tree, ast.Call) and depth:
        asked = inliner.formulas.applied(tree, inliner.at(line))
        if asked is not None and len(source_of(asked)) <= LARGEST:
            return _put_in(inliner, asked, line, depth - 1)
    called = tree.func if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) else None
    changed: dict[str, object] = {}
    for name in PARTS[type(tree)]:
        value = getattr(tree, name, None)
        if type(value) is list:
            items = [_put_in(inliner, each, line, depth) if isinstance(each, ast.AST) else each for each in value]
            if any(new is not old for new, old in zip(items, value, strict=True)):
                changed[name] = items
        elif isinstance(value, ast.AST) and value is not called:  # what is called keeps its name
            new = _put_in(inliner, value, line, depth)
            if new is not value:
                changed[name] = new
    if not changed:
        return tree
    fresh = copy.copy(tree)
    for name, value in changed.items():
        setattr(fresh, name, value)
    return fresh


def _given_anew(function: Tree) -> set[str]:
    """Names that the function's own block, and nothing below it, gives a value."""
    own = {name for statement in function.body for name, _, _ in _given_by(statement)}
    below = (part for each in function.body for child in children(each) for part in walk(child))
    return own - {name for part in below if isinstance(part, ast.stmt) for name, _, _ in _given_by(part)}


def _filled(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Names of what a method, an item or a call that they are given to may change."""
    for part in nodes:
        match part:
            case ast.Attribute(value=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                yield name
            case ast.Call(func=called, args=arguments, keywords=keywords) if not _only_reads(called):
                given = (*arguments, *(each.value for each in keywords))
                yield from (each.id for each in given if isinstance(each, ast.Name))


def _only_reads(called: ast.expr) -> bool:
    """Assertions do so, too: `self.assertEqual(rows, expected)`."""
    return source_of(called) in ONLY_READ or (isinstance(called, ast.Attribute) and called.attr.startswith("assert"))


def _happenings(nodes: Sequence[ast.AST]) -> Iterator[int]:
    """Lines of statements that may change something: calls for their own sake, things set in others."""
    for part in nodes:
        if (
            (isinstance(part, ast.Expr) and isinstance(part.value, ast.Call | ast.Await))
            or isinstance(part, ast.AugAssign | ast.Delete)
            or (isinstance(part, ast.Attribute | ast.Subscript) and isinstance(part.ctx, ast.Store))
        ):
            yield part.lineno


def _arguments(arguments: ast.arguments) -> Iterator[ast.arg]:
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    yield from (each for each in (arguments.vararg, arguments.kwarg) if each is not None)


def _bound(function: Tree, nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Every name as often as it is given; twice, where what it is given is nobody's guess."""
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            yield node.id
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name
        elif isinstance(node, ast.Expr):  # `names.sort()`
            yield from (name for name, _, _ in _given_by(node))
        elif isinstance(node, ast.Global | ast.Nonlocal):
            yield from node.names
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node is not function:
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)


def _assigned(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, ast.expr, int]]:
    """Plain assignments and what `with` gives, with their lines; not those in a loop, where each time gives another."""
    loops = (each for each in nodes if isinstance(each, ast.For | ast.AsyncFor | ast.While))
    inside = {id(part) for loop in loops for each in loop.body for part in walk(each)}
    for node in nodes:
        if id(node) not in inside:
            yield from _given_by(node)


def _given_by(node: ast.AST) -> Iterator[tuple[str, ast.expr, int]]:
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
        ):
            yield name, value, node.lineno
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
            for target, value in zip(names, values, strict=True):
                if isinstance(target, ast.Name):
                    yield target.id, value, node.lineno
        case ast.Assign(targets=[ast.Tuple(elts=names) | ast.List(elts=names)], value=value):
            yield from _taken_out(names, value, node.lineno)
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            yield name, value, node.lineno
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name) as unsorted, attr="sort"), args=[])):
            yield name, ast.Call(func=ast.Name(id="sorted", ctx=ast.Load()), args=[unsorted], keywords=[]), node.lineno
        case ast.With(items=items) | ast.AsyncWith(items=items):
            for item in items:
                if isinstance(item.optional_vars, ast.Name):
                    yield item.optional_vars.id, item.context_expr, node.lineno


def _taken_out(targets: Sequence[ast.expr], value: ast.expr, line: int) -> Iterator[tuple[str, ast.expr, int]]:
    """`first, *_ = names` takes an element out of however many there are."""
    rest = next((at for at, target in enumerate(targets) if isinstance(target, ast.Starred)), None)
    for at, target in enumerate(targets) if rest is not None else ():
        if isinstance(target, ast.Name):
            index = ast.Constant(at) if at < (rest or 0) else ast.UnaryOp(ast.USub(), ast.Constant(len(targets) - at))
            yield target.id, ast.Subscript(value=value, slice=index, ctx=ast.Load()), line
