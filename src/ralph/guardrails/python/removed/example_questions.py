"""What an example of a docstring asks, however it is written: two spellings of one question are one example.

Rules:

- `print(x)` asks for `x`. A name that stands for a plain value, or for what an import gives, is that value.
- A function of a package is the same one by another path of that package (`nx.bipartite.density`, `bipartite.density`),
  and an argument by its name is the one at its place, where the file has the function.
- A whole list asks for its length, and a dictionary of pairs, in their order, for the list of them.
- A name that the examples change, or give two values, stands for itself.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator, Sequence

from ralph.guardrails.python.trees import walk
from ralph.record import record

MAKERS_OF_SETS = ("set", "frozenset")
OUTER = ("len", "list", "dict")
MOST = 1000
"""Nobody shows more examples in one place."""


@record
class Question:
    """The form of an expression, the whole paths of what it calls, and its answer.

    `around` and `inner`: the name of a call of one argument, and the form of that.
    """

    form: str
    paths: tuple[str, ...]
    around: str
    inner: str
    answer: object


Questions = Sequence[tuple[str, Question]]


@record
class Place:
    """Where the examples stand: the file's module, what it imports, and the parameters of its functions."""

    module: tuple[str, ...]
    imports: dict[str, str]
    parameters: dict[str, tuple[str, ...]]


def place_of(path: str, tree: ast.Module) -> Place:
    """`path` as the change has it; `tree` is what it holds."""
    parameters = {
        each.name: tuple(arg.arg for arg in (*each.args.posonlyargs, *each.args.args))
        for each in tree.body
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    return Place(tuple(path.removesuffix(".py").split("/")), dict(_imported(tree.body)), parameters)


def asked_otherwise(source: str, was: Questions, now: Questions, place: Place) -> bool:
    """Every answer that the examples of `was` give for `source` is given by those of `now`, for the same question."""
    asked = [each for text, each in was if text == source]
    left = iter(now)
    return bool(asked) and all(any(_is_same(old, new, place) for _, new in left) for old in asked)


def questions(told: Sequence[tuple[str, str]], place: Place) -> Questions:
    """Of some examples, sources with what they answer, in their order: those that are one expression with an answer."""
    try:
        return list(_questions(told, place)) if len(told) <= MOST else []
    except RecursionError:  # an expression deeper than any that somebody would show
        return []


def _questions(told: Sequence[tuple[str, str]], place: Place) -> Iterator[tuple[str, Question]]:
    parsed = [(source, _parsed(source), want) for source, want in told]
    known = _Known(place, [tree for _, tree, _ in parsed if tree is not None])
    for source, tree, want in parsed:
        node = tree.body[0] if tree is not None and len(tree.body) == 1 else None
        if isinstance(node, ast.Expr) and want:
            asked, answer = _plain(node.value, want)
            paths: list[str] = []
            form = _Form(known, place, paths).visit(copy.deepcopy(asked))
            around, inner = _around(form)
            yield source, Question(ast.dump(form), tuple(paths), around, inner, answer)


def _parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _plain(node: ast.expr, want: str) -> tuple[ast.expr, object]:
    """Without `print`, which shows a text as it is; an answer that is no plain value is its text."""
    if isinstance(node, ast.Call) and _name(node.func) == "print" and len(node.args) == 1 and not node.keywords:
        return node.args[0], _value(want)
    return node, _value(want)


def _value(want: str) -> object:
    if "..." in want:  # which may stand for anything
        return want
    try:
        return ast.literal_eval(want)
    except (SyntaxError, ValueError, RecursionError, MemoryError, TypeError):
        return want


def _is_same(old: Question, new: Question, place: Place) -> bool:
    if old.form == new.form:
        return _alike(old.answer, new.answer) and _same_paths(old.paths, new.paths, place)
    if old.around == "len" and old.inner == new.form and isinstance(new.answer, list | tuple | dict | set):
        return len(new.answer) == old.answer and _same_paths(old.paths, new.paths, place)
    if (old.around, new.around) != ("list", "dict") or old.inner != new.inner or not isinstance(new.answer, dict):
        return False
    return list(new.answer.items()) == old.answer and _same_paths(old.paths, new.paths, place)


def _alike(one: object, other: object) -> bool:
    """`1`, `1.0` and `True` are equal, and not alike."""
    return type(one) is type(other) and repr(one) == repr(other)


def _around(node: ast.expr) -> tuple[str, str]:
    if isinstance(node, ast.Call) and _name(node.func) in OUTER and len(node.args) == 1 and not node.keywords:
        return _name(node.func), ast.dump(node.args[0])
    return "", ""


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _same_paths(old: tuple[str, ...], new: tuple[str, ...], place: Place) -> bool:
    return len(old) == len(new) and all(_same_path(*pair, place) for pair in zip(old, new, strict=True))


def _same_path(old: str, new: str, place: Place) -> bool:
    """A function of the file is reached by the packages that it is in; any other by more or fewer of the same ones."""
    if old == new:
        return True
    *packages, name = old.split(".")
    *others, other = new.split(".")
    if name != other or not packages or not others:
        return False
    if name in place.parameters:
        return _within(packages, place.module) and _within(others, place.module)
    return packages[0] == others[0] and (_within(packages, others) or _within(others, packages))


def _within(few: Iterable[str], many: Iterable[str]) -> bool:
    """In the same order, with others between them."""
    rest = iter(many)
    return all(each in rest for each in few)


class _Known:
    """What the names of some examples stand for, where each has one value that nothing changes."""

    def __init__(self, place: Place, trees: list[ast.Module]) -> None:
        bound: dict[str, list[ast.expr | None]] = {}
        touched: set[str] = set()
        for tree in trees:
            for node in walk(tree):
                if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                    bound.setdefault(node.id, []).append(None)
                elif isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.value, ast.Name):
                    touched.add(node.value.id)
                elif isinstance(node, ast.ClassDef | ast.FunctionDef):
                    bound.setdefault(node.name, []).append(None)
            for each in tree.body:
                if isinstance(each, ast.Assign) and len(each.targets) == 1 and isinstance(each.targets[0], ast.Name):
                    bound.setdefault(each.targets[0].id, []).append(each.value)
        self.assigned = frozenset(bound)
        imported = dict(_imported([each for tree in trees for each in tree.body]))
        self.imports = {**place.imports, **imported}
        # Of an assignment the name itself and the value are noted: one of each is one value.
        self.values = {
            name: value
            for name, values in bound.items()
            if len(values) == 2 and (value := next((each for each in values if each is not None), None)) is not None
            if self._is_path(value) or (name not in touched and _is_literal(value))
        }

    def _is_path(self, node: ast.expr) -> bool:
        path = _dotted(node)
        return path is not None and path.split(".")[0] in self.imports and path.split(".")[0] not in self.assigned


