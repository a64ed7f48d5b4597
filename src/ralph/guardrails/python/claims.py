"""An assertion's claim, apart from where it stands, and the forms in which expressions are compared."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable
from typing import Any

from ralph.guardrails.inventory.model import FITS_ALL, Grade
from ralph.guardrails.inventory.texts.fitting import fits
from ralph.guardrails.inventory.wanted.values import is_made
from ralph.guardrails.python.constants import constant
from ralph.guardrails.python.trees import shape, walk
from ralph.guardrails.python.unparsing import unparsed
from ralph.record import record
from ralph.system.patterns import later

LOOSE = 0.01
"""A relative tolerance above this is no equality any more."""

BROAD = later(r"(?:^|[\s(,.])(?:Base)?Exception(?:[\s),]|$)|^\s*$|^object$")
EXPECTED_NAME = later(
    r"(?i)^(?:expected|want|wanted|exp|reference|golden|correct|target)(?:_\w+)?$|\w+_(?:expected|want)$"
)

VALUES = frozenset({"Decimal", "Fraction", "date", "datetime", "timedelta", "UUID", "complex", "frozenset"})
"""Types of which a value is written as a call."""
MADE = rf"(?:\w+\.)?(?:{'|'.join(sorted(VALUES))})\([^()\n]*\)"

COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


@record
class Claim:
    """An assertion apart from where it stands: see `inventory.model.Check`."""

    subject: str
    relation: str
    wanted: str
    grade: Grade
    known: bool = True
    slack: float | None = None
    why: str = ""
    parts: int = 1
    """How many assertions it does the work of: the kind of an exception and its message are two."""
    exactly: bool = False
    guessed: bool = False


def tolerance(subject: str, wanted: str, slack: float, known: bool = True) -> Claim:
    """What equality within a relative tolerance demands."""
    if not slack < math.inf:
        return Claim(subject, "~", wanted, Grade.NOTHING, known, slack, "any value is close enough")
    grade = Grade.CLOSE if slack <= LOOSE else Grade.SHAPE
    return Claim(subject, "~", wanted, grade, known, slack, "" if grade is Grade.CLOSE else "the tolerance is wide")


def fits_all(pattern: ast.expr | None) -> bool:
    """A text that is a regular expression for every text."""
    return isinstance(pattern, ast.Constant) and isinstance(pattern.value, str) and fits(pattern.value)


def raised(subject: str, kinds: str, pattern: ast.expr | None, relation: str = "raises") -> Claim:
    """What `raises(kinds, match=pattern)`, or `warns`, demands of the code `subject`."""
    narrow = pattern is not None and not fits_all(pattern)
    wanted = f"{kinds} {text(pattern)}" if narrow and pattern is not None else kinds
    if is_broad(kinds):
        grade = Grade.SHAPE if narrow else Grade.EXISTS
        return Claim(subject, relation, wanted, grade, why="" if narrow else "any exception will do", parts=1 + narrow)
    why = FITS_ALL if pattern is not None and not narrow else ""
    return Claim(subject, relation, wanted, Grade.EXACT if narrow else Grade.CLOSE, why=why, parts=1 + narrow)


def is_broad(kinds: str) -> bool:
    """Names an exception that everything, or a failing assertion, is."""
    return BROAD.search(kinds) is not None


def source_of(tree: ast.AST) -> str:
    """The code of a tree. Not every tree that is put together can be written, nor one that is nested very deeply: its
    structure tells it apart, too."""
    try:
        return unparsed(tree)
    except (ValueError, RecursionError):
        return shape(tree)


def text(tree: ast.expr | None) -> str:
    """In one form, with constants worked out."""
    if tree is None:
        return ""
    written = source_of(tree)
    if isinstance(tree, ast.BinOp | ast.JoinedStr | ast.UnaryOp):
        value = constant(written)
        return written if value is None else repr(value)
    return written


def number(tree: ast.expr | None) -> float | None:
    """The value of a constant number."""
    if tree is None:
        return None
    written = text(tree)
    if re.fullmatch(r"-?(?:math|np|numpy)\.inf|-?float\(['\"][-+]?inf(?:inity)?['\"]\)", written):
        return -math.inf if written.startswith("-") or "'-" in written else math.inf
    value = constant(written)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def is_expected(tree: ast.expr) -> bool:
    """Looks like the side that is wanted: a constant, or a name that says so."""
    if isinstance(tree, ast.Call) and name_of(tree).rpartition(".")[2] == "approx":
        return True
    if isinstance(tree, ast.Call) and not is_constant(tree):
        return is_made(source_of(tree))
    return is_constant(tree) or (isinstance(tree, ast.Name) and bool(EXPECTED_NAME.match(tree.id)))


def is_constant(tree: ast.expr) -> bool:
    return not any(isinstance(part, ast.Name | ast.Call | ast.Attribute | ast.Await) for part in walk(tree))


def is_value(tree: ast.expr) -> bool:
    """A constant, be it made of another one: `Decimal("9.00")`, `date(2024, 3, 1)`."""
    match tree:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[_, *_] as args, keywords=[]):
            return name in VALUES and all(map(is_value, args))
        case ast.Call(func=ast.Name(id="timedelta") | ast.Attribute(attr="timedelta"), keywords=keywords):
            return all(is_value(each.value) for each in keywords)
    return is_constant(tree)


def name_of(call: ast.Call) -> str:
    return source_of(call.func)


def constant_value(tree: ast.expr) -> tuple[object] | None:
    """The value of a constant expression, as a tuple of one; None if it has none that is known."""
    if isinstance(tree, ast.Constant):
        return (tree.value,)
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        inner = constant_value(tree.operand)
        return None if inner is None else (not inner[0],)
    if isinstance(tree, ast.BoolOp):
        values = [constant_value(part) for part in tree.values]
        decisive = [value for value in values if value and bool(value[0]) is isinstance(tree.op, ast.Or)]
        return decisive[0] if decisive else values[-1] if None not in values else None
    if isinstance(tree, ast.Name) and tree.id in ("TYPE_CHECKING", "MYPY"):
        return (False,)
    if isinstance(tree, ast.List | ast.Tuple | ast.Dict) and is_constant(tree):
        return (bool(source_of(tree).strip("[](){},")),)
    if isinstance(tree, ast.Compare) and is_constant(tree):
        return _comparison(tree)
    value = constant(source_of(tree))
    return None if value is None else (value,)


def _comparison(tree: ast.Compare) -> tuple[object] | None:
    """`1 == 2`, and nothing more complicated."""
    if len(tree.ops) != 1:
        return None
    left, right = number(tree.left), number(tree.comparators[0])
    compare = COMPARE.get(type(tree.ops[0]))
    return None if left is None or right is None or compare is None else (compare(left, right),)


def same_as_written(tree: ast.expr) -> bool:
    """Both sides read the same before names are written out: nothing happens between them."""
    sides = [tree.left, *tree.comparators] if isinstance(tree, ast.Compare) else []
    sides = tree.args[:2] if isinstance(tree, ast.Call) else sides
    return len(sides) == 2 and source_of(sides[0]) == source_of(sides[1])
