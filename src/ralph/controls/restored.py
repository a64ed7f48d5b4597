"""Control `restored`: with the base's version of what decides how tests are run, they come to the same results.

Rules (research: governance and gaming, 5.6; section 4.3 shows what ten lines of a conftest do):

- Run where the change touches such a file (`protected` has the list), on the head's tree with the base's version of
  each, in a copy. A file that the base does not have is taken away.
- A test that passes in place and fails there breaks the control, if it is the test that the base has: it passes only
  because of the changed files. So does one that ran nowhere but there, and fails.
- A new or rewritten test may need the changed files. That it fails there is shown, and so is every test that could not
  be run there.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.controls.changed_tests import ChangedTests
from ralph.controls.findings import broken, held, listed, number, unsure
from ralph.controls.ids import Places
from ralph.results import ControlResult
from ralph.steps.reports.tests import TestReport

NAME = "restored"


def judge(
    files: Sequence[str],
    *,
    here: TestReport,
    copy: TestReport | None,
    there: TestReport,
    tests: ChangedTests,
    places: Places,
) -> ControlResult:
    """`here`: in place; `copy`: in a plain copy of the head, if known; `there`: with the `files` of the base."""
    passed, agreed = set(here.passed) - set(here.bad), set(there.passed) - set(there.bad)
    failed = sorted((passed & set(there.failed)) - _unsettled(copy, here))
    hidden = sorted(set(there.failed) - set(here.ids) - set(copy.failed if copy else ()))
    names = listed(list(files))
    if not there.ids:
        return unsure(NAME, f"no test runs with {names} of the base", files)
    only_so = [test for test in failed if not _may_differ(test, tests, places)]
    kept_away = [test for test in hidden if not _may_differ(test, tests, places)]
    said = [f"only with the changed {names} pass: {listed(only_so)}"] if only_so else []
    said += [f"only without the changed {names} run, and fail: {listed(kept_away)}"] if kept_away else []
    if said:
        return broken(NAME, "; ".join(said), [*only_so, *kept_away])
    rest = sorted((passed - agreed) | set(hidden))
    if rest:
        ran = number(len(passed & agreed), "test")
        return unsure(NAME, f"{ran} agree; {len(rest)} could not be compared without the changed {names}", rest)
    return held(NAME, f"{number(len(passed), 'test')} agree with {names} of the base")


def _unsettled(copy: TestReport | None, here: TestReport) -> set[str]:
    """Tests that do not even pass in a plain copy: another control's business."""
    return set(here.passed) - set(copy.passed) if copy else set()


def _may_differ(test: str, tests: ChangedTests, places: Places) -> bool:
    place = places.of(test)
    return place is not None and tests.rewritten(place)
