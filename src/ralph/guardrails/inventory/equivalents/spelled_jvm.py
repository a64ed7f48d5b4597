"""Assertions of Java and Kotlin that say the same in other words (policy set v2, class G05).

Rules:

- `assertTrue(a.equals(b))` and `assertEquals(a, b)` are one question, as are `assertFalse(a.equals(b))` and
  `assertNotEquals(a, b)`, whichever stands first. That a variable equals itself is asked by both as well, of the same
  variable.
- `assertEquals(3, a.size())` and `hasSize(3)`, `assertTrue(a.contains(b))` and `contains(b)`, `a instanceof B` and
  `assertInstanceOf(B.class, a)` are one question, in the words of JUnit, AssertJ, Truth and Hamcrest.
- That an `Optional` has a value is not missed where it is asked which value that is.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator

from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.inventory.truth import ALWAYS
from ralph.system.patterns import later

EQUALS = later(r"(?P<of>.+)\.equals\((?P<other>.+)\)")
SIZED = later(r"(?P<of>.+)\.(?:size\(\)|length\(\)|length|size)")
ASKED = later(r"(?P<of>.+?)\.(?P<how>contains|containsKey|containsValue|startsWith|endsWith|matches)\((?P<part>.+)\)")
KINDS = {
    "hasSize": "size",
    "hasLength": "size",
    "containsString": "contains",
    "assertContains": "contains",
    "hasItem": "contains",
    "hasKey": "containsKey",
    "hasValue": "containsValue",
    "instanceOf": "type",
    "isInstanceOf": "type",
    "in": "contains",
}
"""Relations of a library's own words; those that are called as the method itself are not here."""
METHODS = frozenset({"contains", "containsKey", "containsValue", "startsWith", "endsWith", "matches"})
REFUSED = {
    "not in": "contains",
    "not type": "type",
    "isNotInstanceOf": "type",
    "doesNotContain": "contains",
    "doesNotContainKey": "containsKey",
    "doesNotStartWith": "startsWith",
    "doesNotEndWith": "endsWith",
}
CLASS = later(r"(?P<name>[\w.$]+)(?:\.class|::class\.java|::class)")
ITSELF = "equals itself"
"""The relation of a variable that is compared with itself, which is `wanted`."""
PRESENT = later(r"(?P<of>.+)\.isPresent(?:\(\))?")


def same_question(new: Check, old: Check) -> bool:
    """In other words of the libraries for the JVM."""
    asked = _question(old)
    return asked is not None and asked == _question(new)


def ways(check: Check) -> Iterator[Hashable]:
    """What `same_question` and `equals_itself` may know it by."""
    if (question := _question(check)) is not None:
        yield question
    if check.relation == ITSELF:
        yield ITSELF, check.wanted


def equals_itself(new: Check, old: Check) -> bool:
    """Both ask whether the same variable equals itself: it demands little, but no less than before."""
    return new.relation == old.relation == ITSELF and new.wanted == old.wanted and new.why in ("", ALWAYS)


def tells_value(check: Check, after: Collection[Check]) -> bool:
    """Which value an `Optional` has is told exactly: that it has one is not missed."""
    present = PRESENT.fullmatch(check.subject)
    if present is None or (check.relation, check.wanted) != ("==", "true"):
        return False
    whole = present["of"]
    got = {f"{whole}.get()", f"{whole}.orElseThrow()", f"{whole}.getAsInt()", f"{whole}.getAsLong()"}
    return any(
        each.grade is Grade.EXACT
        and ((each.subject == whole and each.relation == "hasValue") or (each.subject in got and each.relation == "=="))
        for each in after
    )


def _question(check: Check) -> Hashable | None:
    if check.relation == "==" and check.wanted in ("true", "false"):
        return _answered(check.subject, check.wanted == "true")
    if check.relation == "==" and check.grade is Grade.EXACT and (sized := SIZED.fullmatch(check.subject)):
        return "size", sized["of"], check.wanted
    if check.relation in ("==", "!=") and check.wanted:
        return "equal", check.relation == "==", frozenset({check.subject, check.wanted})
    if check.relation == "type" and check.grade is Grade.SHAPE:
        return "type", check.subject, _class(check.wanted)
    if check.relation in REFUSED:
        return "not", REFUSED[check.relation], check.subject, _class(check.wanted)
    kind = check.relation if check.relation in METHODS else KINDS.get(check.relation)
    return (kind, check.subject, _class(check.wanted)) if kind is not None and check.wanted else None


def _answered(subject: str, positive: bool) -> Hashable | None:
    """`a.equals(b)`, `a.contains(b)`: a method of the thing itself is asked."""
    if asked := ASKED.fullmatch(subject):
        plain = (asked["how"], asked["of"], asked["part"])
        return plain if positive else ("not", plain[0], plain[1], plain[2])
    if equal := EQUALS.fullmatch(subject):
        return "equal", positive, frozenset({equal["of"], equal["other"]})
    return None


def _class(written: str) -> str:
    """`B` of `B.class`."""
    named = CLASS.fullmatch(written)
    return written if named is None else named["name"]
