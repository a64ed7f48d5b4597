"""Criteria that hold before the work: they show nothing about a task (design decision 31).

A check that was green before is no fault where others are not: that all tests still pass is worth knowing. Where every
measured criterion is green before the work, a task could be completed by doing nothing.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from ralph.gates.shell import Bench
from ralph.loop.plan.criteria import judged, read
from ralph.loop.plan.critique import Remark
from ralph.loop.plan.measure import CriterionResult, run_criterion
from ralph.loop.plan.model import Task
from ralph.permissions.programs.names import DESCRIBED

_BUILTINS = frozenset(
    f"cd pushd popd {DESCRIBED['builtins']} {DESCRIBED['evaluating']} {DESCRIBED['declaring']}".split()
)


def green_before(tasks: Iterable[Task], bench: Bench, *, logs: Path) -> tuple[Remark, ...]:
    """Run what the tasks' criteria measure on the tree as it stands; a command that several have runs once.

    Raises StorageError, and RepositoryError if the tree cannot be told.
    """
    known: dict[str, CriterionResult] = {}
    remarks: list[Remark] = []
    for task in tasks:
        measured = [text for text in task.verification_criteria if judged(read(text), bench.law).kind == "measured"]
        for text in measured:
            if text not in known:
                known[text] = run_criterion(text, bench, log=logs / f"before-{len(known) + 1}.log")
        green = [text for text in measured if known[text].state == "pass"]
        if green and len(green) == len(measured):
            remarks.append(_vacuous(task))
        else:
            remarks += [_green(task, text) for text in green]
    return tuple(remarks)


def finder(root: Path, env: Mapping[str, str]) -> Callable[[str, str | None], bool]:
    """Tells whether a step with this environment would find a program, from a folder of the project."""

    def finds(program: str, cwd: str | None) -> bool:
        if "/" in program:
            return os.access(root / (cwd or ".") / program, os.X_OK)
        return program in _BUILTINS or shutil.which(program, path=env.get("PATH", "")) is not None

    return finds


def _vacuous(task: Task) -> Remark:
    return Remark(
        severity="warn",
        code="vacuous",
        task=task.id,
        message="All its measured criteria hold before the work, so they do not show that it was done.",
        advice='add one that fails now: verify:"command of the test that is to be written"',
    )


def _green(task: Task, text: str) -> Remark:
    message = f"The criterion {text!r} holds before the work."
    return Remark(severity="note", code="green_before", task=task.id, message=message, advice="the others must show it")
