"""How much a comparison demands (see `strength`): which side is wanted, and how close to it the other must be."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.python.assertions.matchers import ANYTHING, MATCHER, demanded
from ralph.guardrails.python.claims import Claim, is_constant, is_expected, name_of, number, text, tolerance
from ralph.guardrails.python.constants import constant
from ralph.record import replace
from ralph.system.patterns import later

RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<",
    ast.Gt: ">",
    ast.GtE: ">",
    ast.Is: "==",
    ast.IsNot: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
}
MIRRORED = {"<": ">", ">": "<"}
PROJECTIONS = later(
    r"^(?:len|type|bool|int|hash|id|callable|isinstance|hasattr|issubclass)\("
    r"|(?<=[\w)\]}'\"])\[(?:[^\[\]:'\"]|'[^'\n]*'|\"[^\"\n]*\")*:[^\[\]]*\]$"
)
"""What tells a part of the truth only: a length, a slice. A colon in a text, or in a list that is made, is none."""
OF_EACH = r"^[\[{{(]+(?:[^{{}}()\[\],]*: )?(?:{})\((?![^()]*(?:\([^()]*\)[^()]*)*, (?:ndigits=)?[1-9]\d*\))"
PROJECTED = later(OF_EACH.format("round|len|type|bool|abs"))
CUT_OFF = later(OF_EACH.format("int|round|str"))
"""The same of each element; whole numbers where both sides are made such."""
ROUNDED = later(r", (?:ndigits=)?[1-9]\d*\)$")
SNAPSHOTS = frozenset({"snapshot", "inline_snapshot.snapshot"})
TOLERANCES = (("rel", "rel_tol", "rtol"), ("abs", "abs_tol", "atol"))
DEFAULT_TOLERANCE = {"approx": 1e-6, "isclose": 1e-9, "allclose": 1e-5, "is_close": 1e-9}


def compared(tree: ast.Compare) -> Iterator[Claim]:
    """What a comparison demands, each part of a chain by itself: `a == b == 1` is `a == 1` and `b == 1`."""
    operands = [tree.left, *tree.comparators]
    if len(operands) > 2 and all(isinstance(each, ast.Eq) for each in tree.ops) and is_constant(operands[-1]):
        yield from (equality(each, operands[-1]) for each in operands[:-1])
        return
    for left, operator, right in zip(operands, tree.ops, operands[1:], strict=False):
        relation = RELATIONS[type(operator)]
        if relation == "==":
            yield equality(left, right)
        elif relation in ("<", ">"):
            yield _ordered(left, relation, right, beyond=isinstance(operator, ast.Lt | ast.Gt))
        elif relation in ("in", "not in"):
            yield _member(left, relation, right)
        else:
            yield _differs(left, right)


def equality(left: ast.expr, right: ast.expr) -> Claim:
    """What `left == right` demands."""
    left, right = unwrapped(left), unwrapped(right)
    if text(left) == text(right) or _named_here(left) == text(right):
        return Claim(text(left), "==", text(right), Grade.NOTHING, why="both sides are the same")
    if is_constant(left) and is_constant(right):
        holds = constant(text(left)) == constant(text(right))
        if holds and isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
            return Claim(text(left), "==", text(right), Grade.NOTHING, why="both sides are constants")
    subject, wanted = (right, left) if is_expected(left) and not is_expected(right) else (left, right)
    if ANYTHING.search(text(wanted)) or ANYTHING.search(text(subject)):
        return Claim(text(subject), "==", "ANY", Grade.NOTHING, why="it is compared with anything")
    for near, other in ((wanted, subject), (subject, wanted)):
        if isinstance(near, ast.Call) and near.args and name_of(near).rpartition(".")[2] == "approx":
            return _approximately(near, other)
    if text(subject) in fallbacks(wanted) or text(wanted) in fallbacks(subject):
        return Claim(text(subject), "==", text(wanted), Grade.EXISTS, why="what is wanted may be the result itself")
    if isinstance(subject, ast.Compare) and text(wanted) == "True":
        return next(compared(subject))
    return _equal(text(subject), wanted)


def fallbacks(tree: ast.expr) -> frozenset[str]:
    """What an expression may be instead: `WANTED.get(name, result)`, `wanted or result`."""
    match tree:
        case ast.BoolOp(op=ast.Or(), values=values):
            return frozenset(map(text, values))
        case ast.IfExp(body=one, orelse=other):
            return frozenset((text(one), text(other)))
        case (
            ast.Call(func=ast.Attribute(attr="get" | "pop" | "setdefault"), args=[_, default])
            | ast.Call(func=ast.Name(id="getattr"), args=[_, _, default])
            | ast.Call(func=ast.Name(id="next"), args=[_, default])
        ):
            return frozenset((text(default),))
    return frozenset()


def _approximately(near: ast.Call, other: ast.expr) -> Claim:
    """What `other == approx(...)` demands, on whichever side what is measured stands."""
    inner = near.args[0]
    if text(inner) == text(other):
        return Claim(text(other), "~", text(other), Grade.NOTHING, why="both sides are the same")
    subject, wanted = (inner, other) if is_expected(other) and not is_expected(inner) else (other, inner)
    return within(text(subject), wanted, near, DEFAULT_TOLERANCE["approx"])


def _named_here(tree: ast.expr) -> str | None:
    """The `x` of `(x := ...)`."""
    return tree.target.id if isinstance(tree, ast.NamedExpr) else None


def unwrapped(tree: ast.expr) -> ast.expr:
    """The value inside `snapshot(...)`, which a tool writes, or of `(x := ...)` if it is a constant."""
    if isinstance(tree, ast.NamedExpr) and is_constant(tree.value):
        return tree.value
    if isinstance(tree, ast.Call) and len(tree.args) == 1 and name_of(tree) in SNAPSHOTS:
        return tree.args[0]
    return tree


def _equal(subject: str, wanted: ast.expr) -> Claim:
    written, known = text(wanted), is_constant(wanted)
    if MATCHER.match(written) or (subject.endswith(("call_count", "await_count")) and written != "0"):
        return Claim(subject, "==", written, Grade.SHAPE, known)
    if written in ("float('nan')", "math.nan", "np.nan", "nan"):
        return Claim(subject, "==", written, Grade.EXACT)
    if written == "True":
        return Claim(subject, "true", "", Grade.EXISTS, exactly=True)
    if written in ("False", "None", "[]", "{}", "()", "''", "set()", "dict()", "list()"):
        return Claim(subject, "==", written, Grade.CLOSE if written in ("False", "None") else Grade.EXACT)
    each = PROJECTED.search(subject) or (CUT_OFF.search(subject) and CUT_OFF.search(written))
    if PROJECTIONS.search(subject) or each:
        return Claim(subject, "==", written, Grade.SHAPE, known)
    if subject.startswith("round("):
        return Claim(subject, "==", written, Grade.CLOSE if ROUNDED.search(subject) else Grade.SHAPE, known)
    return Claim(subject, "==", written, demanded(wanted), known)


def _differs(left: ast.expr, right: ast.expr) -> Claim:
    subject, wanted = (right, left) if is_expected(left) else (left, right)
    written = text(wanted)
    if "nan" in written.lower():
        return Claim(text(subject), "!=", written, Grade.NOTHING, why="nothing equals NaN")
    if written == "None" and isinstance(subject, ast.Constant):
        return Claim(text(subject), "!=", written, Grade.NOTHING, why="it compares constants")
    if written in ("False", "[]", "{}", "''", "0", "()"):
        return Claim(text(subject), "true", "", Grade.EXISTS)
    return Claim(text(subject), "!=", written, Grade.EXISTS, is_constant(wanted))


def _ordered(left: ast.expr, relation: str, right: ast.expr, *, beyond: bool) -> Claim:
    """`beyond`: the bound itself is not enough."""
    if number(left) is not None and number(right) is None:
        left, relation, right = right, MIRRORED[relation], left
    subject, bound = text(left), number(right)
    if bound is None:
        nothing = subject == text(right)
        return Claim(subject, relation, text(right), Grade.NOTHING if nothing else Grade.SHAPE, known=False)
    difference = _difference(left) if relation == "<" else None
    if difference is not None:
        inner, wanted = difference
        scale = abs(number(wanted) or 0.0)
        return tolerance(text(inner), text(wanted), bound / scale if scale else bound)
    if relation == ">" and isinstance(left, ast.Call) and name_of(left) == "len" and left.args:
        least = bound + 1 if beyond else bound
        if least == 1:
            return Claim(text(left.args[0]), "true", "", Grade.EXISTS)
        if least <= 0:
            bound = -math.inf
    if abs(bound) == math.inf:
        return Claim(subject, relation, "", Grade.NOTHING, slack=math.inf, why="it always holds")
    return Claim(subject, relation, "", Grade.SHAPE, slack=bound if relation == "<" else -bound)


def _difference(tree: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """The two sides of `abs(a - b)`."""
    match tree:
        case ast.Call(func=ast.Name(id="abs"), args=[ast.BinOp(left=left, op=ast.Sub(), right=right)]):
            return (right, left) if is_expected(left) else (left, right)
    return None


def _member(left: ast.expr, relation: str, right: ast.expr) -> Claim:
    written, place = text(left), text(right)
    if isinstance(left, ast.Constant) and left.value in ("", b""):
        return Claim(place, relation, written, Grade.NOTHING, why="the empty text is in every text")
    if isinstance(right, ast.Tuple | ast.List | ast.Set):  # one of several values
        if len(right.elts) == 1 and relation == "in":
            return equality(left, right.elts[0])
        return Claim(written, relation, place, Grade.SHAPE if relation == "in" else Grade.EXISTS, is_constant(right))
    return Claim(place, relation, written, Grade.SHAPE if relation == "in" else Grade.EXISTS, is_constant(left))


def within(subject: str, wanted: ast.expr, call: ast.Call, default: float) -> Claim:
    """What equality within the tolerance that a call gives demands."""
    given = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    if name_of(call).endswith("approx"):
        given |= dict(zip(("rel", "abs"), call.args[1:], strict=False))
    tolerances = [next((given[name] for name in names if name in given), None) for names in TOLERANCES]
    relative, absolute = map(number, tolerances)
    scale = abs(number(wanted) or 0.0) or 1.0
    slack = max(0.0 if relative is None else relative, 0.0 if absolute is None else absolute / scale)
    slack = slack if relative is not None or absolute is not None else default
    guessed = any(each is not None and number(each) is None and text(each) != "None" for each in tolerances)
    return replace(tolerance(subject, text(wanted), slack, is_constant(wanted)), guessed=guessed)
