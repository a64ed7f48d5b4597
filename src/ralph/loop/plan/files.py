"""The plan on disk: `.ralph/implementation_plan.json` (spec: core concepts, ImplementationPlan; design decision 32).

Rules:

- Nobody keeps a plan and saves it later: `change` reads the file anew, under its lock, and writes what came of it.
  The first version of this system saved what it remembered, and so undid what had been done in between.
- A change is on disk as a whole or not at all. The version before it stays as `.bak`; a damaged file is reported,
  and neither written over nor kept as `.bak`. Without a difference nothing is written.
- What was read before is known again by its very bytes, so that reading a plan that nobody changed costs little.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from ralph.errors import StorageError
from ralph.loop.plan.errors import PlanDamaged, PlanMissing
from ralph.loop.plan.model import ImplementationPlan
from ralph.loop.plan.reading import read_plan
from ralph.loop.plan.writing import plan_bytes, task_bytes
from ralph.record import record, replace
from ralph.system import clock, files
from ralph.system.clock import rfc3339

PLAN_FILE = Path(".ralph") / "implementation_plan.json"
LOCK_TIMEOUT_S = 30.0

Change = Callable[[ImplementationPlan], ImplementationPlan]


@record
class _Seen:
    """A version of the file, and what it says. `tasks` are the bytes of each task, once it was written from here."""

    data: bytes
    plan: ImplementationPlan
    tasks: tuple[bytes, ...] | None = None


class PlanStore:
    """The plan of the project at `root`."""

    def __init__(self, root: Path, *, now: Callable[[], datetime] = clock.now) -> None:
        self.path = root / PLAN_FILE
        self._now = now
        self._seen: _Seen | None = None

    def load(self) -> ImplementationPlan:
        """The plan as it stands. Raises PlanMissing, PlanDamaged, and StorageError if it cannot be read at all."""
        plan = self.load_or_none()
        if plan is None:
            raise PlanMissing(f"There is no plan in {self.path}: make one with `ralph plan add` or `ralph run`.")
        return plan

    def load_or_none(self) -> ImplementationPlan | None:
        """Like `load`, but None if there is no plan yet."""
        try:
            data = files.read_bytes(self.path)
        except FileNotFoundError:
            self._refuse_lost()
            return None
        seen = self._seen  # taken once: another thread may be reading as well
        if seen is None or seen.data != data:
            try:
                seen = _Seen(data, read_plan(data))
            except ValueError as error:
                told = f"{self.path} is damaged and was left as it is: {error}; {self._way_out()}."
                raise PlanDamaged(told) from None
            self._seen = seen
        return seen.plan

    def change(self, by: Change) -> ImplementationPlan:
        """Change the plan as its only writer, and return what it is now. A plan that does not exist yet is empty.

        Whatever `by` raises leaves the file as it is. Raises what `load` raises but for PlanMissing, and StorageError.
        """
        with files.lock(self.path, timeout_s=LOCK_TIMEOUT_S):
            found = self.load_or_none()
            before = ImplementationPlan(created_at=rfc3339(self._now())) if found is None else found
            changed = by(before)
            if changed == before:
                return before
            changed = replace(changed, last_modified=rfc3339(self._now()))
            tasks = self._task_bytes(changed)
            data = plan_bytes(changed, tasks)
            self._sweep()
            files.atomic_write(self.path, data, keep=True)
            self._seen = _Seen(data, changed, tasks)
        return changed

    def _task_bytes(self, plan: ImplementationPlan) -> tuple[bytes, ...]:
        """Only tasks that are others than before are written anew."""
        seen = self._seen
        if seen is None or seen.tasks is None:
            return tuple(map(task_bytes, plan.tasks))
        same = zip(seen.plan.tasks, plan.tasks, seen.tasks, strict=False)
        kept = tuple(known if old is new else task_bytes(new) for old, new, known in same)
        return kept + tuple(map(task_bytes, plan.tasks[len(kept) :]))

    def _sweep(self) -> None:
        """Remove what writers that were killed left half written; nobody else writes here now."""
        for left in self.path.parent.glob(f".{self.path.name}.*.tmp"):
            left.unlink(missing_ok=True)

    def _refuse_lost(self) -> None:
        """A plan that is gone while its `.bak` is there was lost: a new one would in the end replace both."""
        backup = files.backup_of(self.path)
        if backup.exists():
            told = f"{self.path} is gone, but {backup.name} is there: copy it to {self.path.name}, or move it away"
            raise PlanMissing(f"{told} to begin with a new plan.")

    def _way_out(self) -> str:
        backup = files.backup_of(self.path)
        try:
            read_plan(files.read_bytes(backup))
        except (OSError, ValueError, StorageError):
            return "correct it, or move it away"
        return f"{backup} is good: to go on with it, copy it to {self.path.name}"
