"""Coverage: the share of lines that a fresh report proves, against the policy's minimum, without rounding.

Rules (design decisions 1, 2; spec: governance engine 3.1, step 5g): the context names the report
(`paths.coverage_report`); the run must write it; the command must end with 0.
"""

from __future__ import annotations

from pathlib import Path

from ralph.steps.arming import Armed
from ralph.steps.base import Judgement, Task, could_not_verify, ended_with, execute, mishap, result, unmeasured
from ralph.steps.named_report import contents
from ralph.steps.reports.coverage import Coverage
from ralph.steps.reports.coverage_formats import read_coverage
from ralph.steps.reports.values import ReportError
from ralph.system.process import Ended
from ralph.verdict import StepResult


def measure(task: Task) -> StepResult:
    if task.report is None:
        return unmeasured(task.name, "the context names no report (paths.coverage_report)", task.command)
    ended = execute(task, Armed(task.command, {}, (), alone=True))
    fresh = task.report.fresh(task.reports)
    why = mishap(ended, task.workplace.timeout_s)
    if why:
        judgement = could_not_verify(task.name, why)
    elif len(fresh) != 1:
        stale = "; the one that stands there is from an earlier run" if task.report.existing else ""
        judgement = could_not_verify(
            task.name, f"the run did not write {task.report.name}{stale} ({ended_with(ended)})"
        )
    else:
        judgement = _judge_file(task, fresh[0], ended)
    return result(task, judgement, ended, next(iter(fresh), None))


def _judge_file(task: Task, path: Path, ended: Ended) -> Judgement:
    try:
        return judge(task, read_coverage(path.name, contents(path)), ended)
    except ReportError as error:
        return could_not_verify(task.name, str(error))


def judge(task: Task, coverage: Coverage, ended: Ended) -> Judgement:
    minimum = task.requirement.min_percent
    if not coverage.reaches(minimum):
        reason = f"{task.name}: {shown(coverage)} % of lines is below {minimum:g} %"
        return Judgement(status="fail", reason=reason, counts=coverage.counts(), failures=("below minimum",))
    if ended.exit_code != 0:
        return could_not_verify(
            task.name, f"the report says {shown(coverage)} %, but the command failed ({ended_with(ended)})"
        )
    return Judgement(status="pass", counts=coverage.counts())


def shown(coverage: Coverage) -> str:
    """Cut, not rounded, to two places: 79.996 is shown as 79.99, and 79 as 79.0."""
    hundredths = 10_000 * coverage.covered // coverage.total
    text = f"{hundredths // 100}.{hundredths % 100:02d}"
    return text.removesuffix("0")
