"""Calls that a double has to be given, and need not be given any more: gomock and testify of Go (class G05).

Rules, for an expectation of the base's test that is still there, about the same function:

- It may never be called now: `AnyTimes()`, `MinTimes(0)`, `MaxTimes(1)`, `Maybe()`, or, of testify, how often is no
  longer said.
- More of what it is given may be anything: `gomock.Any()`, `mock.Anything`, what any value is matched by.
"""

from __future__ import annotations

from ralph.guardrails.inventory.arranged.edits import Edits
from ralph.system.patterns import later

EXPECTS = later(r"\s*(?P<of>[\w.]+\.(?:EXPECT\(\)\.\w+|On\(\"\w+\"))(?P<rest>.*)")
NEVER = later(r"\.(?:AnyTimes\(\)|MinTimes\(0\)|Maybe\(\)|MaxTimes\(\d+\)(?!.*\.MinTimes\([1-9]))")
OFTEN = later(r"\.(?:Once\(\)|Twice\(\)|Times\(\d+\))")
ANY = later(
    r"\b(?:gomock\.Any\(\)|mock\.Anything\b|mock\.AnythingOfType\("
    r"|(?:mock\.MatchedBy|gomock\.Cond)\(func\([^()]*\) bool \{ return true \}\))"
)


def asked_less(edits: Edits) -> str | None:
    """The expectation, as it is written now; None if each asks as much."""
    if ".EXPECT()" not in edits.said and ".On(" not in edits.said:
        return None
    was = [match for each in edits.gone if (match := EXPECTS.match(each)) is not None]
    for number in edits.fresh:
        match = EXPECTS.match(edits.new[number])
        if match is None:
            continue
        same = [each["rest"] for each in was if each["of"] == match["of"]]
        if len(same) == 1 and _is_less(match["rest"], same[0], of_testify=".On(" in match["of"]):
            return edits.new[number].strip()
    return None


def _is_less(new: str, old: str, *, of_testify: bool) -> bool:
    if NEVER.search(new) and not NEVER.search(old):
        return True
    if of_testify and OFTEN.search(old) and not OFTEN.search(new):
        return True
    return len(ANY.findall(new)) > len(ANY.findall(old)) and new.count(",") <= old.count(",")
