"""How a failed validation goes back to building: one task that repairs what it found. Pure (design decisions 28, 33).

Rules:

- What is complete stays complete: its criteria held when it was measured. The repair is a task of its own, so that its
  attempts are counted, its change is judged by itself, and what was repaired can be read in the plan.
- Its criteria are those that fail (`failing`) and those of the tasks concerned, as far as they name a command. Without
  any, the engine's PASS decides, as it does for every task.
- Where only open tasks are concerned, there is nothing to repair: they are done in their turn.
- Its id is that of the validation, so that going back twice after a crash is going back once.
"""

from __future__ import annotations

from collections.abc import Iterable

from ralph.loop.plan import transitions
from ralph.loop.plan.criteria import measured
from ralph.loop.plan.limits import MAX_CRITERION, MAX_DESCRIPTION
from ralph.loop.plan.model import ImplementationPlan, Task, TaskStatus
from ralph.system.text import visible

_HEAD = "Repair what the validation found. Each point names what has to hold again:\n"
_REST = "\n… and more: see the validation report."


def sent_back(
    plan: ImplementationPlan, concerned: Iterable[str], reason: str, *, repair: str, failing: Iterable[str] = ()
) -> ImplementationPlan:
    """The plan with the task `repair`, which mends what was found in the tasks `concerned`; the same plan if it is
    there already. Raises what `transitions.add` raises."""
    names = set(concerned)
    tasks = [task for task in plan.tasks if task.id in names and task.status is TaskStatus.COMPLETE]
    if not tasks or any(task.id == repair for task in plan.tasks):
        return plan
    criteria = [*failing, *(text for task in tasks for text in task.verification_criteria)]
    commands = [text for text in criteria if _is_fit(text)]
    room = MAX_DESCRIPTION - len(_HEAD) - len(_REST)
    said = visible(reason, keep="\n")
    task = Task(
        id=repair,
        description=f"{_HEAD}{said if len(said) <= room else said[:room] + _REST}",
        verification_criteria=tuple(dict.fromkeys(commands)),
        spec_files=tuple(dict.fromkeys(path for task in tasks for path in task.spec_files)),
    )
    return transitions.add(plan, task)


def _is_fit(text: str) -> bool:
    return measured(text) is not None and len(text) <= MAX_CRITERION
