"""Whether a phase is complete, looked at in Python (spec: core concepts, transition criteria; design decision 33).

Rules:

- A phase is complete when an agent has said so by a tool AND its check here finds nothing missing. Words in an agent's
  output are no input of anything here.
- A check says everything that is missing, as sentences that the agent is told.
- Discovery: at least one specification, each with its four sections filled.
- Planning: at least one task, each with criteria, dependencies that can be met, and nothing that the critique of the
  plan calls an error.
- Building: no task pending or in progress. Blocked tasks do not keep it open, and the run that has one never passes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ralph.loop.phases.specs import Spec
from ralph.loop.plan import selection
from ralph.loop.plan.model import ImplementationPlan, Task, TaskStatus
from ralph.record import record
from ralph.system.text import visible


@record(kw_only=True)
class PhaseCheck:
    """`problems` keep the phase open, `warnings` are only shown, `blocked` are the ids of blocked tasks."""

    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        return not self.problems


def discovery_complete(specs: Sequence[Spec]) -> PhaseCheck:
    """Whether what is wanted is written down."""
    real = [spec for spec in specs if not spec.overview]
    problems = [f"{visible(spec.path)}: {problem}." for spec in real for problem in spec.problems]
    warnings = [f"{visible(spec.path)}: {warning}." for spec in real for warning in spec.warnings]
    if not real:
        problems.append("There is no specification: write at least one file `specs/NAME.md`.")
    elif not any(spec.job for spec in specs):
        warnings.append("No file in specs/ says the job to be done: When …, I want to …, so I can ….")
    return PhaseCheck(problems=tuple(problems), warnings=tuple(warnings))


def planning_complete(
    plan: ImplementationPlan, found: Iterable[str] = (), doubts: Iterable[str] = (), specs: Sequence[Spec] = ()
) -> PhaseCheck:
    """Whether the plan can be built. `found` is what its critique calls an error, `doubts` what it only doubts."""
    found = tuple(found)
    problems = [] if plan.tasks else ["The plan has no task: add at least one."]
    problems += [
        f"Task {visible(task.id)} has no verification criterion: say how one sees that it is done."
        for task in plan.tasks
        if not any(criterion.strip() for criterion in task.verification_criteria)
    ]
    planned = {path for task in plan.tasks for path in task.spec_files}
    warnings = [
        f"No task names {visible(spec.path)} in `spec_files`: is all of it planned?"
        for spec in specs
        if plan.tasks and not spec.overview and spec.path not in planned
    ]
    faults = [told for fault in selection.problems(plan) if not _is_among(told := str(fault), found)]
    return PhaseCheck(problems=(*problems, *faults, *found), warnings=(*warnings, *doubts))


def _is_among(fault: str, found: Iterable[str]) -> bool:
    """Whether the critique names this fault of the plan already, with other words for what to do."""
    return any(fault.partition(": ")[0] in each for each in found)


def why_blocked(task: Task) -> str:
    """What stands in a task's way, on one line."""
    reasons = (visible(" ".join(each.split())).rstrip(".") for each in task.blockers)
    return "; ".join(reasons) or "no reason is recorded"


def building_complete(plan: ImplementationPlan) -> PhaseCheck:
    """Whether nothing is left to build."""
    blocked = {task.id for task in plan.tasks if task.status is TaskStatus.BLOCKED}
    problems = [] if plan.tasks else ["The plan has no task: nothing was built."]
    for task in plan.tasks:
        if task.status in (TaskStatus.PENDING, TaskStatus.IN_PROGRESS):
            waits = [visible(each) for each in task.dependencies if each in blocked]
            why = f", and waits for {', '.join(waits)}, which is blocked" if waits else ""
            problems.append(f"Task {visible(task.id)} is {task.status.replace('_', ' ')}{why}.")
    warnings = [
        f"Task {visible(task.id)} is blocked: {why_blocked(task)}." for task in plan.tasks if task.id in blocked
    ]
    return PhaseCheck(problems=tuple(problems), warnings=tuple(warnings), blocked=tuple(sorted(blocked)))
