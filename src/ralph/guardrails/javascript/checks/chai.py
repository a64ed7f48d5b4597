"""How much chai's assertions demand, and `should` of chai and Cypress (test inventory, class G05).

Words between assertions (`to`, `be`, `deep`) change nothing here, but for `not`. In a chain with several assertions
each is one.
"""

from __future__ import annotations

from ralph.guardrails.inventory.model import Grade
from ralph.guardrails.javascript.checks.matchers import Matcher
from ralph.system.patterns import later

NOTHING, EXISTS, SHAPE, CLOSE, EXACT = Grade

WORDS = later(
    "to|be|been|is|that|which|and|has|have|with|at|of|same|but|does|still|also|deep|nested|own|ordered|any|all|"
    "eventually|itself|include|contain|a|an|length|then|catch|finally"
)
"""Words of a chain; those that are assertions, too, count only when they are called."""


def _rows(names: str, relation: str, grade: Grade, negated: str, negated_grade: Grade) -> dict[str, Matcher]:
    return {name: Matcher(relation, grade, negated, negated_grade) for name in names.split()}


PROPERTIES: dict[str, tuple[Matcher, str]] = {
    **{
        name: (Matcher("==", EXACT, "!=", EXISTS), wanted)
        for name, wanted in {"true": "true", "false": "false", "null": "null", "undefined": "undefined"}.items()
    },
    "NaN": (Matcher("==", EXACT, "!=", EXISTS), "NaN"),
    "ok": (Matcher("exists", EXISTS, "falsy", CLOSE), ""),
    "exist": (Matcher("exists", EXISTS, "falsy", CLOSE), ""),
    "empty": (Matcher("state", CLOSE, "exists", EXISTS), "empty"),
    "called": (Matcher("called", EXISTS, "never called", CLOSE), ""),
    "calledOnce": (Matcher("calls", CLOSE, "not calls", EXISTS), "1"),
    "calledTwice": (Matcher("calls", CLOSE, "not calls", EXISTS), "2"),
    "calledThrice": (Matcher("calls", CLOSE, "not calls", EXISTS), "3"),
    "fulfilled": (Matcher("exists", EXISTS, "raises", EXISTS), ""),
    "rejected": (Matcher("raises", EXISTS, "exists", EXISTS), ""),
    "finite": (Matcher("type", SHAPE, "not type", EXISTS), "finite"),
}
"""Assertions that are read, not called; what they want."""

METHODS: dict[str, Matcher] = {
    **_rows("equal equals eq eql eqls strictEqual deepEqual become", "==", EXACT, "!=", EXISTS),
    **_rows("true false null undefined", "==", EXACT, "!=", EXISTS),
    **_rows(
        "calledWith calledWithExactly calledOnceWith calledOnceWithExactly",
        "called with",
        EXACT,
        "not called with",
        EXISTS,
    ),
    **_rows("calledWithMatch calledOnceWithMatch", "called with", CLOSE, "not called with", EXISTS),
    **_rows("members", "members", CLOSE, "!=", EXISTS),
    **_rows("keys key", "keys", SHAPE, "!=", EXISTS),
    **_rows("property ownProperty attr css value text html id prop data", "==", EXACT, "!=", EXISTS),
    **_rows("callCount", "calls", CLOSE, "not calls", EXISTS),
    **_rows("a an instanceof instanceOf", "type", SHAPE, "not type", EXISTS),
    **_rows("include includes contain contains oneOf string deepInclude", "in", SHAPE, "not in", EXISTS),
    **_rows("lengthOf length", "length", SHAPE, "not length", EXISTS),
    **_rows("above gt greaterThan isAbove", ">", SHAPE, "<=", SHAPE),
    **_rows("least gte isAtLeast", ">=", SHAPE, "<", SHAPE),
    **_rows("below lt lessThan isBelow", "<", SHAPE, ">=", SHAPE),
    **_rows("most lte isAtMost", "<=", SHAPE, ">", SHAPE),
    **_rows("within", "in range", SHAPE, "not in range", SHAPE),
    **_rows("closeTo approximately", "~", CLOSE, "!=", EXISTS),
    **_rows("match matches", "matches", CLOSE, "not matches", EXISTS),
    **_rows("satisfy satisfies", "satisfies", CLOSE, "not satisfies", EXISTS),
    **_rows("respondTo", "exists", EXISTS, "falsy", EXISTS),
    **_rows("exist", "exists", EXISTS, "falsy", CLOSE),
    **_rows("empty", "state", CLOSE, "exists", EXISTS),
    **_rows("throw throws Throw rejectedWith", "raises", CLOSE, "not raises", EXISTS),
    **_rows("visible", "shown", CLOSE, "not shown", CLOSE),
    **_rows("hidden", "not shown", CLOSE, "shown", CLOSE),
    **_rows("enabled", "enabled", CLOSE, "not enabled", CLOSE),
    **_rows("disabled", "not enabled", CLOSE, "enabled", CLOSE),
    **_rows("checked", "checked", CLOSE, "not checked", CLOSE),
    **_rows("focused", "focused", CLOSE, "not focused", CLOSE),
    **_rows("selected", "selected", CLOSE, "not selected", CLOSE),
}
