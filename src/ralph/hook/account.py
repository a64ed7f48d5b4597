"""What is written down about a command, and what follows from what it did (design decisions 24 to 26).

Rules:

- Every command is one line of `state/progress.jsonl`, with the rule that let it run, how it ended and the level of the
  sandbox around it. What it did without an approval is a further line, a `policy_violation`.
- The agent learns of a violation by one sentence on standard error and an exit code that is not 0.
- Where the policy says `checks.rollbackOnFail`, the project goes back to the checkpoint from before the command, and
  what it left stays as a ref; otherwise that checkpoint is kept, for a person to go back to.
- Nothing is rolled back under somebody else's hands: HEAD moved though the command could not move it, or another
  command is running. And a new file that git would obey is moved out of git's folder in any case.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from ralph.approvals import decisions
from ralph.approvals.model import moment, stamp
from ralph.checkpoints.model import Checkpoint
from ralph.checkpoints.rollback import make, rollback
from ralph.errors import RalphError, StorageError
from ralph.hook import running
from ralph.hook.running import Run
from ralph.hook.tickets import Ticket
from ralph.hook.witness import Before, Found, compare, disarm, uncovered
from ralph.permissions.effects import effects_between
from ralph.permissions.model import Permissions
from ralph.permissions.sandbox import placeholders
from ralph.permissions.sandbox.model import Level
from ralph.record import record, replace
from ralph.system import clock
from ralph.system.files import reason
from ralph.system.git import Repository

MOST_NAMED = 5
MOST_RECORDED = 200
_VIOLATION, _UNKNOWN = "unapproved_effects", "unknown_effects"


@record(kw_only=True)
class Account:
    """What every record of a command has in common."""

    repo: Repository
    ticket: Ticket
    permissions: Permissions
    level: Level

    def open_logs(self) -> None:
        """Make the logs, before a sandbox can stand in their way. Raises StorageError."""
        try:
            try:
                decisions.stand(self.repo.root)
            except IsADirectoryError:
                with placeholders.standing(()):  # what a killed command left is removed by whoever comes next
                    decisions.stand(self.repo.root)
        except OSError as error:
            raise StorageError(f"{error.filename} cannot be written: {reason(error)}.") from None

    def ran(self, code: int | None, trouble: str = "") -> None:
        """Note how the command ended; `code` is None if it did not end by itself. Raises StorageError."""
        ticket = self.ticket
        fields = {
            "type": "command_run",
            "command": ticket.command,
            "cwd": ticket.cwd,
            "rule": ticket.rule,
            "classes": list(ticket.classes),
            "exit_code": code,
        }
        self._append(self._common() | fields | ({"trouble": trouble} if trouble else {}))

    def judge(self, before: Before) -> str | None:
        """Compare, record what nobody approved, and undo it if the policy says so; the sentence for the agent."""
        try:
            return self._judged(before)
        except RalphError as error:
            self._append(
                self._common()
                | {
                    "type": "policy_violation",
                    "violationType": _UNKNOWN,
                    "target": self.ticket.command,
                    "reason": str(error),
                }
            )
            return f"What the command did cannot be told, so it does not count as done: {error}"

    def _judged(self, before: Before) -> str | None:
        aside = self.repo.root / ".ralph" / "rejected" / self.ticket.id / "git"
        moved = disarm(before, aside)  # first of all: git itself is asked from here on
        found = compare(before, self.ticket, self.permissions, self.ticket.classes)
        if found.classes:  # only now: others' approvals are rarely needed, and stand in a log that grows
            found = compare(before, self.ticket, self.permissions, self._covered(before.began, self.ticket.classes))
        found = replace(found, closed=(*moved, *found.closed))
        if not found:
            return None
        keep = before.checkpoint or make(before.repo, f"before {self.ticket.command}"[:200], taken=before.taken)
        self._violation(self.ticket.command, found, keep)
        told = f"The command {named(found)}, which no person approved"
        told += f"; {', '.join(moved)} was moved to {aside.relative_to(self.repo.root)}" if moved else ""
        return f"{told}; {self._undone(found, keep)}."

    def look_back(self, before: Before, killed: Iterable[Run]) -> list[str]:
        """What commands did that were killed before anybody could look: a sentence for each that did something."""
        told = []
        for run in killed:
            covered = self._covered(moment(run.began), run.classes)
            try:
                effects = effects_between(before.repo, run.tree, before.taken.tree, self.permissions)
            except RalphError as error:
                told.append(f"What the killed command `{run.command}` did cannot be told: {error}")
                continue
            if found := Found(classes=uncovered(effects, self.permissions, covered)):
                self._violation(run.command, found, None)
                told.append(f"Since `{run.command}` began, which was killed, somebody {named(found)} unapproved.")
        return told

    def _covered(self, began: datetime, own: tuple[str, ...]) -> frozenset[str]:
        beside = [name for each in running.living(self.repo.root, self.ticket.id) for name in each.classes]
        return decisions.used_since(self.repo.root, began) | {*own, *beside}

    def _undone(self, found: Found, keep: Checkpoint) -> str:
        kept = f"the state before it is kept as {keep.ref}"
        if not self.permissions.checks.rollback_on_fail:
            return kept
        if found.head_moved or running.living(self.repo.root, self.ticket.id):
            return f"{kept}, and nothing was rolled back, because somebody else works here at the same time"
        done = rollback(self.repo, keep)
        self._append({"type": "rollback", "checkpoint": keep.ref, "rejected": done.rejected.ref})
        return f"everything was put back as it was before it, and what it left is kept as {done.rejected.ref}"

    def _violation(self, command: str, found: Found, keep: Checkpoint | None) -> None:
        self._append(
            {
                **self._common(),
                "type": "policy_violation",
                "violationType": _VIOLATION,
                "target": command,
                "rule": "approval.requiredFor" if found.classes else "closed",
                "reason": f"it {named(found)}",
                "classes": [str(name) for name in found.classes],
                "effects": {str(name): list(paths[:MOST_RECORDED]) for name, paths in found.classes.items()},
                "closed": list(found.closed[:MOST_RECORDED]),
                "checkpoint": keep.ref if keep else None,
            }
        )

    def _common(self) -> dict[str, Any]:
        ticket = self.ticket
        return {
            "sandbox_level": str(self.level),
            "agent": ticket.client,
            "session": ticket.session,
        }

    def _append(self, fields: dict[str, Any]) -> None:
        now = clock.now()
        decisions.append(self.repo.root, decisions.PROGRESS, fields | {"timestamp": stamp(now)}, now=now)


def named(found: Found) -> str:
    """What was done, with the first few paths."""
    parts = [f"changed {_few(paths)} ({name})" for name, paths in found.classes.items()]
    return " and ".join([*parts, *([f"changed {_few(found.closed)}, closed to agents"] if found.closed else [])])


def _few(paths: tuple[str, ...]) -> str:
    more = f" and {len(paths) - MOST_NAMED} more" if len(paths) > MOST_NAMED else ""
    return ", ".join(map(ascii, paths[:MOST_NAMED])).replace("'", "") + more
