"""From a command that has ended to what its tools found: every report read by its tool's recipe, added up."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from ralph.steps.arming import Armed, Asked
from ralph.steps.base import Task, full_output
from ralph.steps.named_report import contents
from ralph.steps.reports.tests import TestReport
from ralph.steps.reports.values import ReportError
from ralph.steps.tools.recipe import Evidence, Reading
from ralph.system.process import Ended


def read_all(task: Task, armed: Armed, ended: Ended) -> Reading:
    """One reading for all tools that were asked. What one of them left unproved stays a problem of the whole."""
    output = full_output(task, ended)
    if output is None and any(asked.report is None for asked in armed.asked):
        return Reading(problem="it wrote too much output to be read")
    return together([_read(task, asked, ended, output or ended.output) for asked in armed.asked])


def together(readings: Sequence[Reading]) -> Reading:
    counts: Counter[str] = Counter()
    for reading in readings:
        for name, number in reading.counts.items():
            counts[name] += number  # type: ignore[assignment]
    return Reading(
        counts=dict(counts),
        failures=tuple(dict.fromkeys(each for reading in readings for each in reading.failures)),
        tests=sum((reading.tests for reading in readings), start=TestReport()),
        problem=next((reading.problem for reading in readings if reading.problem), None),
        excuse=next((reading.excuse for reading in readings if reading.excuse), None),
    )


def _read(task: Task, asked: Asked, ended: Ended, output: str) -> Reading:
    report: bytes | None = None
    if asked.report is not None and os.path.lexists(asked.report):
        try:
            report = contents(asked.report)
        except ReportError as error:
            return Reading(problem=str(error))
    return asked.recipe.read(
        Evidence(
            output=output,
            report=report,
            exit_code=ended.exit_code or 0,
            root=task.workplace.root.resolve(),
            invocations=asked.invocations,
        )
    )
