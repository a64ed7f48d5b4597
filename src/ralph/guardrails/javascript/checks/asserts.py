"""How much assertion functions demand: node's `assert`, chai's, tap, tape, AVA, uvu, QUnit (test inventory, G05).

A row says which arguments are what: `2` looks at the first and wants the second, `1` looks at the first only.
"""

from __future__ import annotations

from typing import NamedTuple

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.javascript.checks.matchers import Matcher

NOTHING, EXISTS, SHAPE, CLOSE, EXACT = Grade


class Function(NamedTuple):
    matcher: Matcher
    operands: int
    wanted: str = ""


def _rows(names: str, relation: str, grade: Grade, operands: int, wanted: str = "") -> dict[str, Function]:
    return {name: Function(Matcher(relation, grade, relation, grade), operands, wanted) for name in names.split()}


FUNCTIONS: dict[str, Function] = {
    **_rows("equal equals is same strictEqual deepEqual deepStrictEqual strictDeepEqual looseEqual", "==", EXACT, 2),
    **_rows("strictSame deepEquals isEqual propEqual deepLooseEqual eq equalTo assertEquals", "==", EXACT, 2),
    **_rows("assertStrictEquals snapshot", "==", EXACT, 2),
    **_rows("isTrue isOk_true", "==", EXACT, 1, "true"),
    **_rows("true", "==", EXACT, 1, "true"),
    **_rows("isFalse false", "==", EXACT, 1, "false"),
    **_rows("isNull", "==", EXACT, 1, "null"),
    **_rows("isUndefined", "==", EXACT, 1, "undefined"),
    **_rows("isNaN", "==", EXACT, 1, "NaN"),
    **_rows("notEqual not notStrictEqual notDeepEqual notDeepStrictEqual notSame notLooseEqual isnt", "!=", EXISTS, 2),
    **_rows("notDeepLooseEqual isNotEqual unlike notPropEqual assertNotEquals", "!=", EXISTS, 2),
    **_rows("ok truthy assert isOk exists isDefined isNotNull assertExists isNotFalse", "exists", EXISTS, 1),
    **_rows("isNotUndefined isNotNaN", "exists", EXISTS, 1),
    **_rows("notOk falsy isNotOk notExists isNotTrue", "falsy", CLOSE, 1),
    **_rows("ifError error", "not raises", EXISTS, 1),
    **_rows("isObject isArray isString isNumber isBoolean isFunction isFinite", "type", SHAPE, 1),
    **_rows("typeOf instanceOf type assertInstanceOf", "type", SHAPE, 2),
    **_rows("include includes deepInclude oneOf assertArrayIncludes assertStringIncludes", "in", SHAPE, 2),
    **_rows("lengthOf", "length", SHAPE, 2),
    **_rows("isAbove", ">", SHAPE, 2),
    **_rows("isAtLeast", ">=", SHAPE, 2),
    **_rows("isBelow", "<", SHAPE, 2),
    **_rows("isAtMost", "<=", SHAPE, 2),
    **_rows("closeTo approximately assertAlmostEquals", "~", CLOSE, 2),
    **_rows("match regex regexp assertMatch", "matches", CLOSE, 2),
    **_rows("doesNotMatch notMatch", "not matches", EXISTS, 2),
    **_rows("like partialDeepStrictEqual hasSubset matchSnapshot assertObjectMatch has propContains", "part", CLOSE, 2),
    **_rows("property hasProperty", "exists", EXISTS, 2),
    **_rows("propertyVal deepPropertyVal nestedPropertyVal", "==", EXACT, 2),
    **_rows("sameMembers sameDeepMembers sameOrderedMembers hasAllKeys", "==", CLOSE, 2),
    **_rows("throws rejects throwsAsync assertThrows assertRejects isRejected", "raises", EXISTS, 1),
    **_rows("doesNotThrow doesNotReject notThrows notThrowsAsync", "not raises", EXISTS, 1),
    **_rows("calledOnce", "calls", CLOSE, 1, "1"),
    **_rows("called", "called", EXISTS, 1),
    **_rows("notCalled", "never called", CLOSE, 1),
    **_rows("callCount", "calls", CLOSE, 2),
    **_rows(
        "calledWith calledWithExactly calledOnceWithExactly calledOnceWith alwaysCalledWith", "called with", EXACT, 2
    ),
}
"""By the function's name. `snapshot` and the like without a second argument want what is stored."""

FAILS = frozenset({"fail", "unreachable"})
"""Called, they are a failed assertion: the condition around them is what is checked."""
PASSES = frozenset({"pass"})
