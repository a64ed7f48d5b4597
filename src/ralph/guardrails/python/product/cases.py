"""Product code that has the answers of its tests (policy set v2, class G07).

Rules:

- A new branch that gives a constant for constant arguments blocks where a test has both, and they are more than a name
  for something: a number for a number or for a text with digits, or several values. Else it is for a person. Numbers
  and texts that stand for nothing in particular (0, 1, an empty text) do not count.
- Of several values, a number among them, it is enough that a test calls that very function with them: what it says of
  the answer (a sum, a length) follows from the constant.
- So does a branch that gives the answer's name a constant in its place, and one that mends a fraction that was computed
  into the one that a test wants: `if value == 11.88: value = 11.89`, `{11.88: 11.89}.get(value, value)`.
- A new table that answers before anything is computed is such a branch for each of its entries. It blocks, whatever
  stands in it, if it has nothing but what tests of the base ask and want: those were there, and were to be passed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator

from ralph.guardrails.common.product.asked import MOST_TESTS, TRIVIAL, anywhere, asks, is_number
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.guardrails.nearest import nearest
from ralph.guardrails.python.claims import MADE, is_constant, is_value, text
from ralph.guardrails.python.layout import is_test_file
from ralph.guardrails.python.product.answer_tables import asks_first, asks_for, tables_of
from ralph.guardrails.python.product.functions import Function, Tree
from ralph.guardrails.python.trees import walk
from ralph.guardrails.source import Source
from ralph.record import record, replace
from ralph.system.patterns import later

RETURNS = later(rf"(?m)return\s+(?:[-\d\"'\[({{bfr]|{MADE}|[A-Z]\w*\([^()\n]*\)\s*(?:$|#))")
OPENS = later(r"(?:==|\bin\b|\bis\b|\bcase\b|\babs\(|isclose\().*:\s*(?:#.*)?$")
IF_EQUAL = later(r"if\b[^\n]*==")
"""What a branch for constants may look like: its line, and the result below or behind it."""
MADE_UP = later(rb"return[ \t]+[A-Z]\w*\([ \t]*(?:\w+=)?[-\d\"'][^()\n]*\)")
"""A thing that is written down, given as the answer."""
TABLED = later(r"\bin [A-Z_]\w+:|\b[A-Z_]\w+\.(?:get|setdefault)\(|\b\w+\.get\(\(|\breturn [A-Za-z_]\w*\[[\w(]")
TABLED_DATA = later(TABLED.pattern.encode())
FRACTION = later(r"-?\d+\.\d*[1-9]\d*")
GIVES = later(rb"(?m)^[ \t]*(?:el)?if\b[^\n]*==[^\n]*:[ \t]*\n[ \t]*[A-Za-z_]\w*[ \t]*=[ \t]*[-\d\"'\[({]")
"""A branch that gives a name a constant."""
DIGITS = later(r"\d{2}")
LONGEST_LINE = 1_000
"""No person wrote a longer one: it holds data."""


@record
class Case:
    """A branch that gives a constant for constants."""

    node: ast.AST
    given: tuple[str, ...]
    result: str
    tabled: bool = False
    """It is an entry of a table of the module: many of them have codes for names."""

    @property
    def key(self) -> tuple[tuple[str, ...], str]:
        return (self.given, self.result)

    known: bool = False
    """It stands in a table of nothing but what tests of the base ask, or a test calls the function with just that."""

    @property
    def is_plain(self) -> bool:
        """More than a name for something: several values, or a number for a number or for a text with digits."""
        constants = [each for each in self.given if each not in TRIVIAL]
        several = len(constants) > 1 or any(each[:1] in "[({" for each in constants)
        numbers = all(is_number(each) or (not self.tabled and DIGITS.search(each)) for each in constants)
        made = self.result[:1].isupper() and "(" in self.result
        return self.known or several or (numbers and (made or is_number(self.result)))


def special_cases(before: Iterable[Function], after: Iterable[Function], change: Change) -> Iterator[Hit]:
    """New branches for what a test asks, in functions that differ between the sides."""
    old = {(function.source.path, function.parts): function for function in before}
    tests: list[str] | None = None
    for function in after:
        if not may_branch(function.text):
            continue
        tree = function.tree()
        same = old.get((function.source.path, function.parts))
        found = list(_cases(tree)) if tree is not None else []
        if same is not None and tree is not None and TABLED.search(function.text):
            found += _looked_up(tree, function.source, same.source, change)
        if not found or tree is None:
            continue
        earlier = same.tree() if same else None
        known = {case.key for case in _cases(earlier)} if earlier is not None else set()
        for case in found:
            if case.key not in known:
                tests = _tests(change, change.blobs.paths_after(), change.blobs.after) if tests is None else tests
                called = _called_with(case, tree.name)
                if called is not None and any(map(called.search, tests)):
                    yield _hit(function, replace(case, known=True))
                elif case.known or any(asks(test, case.given, case.result) for test in tests):
                    yield _hit(function, case)


def may_branch(text: str) -> bool:
    """Whether anything in it looks like a branch for constants, or a look-up in a table."""
    if "}.get(" in text or ("==" in text and IF_EQUAL.search(text)):
        return True
    return (RETURNS.search(text) is not None and _answers_at_once(text)) or TABLED.search(text) is not None


def _answers_at_once(text: str) -> bool:
    """A constant is returned on the line of a condition, or right below it."""
    opening = ""
    for line in text.split("\n"):
        for result in RETURNS.finditer(line) if len(line) <= LONGEST_LINE else ():
            before = line[: result.start()]
            if OPENS.search(before if before.strip() else opening):
                return True
        if line.strip() and not line.lstrip().startswith("#"):
            opening = line
    return False


def _cases(tree: Tree) -> Iterator[Case]:
    arguments = {each.arg for each in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs)}
    for node in walk(tree):
        match node:
            case ast.If(test=test, body=[ast.Return(value=ast.expr() as value)]) if _is_written(value):
                yield from _case(node, test, value, arguments)
            case ast.If(test=test, body=[ast.Assign(targets=[ast.Name(id=name)], value=value)]) if _is_written(value):
                yield from _case(node, test, value, arguments)
                if name not in arguments:
                    yield from _mended(node, test, name, value)
            case ast.IfExp(test=test, body=value) if is_value(value):
                yield from _case(node, test, value, arguments)
            case ast.match_case(pattern=pattern, body=[ast.Return(value=ast.expr() as value)]) if is_value(value):
                yield from _matched(node, pattern, value)
            case ast.Call(func=ast.Attribute(value=ast.Dict() as table, attr="get"), args=[_, _]):
                yield from _entries(node, table)


def _is_written(value: ast.expr) -> bool:
    """A constant, or a thing made of nothing but constants: `Item("tea", 250)`."""
    match value:
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if name[:1].isupper() and (
            args or keywords
        ):
            return all(map(is_value, (*args, *(each.value for each in keywords))))
    return is_value(value)


def _matched(node: ast.match_case, pattern: ast.pattern, value: ast.expr) -> Iterator[Case]:
    parts = pattern.patterns if isinstance(pattern, ast.MatchSequence) else [pattern]
    values = [text(part.value) for part in parts if isinstance(part, ast.MatchValue) and is_constant(part.value)]
    if len(values) == len(parts) and (len(parts) > 1 or pattern is parts[0]):
        yield from _made(node, tuple(values), value)


def _entries(node: ast.AST, table: ast.Dict) -> Iterator[Case]:
    """Of a table that has an answer for what it lacks, too."""
    for key, value in zip(table.keys, table.values, strict=True):
        if key is not None and is_constant(key) and is_value(value):
            yield from _made(node, (text(key),), value)
            if FRACTION.fullmatch(text(key)) and FRACTION.fullmatch(text(value)):
                yield from _made(node, (text(value),), value)


def _mended(node: ast.If, test: ast.expr, name: str, value: ast.expr) -> Iterator[Case]:
    """What was computed, where it is one certain fraction, is another one."""
    match test:
        case ast.Compare(left=ast.Name(id=asked), ops=[ast.Eq()], comparators=[ast.Constant() as given]):
            if asked == name and FRACTION.fullmatch(text(given)) and FRACTION.fullmatch(text(value)):
                yield from _made(node, (text(value),), value)


def _looked_up(tree: Tree, source: Source, before: Source, change: Change) -> Iterator[Case]:
    """Entries of a new table that answers before anything is computed."""
    for name, table in tables_of(tree, source, before):
        if not any(asks_for(node, name) for node in walk(tree)) and not asks_first(tree, name):
            continue
        entries = zip(table.keys, table.values, strict=True)
        cases = [
            replace(case, tabled=True)
            for key, value in entries
            if key is not None and is_constant(key) and is_value(value)
            for case in _made(tree.body[0], (text(key),), value)
        ]
        if len(table.keys) == len(cases) > 1:
            tests = _tests(change, change.blobs.paths_before(), change.blobs.before)
            known = all(any(asks(test, case.given, case.result) for test in tests) for case in cases)
            cases = [replace(case, known=known) for case in cases]
        yield from cases


def _case(node: ast.AST, test: ast.expr, value: ast.expr, arguments: set[str]) -> Iterator[Case]:
    given: list[str] = []
    for part in walk(test):
        match part:
            case (
                ast.Compare(
                    left=ast.Call(func=ast.Name(id="abs"), args=[ast.BinOp(left=left, op=ast.Sub(), right=right)]),
                    ops=[ast.Lt() | ast.LtE()],
                )
                | ast.Compare(left=left, ops=[ast.Eq() | ast.Is() | ast.In()], comparators=[right])
                | ast.Call(func=ast.Attribute(attr="isclose") | ast.Name(id="isclose"), args=[left, right, *_])
            ):
                asked, constants = (right, left) if is_constant(left) else (left, right)
                names = {each.id for each in walk(asked) if isinstance(each, ast.Name)}
                if is_constant(constants) and names & arguments:
                    given += _elements(asked, constants)
    if given:
        yield from _made(node, tuple(given), value)


def _elements(asked: ast.expr, constants: ast.expr) -> list[str]:
    """What the function collects is compared with a list of it: a test has each where it gives it."""
    match asked, constants:
        case ast.Call(func=ast.Name(id="set" | "sorted" | "list" | "tuple" | "frozenset")), (
            ast.Set(elts=several) | ast.List(elts=several) | ast.Tuple(elts=several)
        ) if len(several) > 1:
            return [text(each) for each in several]
    return [text(constants)]


def _made(node: ast.AST, given: tuple[str, ...], value: ast.expr) -> Iterator[Case]:
    case = Case(node, given, text(value))
    if case.result not in ("None", "True", "False", "''", "0", "[]", "{}", "()") and any(
        each not in TRIVIAL for each in given
    ):
        yield case


def _tests(change: Change, paths: Iterable[str], read: Callable[[str], bytes | None]) -> list[str]:
    texts = map(read, nearest(filter(is_test_file, paths), change, MOST_TESTS))
    return [each.decode("utf-8", "replace") for each in texts if each is not None]


def _called_with(case: Case, name: str) -> re.Pattern[str] | None:
    """A call of the function with just these values; None where they are too few, or could be names."""
    values = [part for each in case.given for part in re.findall(r"'[^']*'|\"[^\"]*\"|-?[\w.]+", each)]
    composed = case.result[:1] in "[({" or is_number(case.result)
    if len(values) < 2 or not composed or not any(is_number(each) and each not in TRIVIAL for each in values):
        return None
    keyword = r"(?:\w+\s*=\s*)?"
    return re.compile(
        rf"\b{name}\(\s*{keyword}[\[(]?"
        + rf"\s*,\s*{keyword}".join(anywhere(each).pattern for each in values)
        + r"\s*[\])]"
    )


def _hit(function: Function, case: Case) -> Hit:
    line = (
        getattr(case.node, "lineno", getattr(getattr(case.node, "pattern", None), "lineno", 1))
        + function.first_line
        - 1
    )
    detail = f"{' and '.join(case.given)} gives {case.result}, as a test has it"
    return hit_at(
        "py.special-case" if case.is_plain else "py.special-case-mild",
        function.source.path,
        line,
        detail,
        function.source.line_text(line),
    )
