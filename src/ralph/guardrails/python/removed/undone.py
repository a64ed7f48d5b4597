"""Decorators that leave nothing of a test to collect (policy set v2, class G04).

Rule: a function of the file, or one that the file takes from beside the tests, that does nothing with what it is given
and gives back nothing, or nothing that can be called. So does a `lambda`, and what of Python itself gives no function
(`print`, `id`). A decorator that keeps, calls or wraps the function (a registry, a runner of its own) is another thing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache

from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.python.claims import name_of, source_of
from ralph.guardrails.python.lending.borrowed import place_of
from ralph.guardrails.python.trees import module_of, parsed_expression, parsed_module, walk
from ralph.guardrails.python.words import Node
from ralph.guardrails.source import Source
from ralph.system.patterns import later

PLAIN = frozenset({"print", "id", "repr", "str", "hash", "bool", "vars", "dir", "callable", "format", "ascii"})
TELLS = later(r"(?:^|\.)(?:print|debug|info|warning|warn|log|len|id|repr|str|isinstance|callable)$")
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def undoing(source: Source, paths: Paths) -> Callable[[Node], bool]:
    """What tells of a decorator whether it leaves nothing of a function."""
    definitions = cache(lambda: _definitions(source, paths))

    def told(decorator: Node) -> bool:
        tree = parsed_expression(source.text(decorator).strip().removeprefix("@"))
        asked = tree.func if isinstance(tree, ast.Call) else tree
        if not isinstance(asked, ast.Name | ast.Attribute):
            return False
        name = source_of(asked)
        known = definitions().get(name) if _may_be_defined(name, source, paths) else None
        if known is None:
            return asked is tree and isinstance(asked, ast.Name) and asked.id in PLAIN
        return _drops(known) if asked is tree else any(map(_drops, _inner(known)))

    return told


def _may_be_defined(name: str, source: Source, paths: Paths) -> bool:
    """False for a member of what is no module of the tests: most decorators are pytest's own."""
    owner = name.rpartition(".")[0]
    if not owner or not source.data.isascii() or place_of(source.path, owner, paths) is not None:
        return True
    return re.search(rb"\bas[\s\\]+%s\b" % re.escape(owner.encode()), source.data) is not None


def _definitions(source: Source, paths: Paths) -> dict[str, Function]:
    """By the names under which the file has them."""
    own = module_of(source)
    found = dict(_functions(own))
    for node in own.body if own is not None else ():
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            theirs = _functions_at(source.path, module, paths)
            found |= {each.asname or each.name: theirs[each.name] for each in node.names if each.name in theirs}
        elif isinstance(node, ast.Import):
            for each in node.names:
                theirs = _functions_at(source.path, each.name, paths)
                found |= {f"{each.asname or each.name}.{name}": tree for name, tree in theirs.items()}
    return found


def _functions_at(path: str, module: str, paths: Paths) -> dict[str, Function]:
    place = place_of(path, module, paths)
    return dict(_functions(parsed_module(paths.read(place) or b""))) if place is not None else {}


def _functions(tree: ast.Module | None) -> Iterator[tuple[str, Function]]:
    for node in tree.body if tree is not None else ():
        match node:
            case ast.FunctionDef(name=name):
                yield name, node
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() as value):
                yield name, value


def _inner(tree: Function) -> Iterator[Function]:
    """What a function gives that makes decorators."""
    if isinstance(tree, ast.Lambda):
        yield from (tree.body,) if isinstance(tree.body, ast.Lambda) else ()
        return
    defined = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    for each in tree.body:
        match each:
            case ast.Return(value=ast.Name(id=name)) if name in defined:
                yield defined[name]
            case ast.Return(value=ast.Lambda() as value):
                yield value


def _drops(tree: Function) -> bool:
    """It has one argument, of which nothing is left."""
    given = [*tree.args.posonlyargs, *tree.args.args]
    if not given or isinstance(tree, ast.AsyncFunctionDef):
        return False
    name = given[0].arg
    if isinstance(tree, ast.Lambda):
        return _is_nothing(tree.body)
    nodes = [part for each in tree.body for part in walk(each)]
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Yield, ast.YieldFrom, ast.Raise)
    if any(isinstance(each, inner) for each in nodes) or _keeps(name, nodes):
        return False
    return all(each.value is None or _is_nothing(each.value) for each in nodes if isinstance(each, ast.Return))


def _keeps(name: str, nodes: list[ast.AST]) -> bool:
    """The function is called, handed to something or stored."""
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id=called)) if called == name:
                return True
            case ast.Call(args=arguments, keywords=keywords) if not TELLS.search(name_of(node)):
                given = (*arguments, *(each.value for each in keywords))
                if any(re.search(rf"\b{re.escape(name)}\b", source_of(each)) for each in given):
                    return True
            case ast.Assign(targets=[target], value=value) if source_of(target) != "_":
                if any(isinstance(part, ast.Name) and part.id == name for part in walk(value)):
                    return True
    return False


def _is_nothing(value: ast.expr) -> bool:
    """It cannot be called."""
    written = isinstance(value, ast.Constant | ast.JoinedStr | ast.List | ast.Tuple | ast.Dict | ast.Set | ast.Compare)
    return written or (isinstance(value, ast.Attribute) and value.attr in ("__doc__", "__name__"))
