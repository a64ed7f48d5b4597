"""The one way to measure a step: its name decides how."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ralph.steps import command_step, coverage_step, diagnostics_step, test_step
from ralph.steps.base import Requirement, Task, Workplace, unmeasured
from ralph.steps.named_report import named_report
from ralph.steps.reports.values import ReportError
from ralph.steps.tools.recipe import AS_WRITTEN, Manner
from ralph.verdict import StepResult

STEPS: dict[str, Callable[[Task], StepResult]] = {
    "lint": diagnostics_step.measure,
    "typecheck": diagnostics_step.measure,
    "tests": test_step.measure,
    "coverage": coverage_step.measure,
    "build": command_step.measure,
    "audit": command_step.measure,
    "complexity": command_step.measure,
    "duplication": command_step.measure,
    "mutation": command_step.measure,
}


def run_step(
    name: str,
    command: str | None,
    *,
    workplace: Workplace,
    tool_hint: str | None = None,
    report_path: str | None = None,
    keep: Sequence[str] = (),
    requirement: Requirement = Requirement(),  # noqa: B008
    attempt: int = 1,
    manner: Manner = AS_WRITTEN,
) -> StepResult:
    """Run a step's command and say what it proves. Raises StorageError if Ralph's own files cannot be written.

    `report_path` is the report that the context names for this step, `keep` are those of other steps, which the
    command may also write: both are moved aside before, and what stood there is put back after.
    """
    if command is None or not command.strip():
        return unmeasured(name, "no command")
    try:
        report = named_report(report_path, workplace.root) if report_path else None
        others = tuple(named_report(path, workplace.root) for path in keep if path != report_path)
    except ReportError as error:
        return unmeasured(name, str(error), command)
    return STEPS[name](
        Task(
            name=name,
            command=command,
            workplace=workplace,
            hint=tool_hint,
            report=report,
            keep=others,
            requirement=requirement,
            attempt=attempt,
            manner=manner,
        )
    )
