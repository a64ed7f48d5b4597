"""How much a Python assertion demands (policy set v2, class G05; the grades are those of `inventory.model`).

Rules:

- `==` and `is` with a value are EXACT; with True they are as much as truth itself, with None or an empty value as much
  as falsehood. `pytest.approx`, `math.isclose` and their like are CLOSE, or SHAPE if they allow more than one percent.
- `len(x) == 2`, `type(x) is T`, `in`, `<`, `isinstance`, `startswith` tell the SHAPE; `!=`, `is not None` and truth
  only that something EXISTS. `not` turns what demands much into what demands little.
- `a and b` is two assertions, `a or b` no more than SHAPE: one of several values. `all(...)` is what it asks of each.
- NOTHING: constants, a tuple or lambda (always true), `x == x`, a comparison with NaN or an infinity, `len(x) >= 0`,
  `isinstance(x, object)`, `"" in x`, `startswith("")`, the pattern `.*`, `mock.ANY`, `x or True`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from ralph.guardrails.inventory.model import FITS_ALL, Grade
from ralph.guardrails.python.assertions.comparing import DEFAULT_TOLERANCE, compared, equality, within
from ralph.guardrails.python.claims import Claim, fits_all, is_constant, is_expected, name_of, source_of, text
from ralph.guardrails.python.constants import constant
from ralph.record import replace
from ralph.system.patterns import later

SHAPES = later(
    r"(?:^|\.)(?:isinstance|issubclass|hasattr|callable|startswith|endswith|contains|has_key|isdigit|exists|is_file|is_dir)$"
)
PATTERNS = later(r"(?:^|\.)(?:match|search|fullmatch|fnmatch|findall)$")
CLOSENESS = later(r"(?:^|\.)(?:isclose|allclose|is_close|array_almost_equal)$")
LAZY = frozenset({"map", "filter", "zip", "enumerate", "reversed", "iter"})
"""Built-in functions whose result is true, whatever comes of it."""
WAITS = later(r"\.wait(?:_for)?$")
EQUALITY = later(r"(?:^|\.)(?:array_equal|equals|array_equiv|deep_equal)$")


def claims(tree: ast.expr) -> Iterator[Claim]:
    """What `assert tree` demands."""
    match tree:
        case ast.BoolOp(op=ast.And(), values=parts):
            for part in parts:
                yield from claims(part)
        case ast.BoolOp(op=ast.Or(), values=parts):
            yield _either(tree, [list(claims(part)) for part in parts])
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield _denied(operand)
        case ast.Compare(
            left=ast.UnaryOp(op=ast.Not()) as left,
            ops=[ast.Is() | ast.Eq()],
            comparators=[ast.Constant(value=bool() as positive)],
        ):
            yield from claims(left if positive else left.operand)
        case ast.Compare():
            yield from compared(tree)
        case ast.Call():
            yield _called(tree)
        case ast.IfExp(test=condition, body=body, orelse=other):
            yield _either(tree, [list(claims(body)), list(claims(other))], str(text(condition)))
        case ast.NamedExpr(value=value):
            yield from claims(value)
        case _:
            yield _truth(tree)


def _denied(tree: ast.expr) -> Claim:
    """`not x`: an empty or missing value is nearly exact, the opposite of a demand is little."""
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        return _first(tree.operand)
    inner = _first(tree)
    opposite = {"==": "!=", "in": "not in", "!=": "==", "not in": "in", "true": "false"}.get(inner.relation)
    if isinstance(tree, ast.Constant):
        return replace(inner, grade=Grade.NOTHING)
    if inner.relation == "true":
        return Claim(inner.subject, "false", "", Grade.CLOSE)
    if isinstance(tree, ast.Compare) and opposite == "==":
        return equality(tree.left, tree.comparators[0])
    grade = Grade.NOTHING if inner.grade is Grade.NOTHING and inner.relation not in ("true", "in") else Grade.EXISTS
    if isinstance(tree, ast.Compare) and inner.relation in ("<", ">", "not in"):
        grade = Grade.SHAPE
    return Claim(inner.subject, opposite or f"not {inner.relation}", inner.wanted, grade, inner.known)


def _first(tree: ast.expr) -> Claim:
    return next(claims(tree))


def _either(tree: ast.expr, parts: list[list[Claim]], condition: str = "") -> Claim:
    always = any(len(part) == 1 and part[0].relation == "constant" and part[0].wanted == "true" for part in parts)
    if always or condition in ("True", "False"):
        return Claim(source_of(tree), "or", "", Grade.NOTHING, why="one side always holds")
    least = min(min((claim.grade for claim in part), default=Grade.NOTHING) for part in parts)
    return Claim(source_of(tree), "if" if condition else "or", "", min(least, Grade.SHAPE))


def _truth(tree: ast.expr) -> Claim:
    """A bare expression."""
    written = text(tree)
    if isinstance(tree, ast.Constant):
        return Claim(written, "constant", "true" if tree.value else "false", Grade.NOTHING, why="it is a constant")
    if isinstance(tree, ast.Tuple | ast.List | ast.Dict | ast.Set):
        wanted = "true" if _has_parts(tree) else "false"
        return Claim(written, "constant", wanted, Grade.NOTHING, why="a collection with something in it is true")
    lazy = isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id in LAZY
    if lazy or isinstance(tree, ast.Lambda | ast.GeneratorExp | ast.JoinedStr):
        return Claim(written, "constant", "true", Grade.NOTHING, why="it is always true")
    if is_constant(tree):
        return Claim(
            written, "constant", "true" if constant(written) else "false", Grade.NOTHING, why="it is a constant"
        )
    return Claim(written, "true", "", Grade.EXISTS)


def _has_parts(tree: ast.expr) -> bool:
    return bool(getattr(tree, "elts", None) or getattr(tree, "keys", None))


def _called(tree: ast.Call) -> Claim:
    name, arguments = name_of(tree), tree.args
    for pattern, reader in CALLS:
        if pattern.search(name) and (claim := reader(tree, name, arguments)) is not None:
            return claim
    return _truth(tree)


def _each(tree: ast.Call, name: str, arguments: list[ast.expr]) -> Claim | None:
    """`all(...)` and `any(...)`."""
    match arguments:
        case [ast.GeneratorExp(elt=element, generators=[ast.comprehension(iter=items), *_])] | [
            ast.ListComp(elt=element, generators=[ast.comprehension(iter=items), *_])
        ]:
            inner = _first(element)
            if name == "all" and _holds_nothing(items):
                return Claim(text(tree), name, "", Grade.NOTHING, why="there is nothing to look at")
            grade = inner.grade if name == "all" else min(inner.grade, Grade.SHAPE)
            return Claim(text(tree), "==" if name == "all" else "any", "", grade, inner.known)
        case [ast.List(elts=parts) | ast.Tuple(elts=parts)]:
            grades = [claim.grade for part in parts for claim in claims(part)]
            least = min(grades, default=Grade.NOTHING if name == "all" else Grade.EXACT)
            return Claim(text(tree), name, "", least if name == "all" else min(least, Grade.SHAPE))
    return None


def _holds_nothing(items: ast.expr) -> bool:
    """An empty list, or what ends with one: `zip(got, [])`."""
    if isinstance(items, ast.Call) and name_of(items) in ("zip", "product", "itertools.product"):
        return any(map(_holds_nothing, items.args))
    if isinstance(items, ast.Call) and name_of(items) in ("enumerate", "reversed", "sorted", "list", "tuple", "set"):
        return bool(items.args) and _holds_nothing(items.args[0])
    return isinstance(items, ast.List | ast.Tuple) and not items.elts


def _typed(tree: ast.Call, name: str, arguments: list[ast.expr]) -> Claim | None:
    last = arguments[-1] if arguments else None
    nothing = (isinstance(last, ast.Constant) and last.value == "") or (last is not None and text(last) == "object")
    subject = text(arguments[0]) if len(arguments) > 1 else name
    why = "it holds for everything" if nothing else ""
    known = last is not None and is_constant(last)
    return Claim(
        subject, name.rpartition(".")[2], text(last), Grade.NOTHING if nothing else Grade.SHAPE, known, why=why
    )


def _pattern(tree: ast.Call, name: str, arguments: list[ast.expr]) -> Claim | None:
    pattern = arguments[0] if arguments else None
    if fits_all(pattern):
        return Claim(text(tree), "matches", "", Grade.NOTHING, why=FITS_ALL)
    relation = "fullmatch" if name.endswith("fullmatch") else "matches"
    return Claim(text(arguments[-1]) if arguments else name, relation, text(pattern), Grade.SHAPE)


def _close(tree: ast.Call, name: str, arguments: list[ast.expr]) -> Claim | None:
    if len(arguments) < 2:
        return None
    left, right = arguments[:2]
    subject, wanted = (right, left) if is_expected(left) and not is_expected(right) else (left, right)
    if text(left) == text(right):
        return Claim(text(left), "~", text(right), Grade.NOTHING, why="both sides are the same")
    return within(text(subject), wanted, tree, DEFAULT_TOLERANCE.get(name.rpartition(".")[2], 1e-6))


def _same(tree: ast.Call, name: str, arguments: list[ast.expr]) -> Claim | None:
    if len(arguments) == 1 and isinstance(tree.func, ast.Attribute):
        return equality(tree.func.value, arguments[0])
    return equality(*arguments[:2]) if len(arguments) > 1 else None


def _waited(tree: ast.Call, name: str, arguments: list[ast.expr]) -> Claim | None:
    """`event.wait(timeout=2)` tells whether it happened."""
    limited = bool(arguments) or any(each.arg == "timeout" for each in tree.keywords)
    return Claim(text(tree), "true", "", Grade.CLOSE) if limited else None


Reader = Callable[[ast.Call, str, list[ast.expr]], Claim | None]
CALLS: tuple[tuple[re.Pattern[str], Reader], ...] = (
    (later(r"^(?:all|any)$"), _each),
    (CLOSENESS, _close),
    (EQUALITY, _same),
    (SHAPES, _typed),
    (PATTERNS, _pattern),
    (WAITS, _waited),
)
