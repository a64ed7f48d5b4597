"""Lint and type check: a tool that counts errors, or (an unknown one) only ends with 0 or not.

Rules (design decisions 1, 2; spec: governance engine 3.1, steps 5d and 5e):

- Errors that a report counts fail the step, even if the command ended with 0 (`--exit-zero`, `|| true`).
- Nothing is believed without proof of work: no report, no file analysed, a known tool that could not be asked.
- Exit code and report must agree. Where other commands of the line may have decided the exit code, it fails the step.
- An unknown tool is judged by its exit code alone (see `tools.generic`), but a line that runs no tool measures nothing.
"""

from __future__ import annotations

from ralph.steps.arming import Armed, arm
from ralph.steps.base import Judgement, Task, could_not_verify, ended_with, execute, listed, mishap, result
from ralph.steps.tool_reading import read_all
from ralph.steps.tools.recipe import Reading
from ralph.system.process import Ended
from ralph.verdict import StepResult


def measure(task: Task) -> StepResult:
    armed = arm(
        task.command,
        kind="diagnostics",
        hint=task.hint,
        root=task.workplace.root,
        reports=task.reports,
        manner=task.manner,
    )
    ended = execute(task, armed)
    why = mishap(ended, task.workplace.timeout_s)
    judgement = could_not_verify(task.name, why) if why else judge(task, armed, ended, read_all(task, armed, ended))
    report = next((asked.report for asked in armed.asked if asked.report), None)
    return result(task, judgement, ended, report)


def judge(task: Task, armed: Armed, ended: Ended, reading: Reading) -> Judgement:
    """What the reading of a command that ended by itself comes to."""
    errors = int(reading.counts.get("errors", 0))
    if errors > task.requirement.max_errors:
        hidden = ", though the command ended with exit code 0" if ended.exit_code == 0 else ""
        plural = "error" if errors == 1 else "errors"
        return _fail(task, f"{errors} {plural} (first: {listed(reading.failures[:1])}){hidden}", reading)
    if not armed.measures:
        return could_not_verify(task.name, f"the command runs no tool ({task.command.strip()})")
    if armed.obstacle:
        return could_not_verify(task.name, f"{armed.obstacle}; let the command start the tool itself")
    if reading.problem:
        return could_not_verify(task.name, f"{reading.problem} ({ended_with(ended)})")
    if ended.exit_code == 0:
        return Judgement(status="pass", counts=reading.counts, failures=reading.failures)
    if reading.excuse:
        where = f"first: {listed(reading.failures[:1])}" if reading.failures else ended_with(ended)
        return _fail(task, f"{reading.excuse} ({where})", reading)
    if not armed.alone:
        return _fail(task, f"another part of the command failed ({ended_with(ended)})", reading)
    return could_not_verify(
        task.name, f"exit code and report disagree (exit code {ended.exit_code}, {errors} errors counted)"
    )


def _fail(task: Task, what: str, reading: Reading) -> Judgement:
    failures = reading.failures or ("exit code",)
    return Judgement(status="fail", reason=f"{task.name}: {what}", counts=reading.counts, failures=failures)
