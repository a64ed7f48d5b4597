"""Calls of a double that were counted, where what a recorder holds is counted in its place (class G05).

    assert log_info.call_count == 4                    assert len(caplog.records) == 4
    log_info.reset_mock()                              caplog.clear()
    assert log_info.call_count == 0                    assert len(caplog.records) == 0

Rule: the head counts one list, and finds the same numbers in the same order as the base found calls of one double. One
of them is more than nothing, so that a list into which nobody writes does not pass.
"""

from __future__ import annotations

from collections.abc import Iterable

from ralph.guardrails.inventory.model import Check, Facts
from ralph.system.patterns import later

OF_DOUBLE = later(r"(?P<of>.+)\.(?:call_count|await_count|callCount)")
OF_LIST = later(r"len\((?P<inner>.+)\)|(?P<of>.+)\.(?:size|length|count)(?:\(\))?")
NEVER = frozenset(("not called", "never called"))


def counts_instead(old: Check, before: Facts, after: Facts) -> bool:
    double = _calls(old)
    if double is None:
        return False
    wanted = _numbers(_calls(each) for each in before.checks)[double[0]]
    if not any(wanted):
        return False
    known = {each.key for each in before.checks}
    found = _numbers(_held(each) for each in after.checks if each.key not in known and not each.perhaps)
    return wanted in found.values()


def _numbers(counts: Iterable[tuple[str, int] | None]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for count in counts:
        if count is not None:
            found.setdefault(count[0], []).append(count[1])
    return found


def _calls(check: Check) -> tuple[str, int] | None:
    """How many calls of which double are wanted."""
    if check.relation in NEVER and not check.wanted:
        return check.subject, 0
    if not check.wanted.isdecimal():
        return None
    if check.relation == "==" and (match := OF_DOUBLE.fullmatch(check.subject)) is not None:
        return match["of"], int(check.wanted)
    return (check.subject, int(check.wanted)) if check.relation.partition(" ")[0] == "calls" else None


def _held(check: Check) -> tuple[str, int] | None:
    """How much which list is wanted to hold."""
    if not check.wanted.isdecimal() or OF_DOUBLE.fullmatch(check.subject):
        return None
    if check.relation == "length":
        return check.subject, int(check.wanted)
    match = OF_LIST.fullmatch(check.subject) if check.relation == "==" else None
    return (match["inner"] or match["of"], int(check.wanted)) if match is not None else None
