"""Tests: only a fresh report that lists at least one test that ran, and none that did not pass, is a pass.

Rules (design decisions 1, 2; spec: governance engine 3.1, step 5f):

- pytest, vitest and jest are asked for a report of their own; for any other runner the context names one
  (`paths.test_report`, a file or a directory of XML files).
- A failed test fails the step whatever the exit code; an exit code that no test explains is a disagreement.
- Skipped tests are counted and did not run; when nothing ran, nothing was verified.
"""

from __future__ import annotations

import os
from pathlib import Path

from ralph.record import replace
from ralph.steps import outcomes
from ralph.steps.arming import Armed, arm
from ralph.steps.base import Judgement, Task, could_not_verify, ended_with, execute, listed, mishap, result
from ralph.steps.named_report import contents
from ralph.steps.reports.tests import TestReport, read_tests
from ralph.steps.reports.values import ReportError
from ralph.steps.tool_reading import read_all
from ralph.steps.tools.recipe import Reading
from ralph.system.process import Ended
from ralph.verdict import StepResult


def measure(task: Task) -> StepResult:
    armed = arm(
        task.command, kind="tests", hint=task.hint, root=task.workplace.root, reports=task.reports, manner=task.manner
    )
    ended = execute(task, armed)
    fresh = task.report.fresh(task.reports) if task.report else []
    own = [asked.report for asked in armed.asked if asked.report and os.path.lexists(asked.report)]
    if why := mishap(ended, task.workplace.timeout_s):
        judgement = could_not_verify(task.name, why)
    elif own or (task.report is None and (armed.asked or armed.obstacle)):
        judgement = _judged(task, armed, ended, read_all(task, armed, ended))
    else:
        judgement = _judged(task, replace(armed, obstacle=None), ended, _named(task, fresh))
    return result(task, judgement, ended, next(iter([*own, *fresh]), None))


def _judged(task: Task, armed: Armed, ended: Ended, reading: Reading) -> Judgement:
    outcomes.keep(reading.tests, task.reports)
    return judge(task, armed, ended, reading)


def judge(task: Task, armed: Armed, ended: Ended, reading: Reading) -> Judgement:
    """What the reports of a command that ended by itself come to."""
    ran = int(reading.counts.get("tests", 0))
    bad = len(reading.failures)
    if bad:
        hidden = ", though the command ended with exit code 0" if ended.exit_code == 0 else ""
        return Judgement(
            status="fail",
            reason=f"{task.name}: {bad} of {ran} failed: {listed(reading.failures)}{hidden}",
            counts=reading.counts,
            failures=reading.failures,
            tests=reading.tests.ids,
        )
    if armed.obstacle:
        return could_not_verify(task.name, f"{armed.obstacle}; let the command start the runner itself")
    if reading.problem:
        return could_not_verify(task.name, f"{reading.problem} ({ended_with(ended)})")
    if not ran:
        skipped = reading.counts.get("skipped", 0)
        all_skipped = f", {skipped:.0f} were skipped" if skipped else ""
        return could_not_verify(task.name, f"no test ran{all_skipped} ({ended_with(ended)})")
    if ended.exit_code == 0:
        return Judgement(status="pass", counts=reading.counts, tests=reading.tests.ids)
    if not armed.alone:
        why = f"{task.name}: another part of the command failed ({ended_with(ended)})"
        return Judgement(status="fail", reason=why, counts=reading.counts, failures=("exit code",))
    return could_not_verify(
        task.name, f"exit code and report disagree (exit code {ended.exit_code}, but all {ran} tests passed)"
    )


def _named(task: Task, fresh: list[Path]) -> Reading:
    """What the report that the context names says of this run."""
    if task.report is None:
        return Reading(problem="Ralph cannot ask this runner for a report; name a JUnit XML file as paths.test_report")
    if not fresh:
        stale = "; the one that stands there is from an earlier run" if task.report.existing else ""
        return Reading(problem=f"the run did not write {task.report.name}{stale}")
    try:
        report = TestReport()
        for path in fresh:
            report += read_tests(contents(path), what=f"the test report {path.name}", root=str(task.workplace.root))
    except ReportError as error:
        return Reading(problem=str(error))
    return Reading(counts=report.counts(), failures=report.bad, tests=report)