class _Form(ast.NodeTransformer):
    def __init__(self, known: _Known, place: Place, paths: list[str]) -> None:
        self.known, self.place, self.paths = known, place, paths

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self.known.values.get(node.id)
        if value is not None:
            written: ast.expr = self.visit(copy.deepcopy(value))
            return written
        return self._reached(node) or node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if (found := self._reached(node)) is not None:
            return found
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        name = _name(node.func)
        if name in MAKERS_OF_SETS and len(node.args) == 1 and not node.keywords:
            inner = node.args[0]
            if name == "set" and isinstance(inner, ast.List | ast.Tuple) and inner.elts:
                return ast.Set(elts=inner.elts)
        names = self.place.parameters.get(name, ())
        if len(node.args) <= len(names) and not any(isinstance(each, ast.Starred) for each in node.args):
            given = [ast.keyword(arg=at, value=each) for at, each in zip(names, node.args, strict=False)]
            node.keywords = sorted([*given, *node.keywords], key=lambda each: each.arg or "")
            node.args = []
        return node

    def _reached(self, node: ast.Name | ast.Attribute) -> ast.expr | None:
        """What an import gives, or the file has, by its last name; its whole path is noted."""
        first, _, rest = (_dotted(node) or "").partition(".")
        if first in self.known.assigned:
            return None
        if first in self.known.imports:
            path = f"{self.known.imports[first]}.{rest}".rstrip(".")
        elif first in self.place.parameters and not rest:
            path = ".".join((*self.place.module, first))
        else:
            return None
        self.paths.append(path)
        return ast.Name(id=path.rpartition(".")[2], ctx=ast.Load())


def _dotted(node: ast.expr) -> str | None:
    """`a.b.c`, or None for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else None


def _imported(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for node in body:
        if isinstance(node, ast.Import):
            yield from ((each.asname, each.name) for each in node.names if each.asname)
            yield from ((each.name.split(".")[0],) * 2 for each in node.names if not each.asname)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((each.asname or each.name, f"{node.module}.{each.name}") for each in node.names)


def _is_literal(node: ast.expr) -> bool:
    if isinstance(node, ast.Call) and _name(node.func) in MAKERS_OF_SETS and len(node.args) == 1 and not node.keywords:
        return _is_literal(node.args[0])
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError, MemoryError):
        return False
    return True
