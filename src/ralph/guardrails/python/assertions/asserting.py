"""Calls that assert: those of unittest, mock, numpy, pandas and of fluent libraries (grades: see `strength`).

A call that begins with a word for asserting and that nobody knows is CLOSE: it may be as strict as can be, or not.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from ralph.guardrails.inventory.model import Grade, left_open
from ralph.guardrails.python.assertions.comparing import equality
from ralph.guardrails.python.assertions.pages import PAGES, of_page
from ralph.guardrails.python.assertions.strength import claims
from ralph.guardrails.python.claims import Claim, is_constant, is_expected, name_of, number, raised, text, tolerance
from ralph.record import replace
from ralph.system.patterns import later

NAMED = later(r"^(?:assert|expect|verify|check|ensure|should|must|require|validate)(?:_|$|[A-Z])|^(?:should|must)$")
"""What a call that asserts is named after."""


def names(text: str) -> frozenset[str]:
    """From names apart by blanks."""
    return frozenset(text.split())


EQUAL = names(
    "assertEqual assertEquals assertIs assertListEqual assertDictEqual assertSetEqual assertTupleEqual"
    " assertSequenceEqual assertMultiLineEqual assertCountEqual assertItemsEqual assertHTMLEqual assertJSONEqual"
    " assertXMLEqual assertQuerySetEqual assertQuerysetEqual failUnlessEqual assert_equal assert_array_equal"
    " assert_frame_equal assert_series_equal assert_index_equal assert_array_compare assert_string_equal"
    " assert_equals eq_ is_equal_to equals equal to_equal is_same_as contains_exactly contains_only"
    " assert_allequal"
)
UNORDERED = names("assertCountEqual assertItemsEqual contains_only")
ALMOST = names(
    "assertAlmostEqual assertAlmostEquals assert_allclose assert_almost_equal assert_array_almost_equal"
    " assert_close is_close_to assert_approx_equal failUnlessAlmostEqual"
)
SHAPE = names(
    "assertIn assertIsInstance assertGreater assertGreaterEqual assertLess assertLessEqual assertRegex"
    " assertRegexpMatches assertContains assertDictContainsSubset assertStartsWith assertEndsWith assertWarns"
    " assertLogs assertNoLogs assertHasAttr assertTemplateUsed assertRedirects assertNumQueries contains"
    " starts_with ends_with is_instance_of is_type_of is_length has_length is_greater_than is_less_than is_between"
    " is_greater_than_or_equal_to is_less_than_or_equal_to"
    " is_in matches assert_array_less assert_called_once assert_awaited_once warns deprecated_call assertSubset"
    " is_subset_of"
)
LITTLE = names(
    "assertIsNotNone assertNotEqual assertNotEquals assertNotIn assertIsNot assertNotIsInstance"
    " assertNotAlmostEqual assertNotRegex assert_called assert_awaited assert_not_equal is_not_none"
    " is_not_equal_to is_not_empty exists is_true is_truthy does_not_contain"
)
EXACT_CALLS = names("assert_called_once_with assert_awaited_once_with")
CLOSE_CALLS = names(
    "assert_called_with assert_not_called assert_not_awaited assert_any_call assert_has_calls assert_awaited_with"
    " assert_has_awaits"
)
TRUTH = names("assertTrue assert_ failUnless assert_true ok_")
FALSE = names("assertFalse failIf assert_false is_false is_none is_empty assertIsNone")
RAISES = names("assertRaises raises assertRaisesRegex assertRaisesRegexp assertRaisesMessage failUnlessRaises")
NEGATED: dict[str, type[ast.cmpop]] = {
    "assertNotIn": ast.NotIn,
    "assertIsNot": ast.IsNot,
    "assertNotEqual": ast.NotEq,
    "assertNotEquals": ast.NotEq,
}
RULED_OUT = {
    "assertNotIsInstance": "not assertIsInstance",
    "assertNotRegex": "not assertRegex",
    "does_not_contain": "not contains",
}
FLUENT: dict[str, type[ast.cmpop]] = {
    "is_length": ast.Eq,
    "is_greater_than": ast.Gt,
    "is_greater_than_or_equal_to": ast.GtE,
    "is_less_than": ast.Lt,
    "is_less_than_or_equal_to": ast.LtE,
}
"""assertpy's, in its language what `len(x) == 3` and `x > 3` are."""
BOUNDS = {"assertLess": "<", "assertLessEqual": "<", "assertGreater": ">", "assertGreaterEqual": ">"}


