"""Why is a test skipped: for the sake of the platform it runs on, or for the sake of a green run?

Rules (policy set v2, class G02):

- A condition is tried on common platforms and Python versions. True on all of them is no condition at all.
- A condition about the platform, the version or a dependency that is missing is for a person to judge.
- Every other one (an environment variable, a command line option, something unknown) is a skip.
- `a and b` is as narrow as its narrower half, `a or b` as wide as its wider one, and wider than `a` was.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import pairwise
from typing import Any

from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.names import Names
from ralph.guardrails.python.skipped.gone import GONE
from ralph.guardrails.python.trees import parsed_expression, walk
from ralph.guardrails.python.words import Node
from ralph.system.patterns import later


class Verdict(IntEnum):
    """From harmless to a plain skip."""

    NEVER = 0
    PLATFORM = 1
    OTHER = 2
    ALWAYS = 3


MANY = 6
"""A name that is given more values than this is not a condition that anybody can read."""

VERSIONS = ((3, 9), (3, 11), (3, 13), (3, 15))
WORLDS: tuple[Mapping[str, object], ...] = tuple(
    {
        "sys.platform": name,
        "os.name": "nt" if name == "win32" else "posix",
        "platform.system()": {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}[name],
        "sys.version_info": (*version, 1, "final", 0),
        "sys.version_info.major": version[0],
        "sys.version_info.minor": version[1],
        "sys.maxsize": 2**63 - 1,
    }
    for name in ("linux", "darwin", "win32")
    for version in VERSIONS
)
ON_LINUX = [world["sys.platform"] == "linux" for world in WORLDS]
"""What holds there alone is no matter of the platform: it is where checks run."""
_AMBIENT = later(r"\benviron|\bgetenv|getoption|\bargv\b|sys\.modules")
_PLATFORM = later(
    r"\bsys\.(?:platform|version|version_info|implementation|maxsize|maxunicode|byteorder|hexversion|abiflags|flags)\b"
    r"|\bos\.(?:name|uname|get[eu]+id)\b|\bplatform\.\w|\bsysconfig\.\w|__version__|\bVERSION\b"
)
_PRESENCE = later(
    r"find_spec\(|\bwhich\(|find_library\(|is_available\(|has_ipv6|\bos\.access\("
    r"|hasattr\((?:os|sys|socket|signal|select|time|ssl|asyncio|typing|ctypes|resource)\b"
)
"""Asks whether something is there: fine when its absence skips, a plain skip when its presence does."""

_PLACE_NAME = later(
    r"(?i)(?:\w*_)?(?:(?:ms)?win(?:dows|32|64)?|linux|mac(?:os)?|osx|darwin|posix|(?:free|open|net)?bsd|aix|solaris|cygwin"
    r"|android|ios|wasm|wasi|emscripten|musl|glibc|arm\d*|x86|(?:32|64)_?bit|pypy|cpython|py_?2\d*|py_?3_?\d+|python_?\d+"
    r"|version)(?:_\w*)?"
)
_PRESENT_NAME = later(r"(?i)_?(?:has|have|with|can)_\w+|\w*(?:available|installed|supports?\w*|supported)")
_ABSENT_NAME = later(r"(?i)_?(?:no|not|without|missing|lacks?)_\w+|\w+_(?:missing|unavailable)")
"""What other modules call their findings about the machine: IS_WINDOWS, HAS_NUMPY, NO_IPV6."""

_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}


class UnknownError(Exception):
    """The value cannot be told from the text."""


def judge(names: Names, node: Node, *, negated: bool = False) -> Verdict:
    """What it means that something is skipped when the expression `node` is true (false, if negated)."""
    tree = _read(names, node)
    return Judge(names, node).verdict(tree, negated) if tree is not None else Verdict.OTHER


def besides(names: Names, node: Node, *, negated: bool = False) -> Sequence[Verdict]:
    """What the parts of a condition mean that are enough by themselves, but for the worst: each makes it wider."""
    tree = _read(names, node)
    parts = () if tree is None else tuple(Judge(names, node).verdict(*part) for part in _parts(tree, negated))
    return sorted((verdict for verdict in parts if verdict is not Verdict.NEVER), key=int)[:-1]


def _read(names: Names, node: Node) -> ast.expr | None:
    text = names.source.text(node)
    if node.type in ("string", "concatenated_string") and isinstance(value := names.constant(node), str):
        text = value or "False"
    return parsed_expression(text)


def _parts(tree: ast.expr, negated: bool) -> Iterator[tuple[ast.expr, bool]]:
    match tree:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _parts(operand, not negated)
        case ast.BoolOp() if isinstance(tree.op, ast.And if negated else ast.Or):
            for part in tree.values:
                yield from _parts(part, negated)
        case ast.Call(func=ast.Name(id="any"), args=[ast.List() | ast.Tuple() as each]) if not negated:
            for part in each.elts:
                yield from _parts(part, negated)
        case _:
            yield tree, negated


class Judge:
    """Reads one condition; `place` is the node whose scope its names are looked up in."""

    def __init__(self, names: Names, place: Node, depth: int = 5) -> None:
        self._names = names
        self._place = place
        self._depth = depth
        self._written: dict[ast.expr, str] = {}

    def verdict(self, tree: ast.expr, negated: bool = False) -> Verdict:
        """Of a whole condition, by its parts."""
        if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
            return self.verdict(tree.operand, not negated)
        if isinstance(tree, ast.Call) and source_of(tree.func) == "bool" and len(tree.args) == 1:
            return self.verdict(tree.args[0], negated)
        try:
            told = [bool(self._value(tree, world)) != negated for world in WORLDS]
        except (UnknownError, TypeError, LookupError, RecursionError):
            return self._unknown(tree, negated)
        if all(told):
            return Verdict.ALWAYS
        if told == ON_LINUX:
            return Verdict.OTHER
        return Verdict.PLATFORM if any(told) or self._asks(tree) else Verdict.NEVER

    def _unknown(self, tree: ast.expr, negated: bool) -> Verdict:
        if isinstance(tree, ast.BoolOp):
            parts = [self.verdict(part, negated) for part in tree.values]
            return min(parts) if isinstance(tree.op, ast.And) != negated else max(parts)
        if isinstance(tree, ast.Name):
            return self._name(tree.id, negated)
        text = self._canonical(tree)
        if _AMBIENT.search(text):
            return Verdict.OTHER
        match tree:
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]):
                return self.verdict(left, negated != isinstance(op, ast.Is))
            case ast.Compare(left=ast.Name() as left) if not _PLATFORM.search(text):
                return min(self._name(left.id, negated), Verdict.OTHER)
        if _PRESENCE.search(text):
            return Verdict.PLATFORM if negated else Verdict.OTHER
        if _PLATFORM.search(text):
            return Verdict.PLATFORM
        return _told_by(tree.attr, negated) if isinstance(tree, ast.Attribute) else Verdict.OTHER

    def _name(self, name: str, negated: bool) -> Verdict:
        """A name is what it was given in this file."""
        missing = self._names.when_missing(name, self._place)
        if missing is not None:
            return Verdict.PLATFORM if missing != negated else Verdict.OTHER
        values = self._names.values(name, self._place)
        if all(isinstance(value, str) for value in values):
            return _told_by(name, negated)
        if self._depth == 0 or len(values) > MANY:
            return Verdict.OTHER
        return max(self._given(value, negated) for value in values)

    def _given(self, value: object, negated: bool) -> Verdict:
        if not isinstance(value, Node):
            return Verdict.OTHER
        tree = parsed_expression(self._names.source.text(value))
        return Judge(self._names, value, self._depth - 1).verdict(tree, negated) if tree is not None else Verdict.OTHER

    def _asks(self, tree: ast.expr) -> bool:
        return bool(_PLATFORM.search(self._canonical(tree)))

    def _canonical(self, tree: ast.expr) -> str:
        """The text with imported names written out, and with the file's own names marked as such."""
        if tree not in self._written:  # it is asked for once for each world
            self._written[tree] = self._write(tree)
        return self._written[tree]

    def _write(self, tree: ast.expr) -> str:
        text = source_of(tree)
        for name in {part.id for part in walk(tree) if isinstance(part, ast.Name)}:
            path = self._path(name)
            if path != name:
                text = re.sub(rf"(?<![\w.]){re.escape(name)}\b", path.replace("\\", ""), text)
        return text

    def _path(self, name: str) -> str:
        """What a name is imported as: `sys.version_info` for a `v`; a class called `sys` is not the module."""
        values = self._names.values(name, self._place)
        first = values[0] if values else name
        return first if isinstance(first, str) and set(values) <= {first} else f"own_{name}"

    def _value(self, tree: ast.expr, world: Mapping[str, object]) -> Any:
        match tree:
            case ast.Constant():
                return tree.value
            case ast.Tuple() | ast.List() | ast.Set():
                return tuple(self._value(part, world) for part in tree.elts)
            case ast.Compare():
                return self._compare(tree, world)
            case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return self._logic(tree, world)
            case ast.Subscript(slice=ast.Slice() as cut):
                ends = [None if end is None else self._value(end, world) for end in (cut.lower, cut.upper, cut.step)]
                return self._value(tree.value, world)[slice(*ends)]
            case ast.Subscript():
                return self._value(tree.value, world)[self._value(tree.slice, world)]
            case ast.Call() if (found := self._called(tree, world)) is not None:
                return found
        text = self._canonical(tree)
        if text in world:
            return world[text]
        raise UnknownError

    def _called(self, tree: ast.Call, world: Mapping[str, Any]) -> Any:
        match tree:
            case ast.Call(func=ast.Attribute(value=owner, attr="startswith" | "endswith" | "lower" as method)):
                text = self._value(owner, world)
                if isinstance(text, str):
                    return getattr(text, method)(*(self._value(part, world) for part in tree.args))
            case ast.Call(func=ast.Name(id="len"), args=[part]):
                return len(self._value(part, world))
            case ast.Call(func=ast.Name(id="hasattr"), args=[owner, ast.Constant(value=str() as name)]):
                gone = GONE.get(f"{self._canonical(owner)}.{name}")
                return None if gone is None else world["sys.version_info"] < gone
        return None

    def _compare(self, tree: ast.Compare, world: Mapping[str, object]) -> bool:
        values = [self._value(part, world) for part in (tree.left, *tree.comparators)]
        return all(_COMPARE[type(op)](*pair) for op, pair in zip(tree.ops, pairwise(values), strict=True))

    def _logic(self, tree: ast.BoolOp | ast.UnaryOp, world: Mapping[str, object]) -> bool:
        if isinstance(tree, ast.UnaryOp):
            return not self._value(tree.operand, world)
        parts = (bool(self._value(part, world)) for part in tree.values)
        return all(parts) if isinstance(tree.op, ast.And) else any(parts)


def _told_by(name: str, negated: bool) -> Verdict:
    """A name from elsewhere can only tell by how it is called."""
    if _ABSENT_NAME.fullmatch(name):
        return Verdict.OTHER if negated else Verdict.PLATFORM
    if _PRESENT_NAME.fullmatch(name):
        return Verdict.PLATFORM if negated else Verdict.OTHER
    return Verdict.PLATFORM if _PLACE_NAME.fullmatch(name) else Verdict.OTHER
