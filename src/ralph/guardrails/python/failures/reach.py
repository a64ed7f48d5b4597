"""Under what circumstances a statement of a Python test runs, and whether its failure is felt."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from ralph.guardrails.inventory.model import SWALLOWED, Check, Grade
from ralph.guardrails.python.claims import constant_value, name_of, source_of
from ralph.guardrails.python.rows.cutting import length_of
from ralph.guardrails.python.trees import children, walk
from ralph.record import record, replace
from ralph.system.patterns import later

PLATFORM = later(
    r"(?i)\b(?:sys|os|platform|sysconfig)\.(?:platform|name|version_info|implementation|machine|system)\b"
    r"|\b(?:is_|on_)?(?:windows|win32|linux|macos?|darwin|pypy|cpython|py_?[23]\d*)\b|version_info"
    r"|\b(?:x86_64|amd64|aarch64|arm64|i[36]86)\b"
)
FAILS = later(r"(?:^|\.)(?:fail|exit|_exit)$")
NEVER = "it is never reached"
SIEVES = later(r"(?:^|\.)(?:filter|filterfalse|takewhile|dropwhile|compress)$")
SAME_VALUES = frozenset(("list", "tuple", "set", "sorted", "reversed", "enumerate", "iter"))
Given = Callable[[str, int], tuple[int, ast.expr] | None]
"""What a name was last given before a line, and where."""
CONDITION = "it runs under a condition"
SOMEWHERE = "it runs on some platforms only"
LEAVES = {
    "swallowed": (Grade.NOTHING, SWALLOWED),
    "always": (Grade.NOTHING, NEVER),
    "platform": (Grade.CLOSE, SOMEWHERE),
    "sometimes": (Grade.EXISTS, CONDITION),
}
"""What is left for the statements behind one that leaves the block."""


@record
class Reach:
    """`cap` is the most that an assertion is worth there, `why` it is not more, `times` how many cases it runs for."""

    cap: Grade = Grade.EXACT
    why: str = ""
    times: int | None = 1

    def lowered(self, cap: Grade, why: str) -> Reach:
        return replace(self, cap=cap, why=why) if cap < self.cap else self

    def repeated(self, times: int | None) -> Reach:
        return replace(self, times=None if times is None or self.times is None else min(self.times * times, 10_000))


def capped(check: Check, cap: Grade, why: str, perhaps: bool = False) -> Check:
    """It is worth that much at most; of a low grade by itself, it may not run (`perhaps`)."""
    if check.grade > cap or (perhaps and check.grade is cap):
        return replace(check, grade=cap, why=why, perhaps=perhaps)
    return check


def in_arm(checks: list[Check], first: list[ast.stmt], number: int) -> list[Check]:
    """What stands in one of several branches of which `first` is the first, those of an inner condition apart."""
    place = first[0].lineno if first else 0
    return [each if each.arm else replace(each, arm=f"{place}:{number}") for each in checks]


def length(items: ast.expr) -> int | None:
    """How often a loop over these runs; None if nobody can tell."""
    match items:
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            return None if any(isinstance(each, ast.Starred) for each in elements) else len(elements)
        case ast.Dict(keys=keys) if None not in keys:
            return len(keys)
        case ast.Constant(value=str() | bytes() as value):
            return len(value)
        case ast.Call(func=ast.Attribute(value=ast.Dict(keys=keys), attr="items" | "keys" | "values")):
            return len(keys)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            return _length_of_call(name, arguments)
        case ast.Subscript(slice=ast.Slice(lower=None, upper=ast.Constant(value=0))):
            return 0
        case ast.Subscript(value=inner, slice=ast.Slice() as cut) if (number := length(inner)) is not None:
            return length_of(number, cut)
    return None


def in_rounds(loop: ast.For | ast.AsyncFor, number: int | None, reach: Reach, given: Given) -> Reach:
    """What the body of a loop that runs so often is worth."""
    if number == 0:
        return reach.lowered(Grade.NOTHING, "the loop is over nothing")
    sometimes = _as_often_as_answered(loop, given) or (number is None and is_sieved(loop.iter, loop.lineno, given))
    return (reach.lowered(*LEAVES["sometimes"]) if sometimes else reach).repeated(number)


def is_sieved(items: ast.expr, line: int, given: Given) -> bool:
    """Only some of other values are left of them, perhaps none: `[x for x in xs if x.paid]`, `filter(paid, xs)`."""
    match items:
        case ast.ListComp(generators=parts) | ast.SetComp(generators=parts) | ast.GeneratorExp(generators=parts):
            return any(each.ifs for each in parts)
        case ast.Call(args=[_, *_]) if SIEVES.search(name_of(items)):
            return True
        case ast.Call(func=ast.Name(id=name), args=[inner, *_]) if name in SAME_VALUES:
            return is_sieved(inner, line, given)
        case ast.Name(id=name) if (known := given(name, line)) is not None and known[0] < line:
            return is_sieved(known[1], known[0], given)
    return False


def _as_often_as_answered(loop: ast.For | ast.AsyncFor, given: Given) -> bool:
    """`result = f(); for _ in range(result): assert result == 3`: the number of rounds is what is asked for."""
    match loop.iter:
        case ast.Call(func=ast.Name(id="range"), args=[ast.Name(id=name)]):
            asked = any(isinstance(part, ast.Name) and part.id == name for part in parts(loop.body))
            known = given(name, loop.lineno) if asked else None
            return known is not None and any(isinstance(part, ast.Call) for part in walk(known[1]))
    return False


def pairs(items: ast.expr) -> tuple[str, ...]:
    """The lists that are gone through together, up to the end of the shorter one."""
    match items:
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]):
            return pairs(inner)
        case ast.Call(func=ast.Name(id="zip"), args=lists, keywords=keywords):
            strict = any(each.arg == "strict" and source_of(each.value) == "True" for each in keywords)
            return () if strict else tuple(source_of(_listed(each)) for each in lists)
    return ()


def _listed(items: ast.expr) -> ast.expr:
    """What is only made a list of."""
    match items:
        case ast.Call(func=ast.Name(id="list" | "tuple" | "iter"), args=[inner]):
            return _listed(inner)
    return items


def _length_of_call(name: str, arguments: list[ast.expr]) -> int | None:
    if name == "range" and arguments:
        ends = [value[0] for end in arguments if (value := constant_value(end)) and isinstance(value[0], int)]
        return _steps(ends) if len(ends) == len(arguments) else None
    if name in ("list", "tuple", "set", "dict", "iter") and not arguments:
        return 0
    if name in ("enumerate", "list", "tuple", "sorted", "reversed", "iter", "set"):
        return length(arguments[0]) if arguments else None
    if name == "zip":
        return min((number for each in arguments if (number := length(each)) is not None), default=None)
    return None


def _steps(ends: list[int]) -> int | None:
    """Of a range; of one without an end within reach, or that Python refuses to make, none."""
    try:
        return len(range(*ends))
    except (TypeError, ValueError, OverflowError):
        return None


def is_generator(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting += children(node)
    return False


def leaves(statements: list[ast.stmt]) -> bool:
    """Ends by leaving the block, not by failing."""
    return bool(statements) and isinstance(statements[-1], ast.Return | ast.Continue | ast.Break)


def fails(statements: list[ast.stmt]) -> bool:
    """Ends in a failure, whatever happens."""
    last = statements[-1] if statements else None
    return last is not None and (isinstance(last, ast.Raise) or is_failure(getattr(last, "value", last)))


def is_failure(node: ast.AST | None) -> bool:
    """`assert False`, `pytest.fail()`."""
    if isinstance(node, ast.Assert):
        return isinstance(node.test, ast.Constant) and not node.test.value
    return isinstance(node, ast.Call) and FAILS.search(name_of(node)) is not None


def rest_of(cases: Iterable[ast.match_case]) -> list[list[ast.stmt]]:
    """What is done with a value that fits no case: nothing, unless the last one fits all."""
    whole = any(isinstance(each.pattern, ast.MatchAs) and each.pattern.pattern is None for each in cases)
    return [] if whole else [[]]


def parts(statements: Iterable[ast.stmt]) -> Iterable[ast.AST]:
    """Everything in some statements."""
    return (part for each in statements for part in walk(each))