def asserted(call: ast.Call) -> list[Claim]:
    """What a call demands; nothing for one that does not assert."""
    name = name_of(call).rpartition(".")[2]
    for listed, reader in TABLE:
        if name in listed:
            return list(reader(call, name))
    if name == "fail" or not asserts(call):
        return []
    return [Claim(text(call), "helper", "", Grade.CLOSE)]


def asserts(call: ast.Call) -> bool:
    """It is called as what asserts is called."""
    return any(NAMED.match(part) for part in _chain(call))


def _chain(call: ast.Call) -> Iterator[str]:
    """The names called and read on the way: `assert_that(x).is_positive()` has two."""
    tree: ast.expr = call
    while True:
        if isinstance(tree, ast.Call):
            tree = tree.func
        elif isinstance(tree, ast.Attribute):
            yield tree.attr
            tree = tree.value
        else:
            if isinstance(tree, ast.Name):
                yield tree.id
            return


def _subject(call: ast.Call) -> ast.expr | None:
    """What a fluent assertion is about: the argument of `assert_that(...)`."""
    tree: ast.expr = call.func
    while isinstance(tree, ast.Attribute | ast.Call):
        if isinstance(tree, ast.Call) and tree.args and NAMED.match(name_of(tree).rpartition(".")[2]):
            return tree.args[0]
        tree = tree.func if isinstance(tree, ast.Call) else tree.value
    return None


def _operands(call: ast.Call) -> list[ast.expr]:
    fluent = _subject(call)
    given = [*([fluent] if fluent is not None else []), *call.args]
    given_by = (
        "first",
        "second",
        "actual",
        "expected",
        "desired",
        "left",
        "right",
        "expr",
        "member",
        "container",
        "obj",
        "cls",
    )
    return [*given, *(keyword.value for keyword in call.keywords if keyword.arg in given_by)]


def _equal(call: ast.Call, name: str) -> Iterator[Claim]:
    operands = _operands(call)
    if len(operands) > 1:
        claim = equality(*operands[:2])
        if name in UNORDERED and any(isinstance(each, ast.Dict) for each in operands[:2]):
            claim = replace(claim, grade=min(claim.grade, Grade.SHAPE), why="only the keys are compared")
        anyhow = name in UNORDERED or any(
            each.arg == "ordered" and text(each.value) == "False" for each in call.keywords
        )
        unordered = anyhow and not claim.subject.startswith(("sorted(", "set("))
        yield replace(claim, subject=f"sorted({claim.subject})") if unordered else claim


def _almost(call: ast.Call, name: str) -> Iterator[Claim]:
    operands = _operands(call)
    if len(operands) < 2:
        return
    left, right = operands[:2]
    subject, wanted = (right, left) if is_expected(left) and not is_expected(right) else (left, right)
    given = {keyword.arg: number(keyword.value) for keyword in call.keywords}
    scale = abs(number(wanted) or 0.0) or 1.0
    places, delta = given.get("places", given.get("decimal")), given.get("delta", given.get("atol"))
    if places is None and delta is None and len(operands) > 2:
        places = number(operands[2]) if name.startswith(("assertAlmost", "assert_almost", "assert_array")) else None
    default = 1e-7 if places is None and delta is None and given.get("rtol") is None else 0.0
    slack = max(
        given.get("rtol") or default, (delta or 0.0) / scale, 0.5 * 10**-places / scale if places is not None else 0
    )
    if text(left) == text(right):
        yield Claim(text(left), "~", text(right), Grade.NOTHING, why="both sides are the same")
    else:
        yield tolerance(text(subject), text(wanted), slack, is_constant(wanted))


