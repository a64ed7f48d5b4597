"""In which phase a run begins: discovery with a prompt and no open task, else the recorded one (design decision 34)."""

from __future__ import annotations

from ralph.errors import UsageError
from ralph.loop.plan.model import ImplementationPlan, TaskStatus
from ralph.loop.saved import RalphState
from ralph.loop.words import Phase


def first_phase(saved: RalphState | None, plan: ImplementationPlan, prompt: str) -> Phase:
    """Where to begin. Raises UsageError if there is nothing to do."""
    is_open = any(task.status in (TaskStatus.PENDING, TaskStatus.IN_PROGRESS) for task in plan.tasks)
    if is_open:
        recorded = saved.current_phase if saved else Phase.BUILDING
        return Phase.BUILDING if recorded is Phase.VALIDATION else recorded
    if prompt:
        return Phase.DISCOVERY
    if saved and saved.current_phase is not Phase.BUILDING and (plan.tasks or saved.iteration_count):
        return saved.current_phase
    if plan.tasks:
        return Phase.VALIDATION
    raise UsageError('Say what is wanted: ralph run "add a --json flag"; or make a plan with `ralph plan add`.')


def guard(phase: Phase, plan: ImplementationPlan) -> None:
    """Raises UsageError for a phase that a person asked for, and that has nothing to work on."""
    if phase is Phase.BUILDING and not plan.tasks:
        raise UsageError("There is nothing to build: the plan has no task; begin with planning.")
    if phase is Phase.VALIDATION and not any(task.status is TaskStatus.COMPLETE for task in plan.tasks):
        raise UsageError("There is nothing to validate: no task is complete; begin with building.")
