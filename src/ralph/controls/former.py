"""Control `former`: what a test asked before it was changed still holds.

Rules:

- Looked at are changed tests that pass on the base's source as well: such a test asks nothing of the change, so there
  was no need to change what it asks. One that was changed along with behaviour fails there, and is left alone.
- As it stood on the base, such a test must pass on the head's source too. If it fails, the change broke what it asked
  for, and the new version no longer asks: whatever was done to it (mocks, other bounds, swallowed errors).
- A test that was led away from what is gone (a name that the change removed, arguments that are no longer taken) cannot
  be run as it stood. It is shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.controls.changed_tests import ChangedTests
from ralph.controls.findings import broken, held, listed, number, unsure
from ralph.controls.ids import Place, Places
from ralph.results import ControlResult
from ralph.steps.reports.tests import TestReport

NAME = "former"


def suspects(tests: ChangedTests, here: TestReport, base: TestReport, there: TestReport, places: Places) -> list[str]:
    """Ids of the base's tests whose changed version asks nothing of the change. `there`: the head's tests on the base's
    source."""
    agreed = set(there.passed) - set(there.bad)
    indifferent: dict[Place, bool] = {}
    for test in here.passed:
        place = places.of(test)
        if place and tests.touched(place):
            indifferent[place] = indifferent.get(place, True) and test in agreed
    passed = set(base.passed) - set(base.bad)
    return sorted(test for test in passed if _successor_is_in(indifferent, places.of(test), tests))


def judge(suspected: Sequence[str], former: TestReport, tests: ChangedTests, places: Places) -> ControlResult:
    """`former`: the base's tests on the head's source."""
    known = [test for test in suspected if not _led_away(test, tests, places)]
    failed = sorted(set(known) & set(former.failed) - set(former.erred))
    if failed:
        told = f"{number(len(failed), 'changed test')} asked nothing new, and would fail as on the base"
        return broken(NAME, f"{told}: {listed(failed)}", failed)
    rest = sorted(set(suspected) - set(former.passed))
    if rest:
        return unsure(NAME, f"as they stood on the base these cannot be run now: {listed(rest)}", rest)
    return held(NAME, f"{number(len(suspected), 'changed test')} pass as on the base")


def _successor_is_in(indifferent: dict[Place, bool], place: Place | None, tests: ChangedTests) -> bool:
    return place is not None and indifferent.get(tests.successor(place), False)


def _led_away(test: str, tests: ChangedTests, places: Places) -> bool:
    place = places.of(test)
    return place is None or tests.asked_of_what_is_gone(place)
