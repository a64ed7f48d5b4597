"""Control `negative`: new and changed tests must fail on the base's source, else they show nothing of the change.

Rules (research: governance and gaming, 5.8):

- The base's tree with the head's tests and what stands beside them; only the new and changed tests count.
- A test that cannot even be loaded there has failed: what it tests is new.
- Where no product code changed there is nothing to show.
"""

from __future__ import annotations

from ralph.controls.changed_tests import ChangedTests
from ralph.controls.findings import broken, held, idle, listed, number
from ralph.controls.ids import Places
from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, FileChange
from ralph.results import ControlResult
from ralph.steps.reports.tests import TestReport

NAME = "negative"


def product_files(change: Change) -> list[FileChange]:
    """What the change does to product code: to take back, so that only its tests are left."""
    return [file for file in change.files if not is_support(file.path)]


def of_interest(tests: ChangedTests, here: TestReport, base: TestReport | None, places: Places) -> list[str]:
    """Tests that passed in place and are new or changed. Without a place: those whose id the base does not have."""
    known = set(base.ids) if base else set()
    return [test for test in dict.fromkeys(here.passed) if _counts(test, tests, known, places)]


def judge(interesting: list[str], there: TestReport) -> ControlResult:
    """`there`: the same tests on the base's source."""
    if not interesting:
        return idle(NAME, "no test is new or changed")
    idle_tests = sorted(set(interesting) & set(there.passed) - set(there.bad))
    told = number(len(interesting), "new or changed test")
    if not idle_tests:
        return held(NAME, f"{told}, none passes on the base's source")
    which = "all pass" if len(idle_tests) == len(interesting) else f"{len(idle_tests)} pass"
    return broken(NAME, f"{told}, {which} on the base's source as well: {listed(idle_tests)}", idle_tests)


def _counts(test: str, tests: ChangedTests, known: set[str], places: Places) -> bool:
    place = places.of(test)
    return test not in known if place is None else tests.rewritten(place)
