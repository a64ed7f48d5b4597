"""What a run among canaries says, after the base was asked about everything that is odd (rules: `controls.canary`)."""

from __future__ import annotations

from collections.abc import Callable

from ralph.controls import canary
from ralph.controls.canary import Odd
from ralph.controls.findings import broken, held, idle, listed, number, unsure
from ralph.controls.ids import Places
from ralph.engine.case import Case
from ralph.engine.control_runs import CanaryRun, ControlRuns
from ralph.engine.elsewhere import Measured
from ralph.results import ControlResult
from ralph.steps.reports.tests import TestReport

NAME = canary.NAME


def judge(
    run: CanaryRun,
    here: TestReport,
    *,
    case: Case,
    runs: ControlRuns,
    places: Places,
    base: Callable[[], Measured],
    flaky: bool,
) -> ControlResult:
    """`here`: what became of the tests in place. `base` is asked for only if something is odd. A copy need not agree
    with tests that are known to be `flaky`."""
    if run.measured is None:
        return idle(NAME, "there is no test file that a canary could be put into")
    judged = canary.files_judged(run.planted, here, places)
    if odd := run.odd(judged):
        usual = _usual(case, runs)
        if usual is None:
            certain = {each for each in odd if each.what in canary.CERTAIN}
            return _broken(certain) if certain else unsure(NAME, f"{_said(odd)}; the base has nothing to compare with")
        if news := {each for each in odd if not _is_usual(each, usual, case)}:
            return _broken(news)
        return unsure(NAME, f"{_said(odd)}, as on the base")
    count = canary.seen(run.planted, run.measured.tests, judged)
    if not count:
        return unsure(NAME, "no canary ran: the command runs none of the test files that Ralph knows")
    apart = [] if flaky else canary.only_in_place(here, run.own)
    return _apart(apart, here, case, runs, base) if apart else held(NAME, f"canaries in {number(count, 'test file')}")


def _apart(
    apart: list[str], here: TestReport, case: Case, runs: ControlRuns, base: Callable[[], Measured]
) -> ControlResult:
    """Tests that pass in place only, and not by chance: among other canaries neither. What does not pass in a copy of
    the base either may need more than the tree."""
    before = base().tests
    known = [test for test in apart if not before.ids or (test in before.ids and test not in before.passed)]
    news = [test for test in apart if test not in known]
    if news:
        again = canary.only_in_place(here, runs.with_canaries(case.snapshot.tree, "canary-again").own)
        news = [test for test in news if test in again]
    if news:
        return broken(NAME, f"only in the working tree itself, and in no copy of it, pass: {listed(news)}", news)
    if known:
        return unsure(NAME, f"in copies of the tree, as of the base, do not pass: {listed(known)}", known)
    return held(NAME, "the copy agreed when it was run again", apart)


def _usual(case: Case, runs: ControlRuns) -> set[Odd] | None:
    """What is odd on the base; None if canaries say nothing there."""
    run = runs.with_canaries(case.base_tree, "canary-base")
    everywhere = frozenset(each.path for each in run.planted)
    if run.measured is None or not canary.seen(run.planted, run.measured.tests, everywhere):
        return None
    return run.odd(everywhere)


def _is_usual(odd: Odd, usual: set[Odd], case: Case) -> bool:
    """The same in the same file; in a new file, the same anywhere."""
    if case.repo.read(case.base_tree, odd.path) is None:
        return any(each.what == odd.what for each in usual)
    return odd in usual


def _broken(odd: set[Odd]) -> ControlResult:
    return broken(NAME, _said(odd), [f"{each.path or 'the command'}: {each.what}" for each in sorted(odd)])


def _said(odd: set[Odd]) -> str:
    first = min(odd, key=lambda each: (not each.path, each))
    more = f" (and {len(odd) - 1} more)" if len(odd) > 1 else ""
    return f"{first.what}{f' in {first.path}' if first.path else ''}{more}"
