"""Which files the patterns of a Python test stand for: `DATA.glob("*.json")`, where `DATA` is a folder beside it."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from ralph.guardrails.python.claims import name_of, source_of
from ralph.guardrails.python.trees import parsed_module, walk
from ralph.record import record

SAME = frozenset({"resolve", "absolute", "expanduser", "as_posix"})
SAME_CALLS = frozenset({"Path", "PurePath", "str", "fspath", "abspath", "realpath", "normpath"})
Function = ast.FunctionDef | ast.AsyncFunctionDef


@record(kw_only=True)
class Globbed:
    """A pattern of files. `owner` is the function that has it, or what else tells it from others."""

    owner: str
    line: int
    text: str
    patterns: tuple[str, ...]

    def meets(self, paths: Iterable[str]) -> bool:
        """Told by what stands before the first sign of a pattern, for most paths."""
        known = [(re.split(r"[*?\[{]", each)[0], _compiled(each)) for each in self.patterns]
        return any(path.startswith(start) and one.fullmatch(path) for path in paths for start, one in known)


def globbed(path: str, data: bytes) -> Iterator[Globbed]:
    tree = parsed_module(data)
    if tree is None:
        return
    above = dict(_given(tree.body))
    for owner, nodes, known in _owners(tree, above):
        places = _Places(path, known)
        text = "\n".join(map(source_of, nodes))
        for node in (part for each in nodes for part in walk(each) if isinstance(part, ast.Call)):
            pattern = places.listed(node)
            if pattern is not None and not _wants_some(node, nodes, text):
                yield Globbed(owner=owner, line=node.lineno, text=source_of(node), patterns=(pattern,))


def _owners(
    tree: ast.Module, above: Mapping[str, ast.expr]
) -> Iterator[tuple[str, list[ast.stmt], dict[str, ast.expr]]]:
    """The functions of a module and of its classes, and the module without them."""
    classes = [each for each in tree.body if isinstance(each, ast.ClassDef)]
    plain = [each for each in tree.body if not isinstance(each, Function | ast.ClassDef)]
    yield "", plain, dict(above)
    for around, body in (("", tree.body), *((f"{each.name}.", each.body) for each in classes)):
        held = dict(_given(body)) if around else {}
        for each in body:
            if isinstance(each, Function):
                yield f"{around}{each.name}", [each], {**above, **held, **dict(_given(walk(each)))}


def _given(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    for each in nodes:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value


class _Places:
    """Works out paths; what it cannot tell is None. A path is relative to the folder above all."""

    def __init__(self, path: str, known: Mapping[str, ast.expr]) -> None:
        self._path = path
        self._known = known

    def listed(self, call: ast.Call) -> str | None:
        name = name_of(call).rpartition(".")[2]
        arguments = call.args
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        if name in ("glob", "iglob") and (owner is None or source_of(owner) == "glob"):
            return self.of(arguments[0]) if arguments else None
        if name in ("listdir", "scandir"):
            folder = self.of(arguments[0]) if arguments else None
            return None if folder is None else posixpath.join(folder, "*")
        folder = self.of(owner) if owner is not None and name in ("glob", "rglob", "iterdir") else None
        if folder is None:
            return None
        if name == "iterdir":
            return posixpath.join(folder, "*")
        pattern = self.of(arguments[0]) if arguments else None
        return None if pattern is None else posixpath.join(folder, "**" if name == "rglob" else "", pattern)

    def of(self, tree: ast.expr, depth: int = 0) -> str | None:
        if depth > 12:
            return None
        match tree:
            case ast.Constant(value=str() as text):
                return text
            case ast.Name(id="__file__"):
                return self._path
            case ast.Name(id=name) if name in self._known:
                return self.of(self._known[name], depth + 1)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name) if name in self._known:
                return self.of(self._known[name], depth + 1)
            case ast.Attribute(value=inner, attr="parent"):
                return self._above(inner, 1, depth)
            case ast.Subscript(value=ast.Attribute(value=inner, attr="parents"), slice=ast.Constant(value=int() as n)):
                return self._above(inner, n + 1, depth)
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return self._joined([left, right], depth)
            case ast.Call():
                return self._called(tree, depth)
        return None

    def _called(self, call: ast.Call, depth: int) -> str | None:
        name = name_of(call).rpartition(".")[2]
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        if name in SAME and owner is not None and not call.args:
            return self.of(owner, depth + 1)
        if name == "dirname" and len(call.args) == 1:
            return self._above(call.args[0], 1, depth)
        if name in SAME_CALLS and call.args:
            return self._joined(call.args, depth)
        if name == "join" and owner is not None and source_of(owner) in ("os.path", "path", "posixpath"):
            return self._joined(call.args, depth)
        if name == "joinpath" and owner is not None:
            return self._joined([owner, *call.args], depth)
        return None

    def _above(self, tree: ast.expr, levels: int, depth: int) -> str | None:
        found = self.of(tree, depth + 1)
        for _ in range(levels):
            found = posixpath.dirname(found) if found else None if found is None else ".."
        return found

    def _joined(self, parts: Iterable[ast.expr], depth: int) -> str | None:
        found = [self.of(each, depth + 1) for each in parts]
        known = [each for each in found if each is not None]
        return posixpath.normpath(posixpath.join(*known)) if known and len(known) == len(found) else None


def _wants_some(call: ast.Call, nodes: Iterable[ast.stmt], text: str) -> bool:
    """What is found is asked for, or counted."""
    written = re.escape(source_of(call))
    names = [name for node in nodes for name, value in _given(walk(node)) if any(part is call for part in walk(value))]
    asked = "|".join([written, *(rf"{re.escape(name)}\b" for name in names)])
    return re.search(rf"assert\w*\(?\s*(?:not\s+)?(?:len\(|list\(|sorted\(|any\()?(?:{asked})", text) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    found = re.escape(posixpath.normpath(pattern)).replace(r"\*\*/", "(?:.*/)?").replace(r"\*\*", ".*")
    found = found.replace(r"\*", "[^/]*").replace(r"\?", "[^/]")
    found = re.sub(r"\\\{([^{}]*)\\\}", lambda match: f"(?:{match[1].replace(',', '|')})", found)
    return re.compile(found)