def _shape(call: ast.Call, name: str) -> Iterator[Claim]:
    if name in BOUNDS and len(call.args) > 1:
        operator = ast.Lt() if BOUNDS[name] == "<" else ast.Gt()
        yield from claims(ast.Compare(left=call.args[0], ops=[operator], comparators=[call.args[1]]))
        return
    if name == "assertIn" and len(call.args) > 1:
        yield from claims(ast.Compare(left=call.args[0], ops=[ast.In()], comparators=[call.args[1]]))
        return
    of = _subject(call) if name in FLUENT and call.args else None
    if of is not None:
        asked = ast.Call(func=ast.Name(id="len"), args=[of], keywords=[]) if name == "is_length" else of
        yield from claims(ast.Compare(left=asked, ops=[FLUENT[name]()], comparators=[call.args[0]]))
        return
    operands = _operands(call)
    fluent = isinstance(call.func, ast.Attribute) and name.startswith("assert_")
    subject = (
        text(call.func.value)
        if fluent and isinstance(call.func, ast.Attribute)
        else text(operands[0] if operands else None)
    )
    last = operands[1] if len(operands) > 1 else None
    if name == "assertRedirects":
        yield Claim(subject, "redirects", text(last), Grade.EXACT, parts=2)
        return
    counted = next((text(each.value) for each in call.keywords if each.arg == "count"), "None")
    if name == "assertContains" and counted != "None":
        yield Claim(f"{subject}.content", name, f"{text(last)} {counted}", Grade.CLOSE)
        return
    nothing = (isinstance(last, ast.Constant) and last.value == "") or text(last) == "object"
    yield Claim(subject, name, text(last), Grade.NOTHING if nothing else Grade.SHAPE)


def _little(call: ast.Call, name: str) -> Iterator[Claim]:
    operands = _operands(call)
    if name in ("assert_called", "assert_awaited") and isinstance(call.func, ast.Attribute):
        yield Claim(text(call.func.value), "called", "", Grade.EXISTS)
        return
    if name in NEGATED and len(operands) > 1:
        yield from claims(ast.Compare(left=operands[0], ops=[NEGATED[name]()], comparators=[operands[1]]))
        return
    subject = operands[0] if operands else None
    grade = Grade.NOTHING if isinstance(subject, ast.Constant) else Grade.EXISTS
    relation = RULED_OUT.get(name) or ("true" if "Not" not in name else "!=")
    yield Claim(text(subject), relation, text(operands[1]) if len(operands) > 1 else "", grade)


def _calls(call: ast.Call, name: str) -> Iterator[Claim]:
    subject = text(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    wanted = ", ".join([*map(text, call.args), *(f"{each.arg}={text(each.value)}" for each in call.keywords)])
    grade = Grade.EXACT if name in EXACT_CALLS else Grade.CLOSE
    relation = "not called" if "not" in name else "called with"
    given = [*call.args, *(each.value for each in call.keywords)]
    grade = min(grade, left_open([text(each).endswith("ANY") for each in given]))
    if name == "assert_has_calls" and wanted in ("[]", "()"):
        yield Claim(subject, relation, wanted, Grade.NOTHING, why="no call is named")
        return
    if re.search(rf"(?<![\w.]){re.escape(subject)}\.(?:call|await)_args", wanted):
        yield Claim(subject, relation, wanted, Grade.NOTHING, why="it wants what the call had")
        return
    yield Claim(subject, relation, wanted, grade, known=False)


def _truth(call: ast.Call, name: str) -> Iterator[Claim]:
    """The second argument is a message: two values that look compared are not."""
    operands = _operands(call)
    if operands:
        yield from claims(operands[0])


def _false(call: ast.Call, name: str) -> Iterator[Claim]:
    operands = _operands(call)
    if operands:
        none = name in ("assertIsNone", "is_none")
        tree = (
            ast.Compare(left=operands[0], ops=[ast.Is()], comparators=[ast.Constant(value=None)])
            if none
            else ast.UnaryOp(op=ast.Not(), operand=operands[0])
        )
        yield from claims(tree)


def _raises(call: ast.Call, name: str) -> Iterator[Claim]:
    """With the code in the call; as a `with` it is read with its body."""
    if len(call.args) > 1:
        regex = "Regex" in name or "Message" in name
        pattern = call.args[1] if regex else None
        code = call.args[2 if regex else 1 :]
        yield raised(", ".join(map(text, code)), text(call.args[0]), pattern)


Reader = Callable[[ast.Call, str], Iterator[Claim]]
TABLE: tuple[tuple[frozenset[str], Reader], ...] = (
    (EQUAL, _equal),
    (ALMOST, _almost),
    (EXACT_CALLS | CLOSE_CALLS, _calls),
    (SHAPE, _shape),
    (LITTLE, _little),
    (TRUTH, _truth),
    (FALSE, _false),
    (RAISES, _raises),
    (PAGES, of_page),
)
