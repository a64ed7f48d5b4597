"""What is written down about a command: one line of `state/progress.jsonl` (design decision 24).

It names the rule that let the command run, how it ended, and the level of the sandbox around it.
"""

from __future__ import annotations

from typing import Any

from ralph.approvals import decisions
from ralph.errors import StorageError
from ralph.hook.tickets import Ticket
from ralph.permissions.model import Permissions
from ralph.permissions.sandbox import placeholders
from ralph.permissions.sandbox.model import Level
from ralph.record import record
from ralph.system import clock
from ralph.system.clock import rfc3339
from ralph.system.files import reason
from ralph.system.git import Repository
from ralph.system.places import EXCLUDED


@record(kw_only=True)
class Account:
    """What every record of a command has in common."""

    repo: Repository
    ticket: Ticket
    permissions: Permissions
    level: Level

    def open_logs(self) -> None:
        """Make the logs, before a sandbox can stand in their way. Raises StorageError."""
        self.repo.exclude(EXCLUDED)
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
        self.append(self.common() | fields | ({"trouble": trouble} if trouble else {}))

    def common(self) -> dict[str, Any]:
        """What every record of a command says."""
        ticket = self.ticket
        return {
            "sandbox_level": str(self.level),
            "agent": ticket.client,
            "session": ticket.session,
        }

    def append(self, fields: dict[str, Any]) -> None:
        """Write a record. Raises StorageError."""
        now = clock.now()
        decisions.append(self.repo.root, decisions.PROGRESS, fields | {"timestamp": rfc3339(now)}, now=now)
