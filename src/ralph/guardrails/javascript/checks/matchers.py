"""How much matchers demand: Jest, Vitest, Jasmine, Testing Library, Playwright and expect-type (test inventory, G05).

A row is `relation grade, relation and grade after not`. Names that are not listed get the benefit of the doubt once:
they are CLOSE, and after `not` EXISTS.
"""

from __future__ import annotations

from typing import NamedTuple

from ralph.guardrails.inventory.model import Grade
from ralph.system.patterns import later

NOTHING, EXISTS, SHAPE, CLOSE, EXACT = Grade


class Matcher(NamedTuple):
    relation: str
    grade: Grade
    negated: str
    negated_grade: Grade


def _rows(
    names: str, relation: str, grade: Grade, negated: str = "", negated_grade: Grade = EXISTS
) -> dict[str, Matcher]:
    return {name: Matcher(relation, grade, negated or f"not {relation}", negated_grade) for name in names.split()}


CALLED = "called with"
"""The relation of matchers that look at what a function was given."""
UNKNOWN = Matcher("matches", CLOSE, "not matches", EXISTS)
MATCHERS: dict[str, Matcher] = {
    **_rows("toBe toEqual toStrictEqual toEqualTypeOf toEqualValue equals", "==", EXACT, "!="),
    **_rows("toBeNull toBeUndefined toBeNaN toBeTrue toBeFalse toHaveSize", "==", EXACT, "!="),
    **_rows("toHaveValue toHaveText toHaveURL toHaveTitle toHaveCount toHaveJSProperty toHaveId", "==", EXACT, "!="),
    **_rows("toHaveAttribute toHaveCSS toHaveDisplayValue toHaveFormValues toHaveAccessibleName", "==", EXACT, "!="),
    **_rows("toMatchInlineSnapshot toThrowErrorMatchingInlineSnapshot", "==", EXACT, "!="),
    **_rows(
        "toHaveBeenCalledWith toBeCalledWith lastCalledWith toHaveBeenLastCalledWith nthCalledWith "
        "toHaveBeenNthCalledWith toHaveBeenCalledOnceWith toHaveBeenCalledExactlyOnceWith toHaveReturnedWith "
        "toHaveLastReturnedWith toHaveNthReturnedWith toHaveResolvedWith toBeCalledOnceWith",
        CALLED,
        EXACT,
        "not called with",
        EXISTS,
    ),
    **_rows("toBeDefined toBeTruthy toExist toBeAttached toBePresent", "exists", EXISTS, "falsy", CLOSE),
    **_rows("toHaveBeenCalled toBeCalled toHaveReturned toHaveResolved", "called", EXISTS, "never called", CLOSE),
    **_rows("toHaveBeenCalledTimes toBeCalledTimes toHaveReturnedTimes toHaveResolvedTimes", "calls", CLOSE),
    **_rows("toHaveBeenCalledOnce", "calls", CLOSE),
    **_rows("toBeFalsy", "falsy", CLOSE, "exists", EXISTS),
    **_rows("toBeCloseTo", "~", CLOSE, "!=", EXISTS),
    **_rows("toMatchObject toMatchTypeOf toExtend toContainAllEntries", "part", CLOSE),
    **_rows("toMatchSnapshot toMatchFileSnapshot toThrowErrorMatchingSnapshot toHaveScreenshot", "snapshot", CLOSE),
    **_rows("toMatchAriaSnapshot toMatchImageSnapshot", "snapshot", CLOSE),
    **_rows("toBeInTheDocument toBeVisible toBeInTheDOM", "shown", CLOSE, "not shown", CLOSE),
    **_rows("toBeHidden", "not shown", CLOSE, "shown", CLOSE),
    **_rows("toBeEnabled", "enabled", CLOSE, "", CLOSE),
    **_rows("toBeDisabled", "not enabled", CLOSE, "enabled", CLOSE),
    **_rows("toBeValid", "valid", CLOSE, "", CLOSE),
    **_rows("toBeInvalid", "not valid", CLOSE, "valid", CLOSE),
    **_rows("toBeFocused toHaveFocus", "focused", CLOSE, "", CLOSE),
    **_rows("toBeEmpty toBeEmptyDOMElement", "empty", CLOSE, "", CLOSE),
    **_rows("toBeChecked", "checked", CLOSE, "", CLOSE),
    **_rows("toBePartiallyChecked", "partially checked", CLOSE, "", CLOSE),
    **_rows("toBeEditable", "editable", CLOSE, "", CLOSE),
    **_rows("toBeRequired", "required", CLOSE, "", CLOSE),
    **_rows("toIncludeSameMembers", "members", CLOSE),
    **_rows("toHaveClass toHaveStyle toHaveTextContent toContainHTML toContainElement", "part", CLOSE),
    **_rows("toBeInstanceOf toBeA toBeAn toBeTypeOf toBeString toBeNumber toBeBoolean toBeObject", "type", SHAPE),
    **_rows("toBeArray toBeFunction toBeDate toBeAny toBeUnknown toBeArrayOfSize toBeCallableWith", "type", SHAPE),
    **_rows("toHaveLength", "length", SHAPE),
    **_rows("toContain toContainEqual toContainText toInclude toBeOneOf toBeIn toStartWith toEndWith", "in", SHAPE),
    **_rows("toBeGreaterThan", ">", SHAPE, "<=", SHAPE),
    **_rows("toBeGreaterThanOrEqual", ">=", SHAPE, "<", SHAPE),
    **_rows("toBeLessThan", "<", SHAPE, ">=", SHAPE),
    **_rows("toBeLessThanOrEqual", "<=", SHAPE, ">", SHAPE),
    **_rows("toBeWithin toBeInRange", "in range", SHAPE),
    **_rows("toBePositive toBeNegative toBeInteger toBeFinite toBeNaNOrNumber", "type", SHAPE),
    **_rows("toSatisfy", "satisfies", CLOSE),
}
TAKE_SETTINGS = frozenset({"toHaveText", "toHaveURL", "toHaveTitle", "toHaveCount", "toHaveValue", "toHaveId"})
"""Matchers of Playwright that are given how long to wait behind what is wanted."""
FIXED = {
    "toBeNull": "null",
    "toBeUndefined": "undefined",
    "toBeNaN": "NaN",
    "toBeTrue": "true",
    "toBeFalse": "false",
    "toHaveBeenCalledOnce": "1",
}
"""What is wanted by matchers without an argument."""
NOT_FIXED = {"toBeDefined": "undefined"}
THROWS = frozenset({"toThrow", "toThrowError", "throws", "throw", "toRaise"})
BUILT_IN = later(
    r"to(?:Be|Equal|StrictEqual|Throw|ThrowError|Match|MatchObject|MatchSnapshot|MatchInlineSnapshot|Contain|ContainEqual"
    r"|Satisfy)|toBe(?:CloseTo|Defined|Undefined|Null|NaN|Truthy|Falsy|InstanceOf|TypeOf|OneOf|(?:Greater|Less)Than"
    r"(?:OrEqual)?)|toHave(?:Length|Property|Been\w+|Returned\w*|Last\w+|Nth\w+|Resolved\w*)|resolves|rejects|not"
)
"""Matchers that come with Jest and Vitest."""
WAITED_FOR = later(
    r"toBeVisible|toBeHidden|toBeAttached|toBeChecked|toBeEnabled|toBeDisabled|toBeEditable|toBeFocused|"
    r"toBeInViewport|toContainText|toHave(?:Text|URL|Title|Count|Value|Values|Attribute|CSS|Class|Id|JSProperty|"
    r"Screenshot|AccessibleName|AccessibleDescription|Role)|toPass|toMatchAriaSnapshot"
)
"""Matchers of Playwright that give promises."""

LOOSE = {
    "anything": EXISTS,
    "any": SHAPE,
    "objectContaining": CLOSE,
    "arrayContaining": SHAPE,
    "stringContaining": SHAPE,
    "stringMatching": CLOSE,
    "closeTo": CLOSE,
    "objectNotContaining": EXISTS,
    "schemaMatching": SHAPE,
    "toBeOneOf": SHAPE,
}
"""What `expect.anything()` and its kind leave of an exact comparison."""
SINON = {
    **dict.fromkeys(("any", "defined", "truthy"), EXISTS),
    **dict.fromkeys(("number", "string", "bool", "object", "func", "array", "set", "map", "date", "regexp"), SHAPE),
}
"""The same for `sinon.match.any` and its kind, which are not called."""


def matcher(name: str) -> Matcher:
    return MATCHERS.get(name, UNKNOWN)
