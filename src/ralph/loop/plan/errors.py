"""What can be wrong with a plan, by name. Every message is one sentence that says what to do."""

from __future__ import annotations

from collections.abc import Iterable

from ralph.errors import RalphError, StorageError


class PlanError(RalphError):
    """Root of what is refused. Nothing was changed."""


class UnknownTask(PlanError):
    """No task has this id."""


class DuplicateTask(PlanError):
    """Two tasks would have one id."""


class UnknownDependency(PlanError):
    """A task waits for one that does not exist."""

    def __init__(self, task: str, missing: Iterable[str]) -> None:
        self.task, self.missing = task, tuple(missing)
        super().__init__(
            f"The task {task!r} depends on {some(self.missing)}, which the plan does not have: "
            "add it before, or correct the id."
        )


class CycleError(PlanError):
    """Tasks wait for each other. `tasks` are their ids; each waits for the next, the last one for the first."""

    def __init__(self, tasks: Iterable[str]) -> None:
        self.tasks = tuple(tasks)
        super().__init__(
            f"The tasks {some(self.tasks)} wait for each other, so none of them can ever start: "
            "remove one of their dependencies."
        )


class WrongTransition(PlanError):
    """The task is not in a state from which this leads anywhere."""


class UnfitTask(PlanError):
    """A field of a new or edited task is not as it must be."""


class PlanMissing(StorageError):
    """There is no plan yet."""


class PlanDamaged(StorageError):
    """What stands in the file is no plan. It is left as it is."""


def some(ids: Iterable[str], most: int = 10) -> str:
    """Ids for a sentence: all of them, or the first ones and how many more."""
    names = [repr(each) for each in ids]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
