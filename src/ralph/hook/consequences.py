"""What follows from what a command did that nobody approved (design decisions 24 to 26).

Rules:

- It is recorded as a `policy_violation`. The agent learns of it by one sentence on standard error and an exit code that
  is not 0.
- Where the policy says `checks.rollbackOnFail`, the project goes back to the checkpoint from before the command, and
  what it left stays as a ref; otherwise that checkpoint is kept, for a person to go back to.
- Nothing is rolled back under somebody else's hands: HEAD moved though the command could not move it, or another
  command is running. And a new file that git would obey is moved out of git's folder in any case.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from ralph.approvals import decisions
from ralph.approvals.model import moment
from ralph.checkpoints.model import Checkpoint
from ralph.checkpoints.rollback import make, rollback
from ralph.errors import RalphError
from ralph.hook import running
from ralph.hook.account import Account
from ralph.hook.running import Run
from ralph.hook.witness import Before, Found, compare, disarm, uncovered
from ralph.permissions.effects import effects_between
from ralph.record import replace
from ralph.system.tree import Snapshot

MOST_NAMED = 5
MOST_RECORDED = 200
_VIOLATION, _UNKNOWN = "unapproved_effects", "unknown_effects"


def judge(account: Account, before: Before) -> str | None:
    """Compare, record what nobody approved, and undo it if the policy says so; the sentence for the agent."""
    try:
        return _judged(account, before)
    except (RalphError, OSError) as error:
        fields = {"type": "policy_violation", "violationType": _UNKNOWN, "target": account.ticket.command}
        account.append({**account.common(), **fields, "reason": str(error)})
        return f"What the command did cannot be told, so it does not count as done: {error}"


def _judged(account: Account, before: Before) -> str | None:
    aside = account.repo.root / ".ralph" / "rejected" / account.ticket.id / "git"
    moved = disarm(before, aside)  # first of all: git itself is asked from here on
    ticket, permissions = account.ticket, account.permissions
    found = compare(before, ticket, permissions, ticket.classes)
    if found.classes:  # only now: others' approvals are rarely needed, and stand in a log that grows
        found = compare(before, ticket, permissions, _covered(account, before.began, ticket.classes))
    found = replace(found, closed=(*moved, *found.closed))
    if not found:
        return None
    keep = before.checkpoint or make(before.repo, f"before {account.ticket.command}"[:200], taken=before.taken)
    _violation(account, account.ticket.command, found, keep)
    told = f"The command {named(found)}, which no person approved"
    told += f"; {', '.join(moved)} was moved to {aside.relative_to(account.repo.root)}" if moved else ""
    return f"{told}; {_undone(account, found, keep)}."


def look_back(account: Account, before: Before, killed: Iterable[Run]) -> list[str]:
    """What commands did that were killed before anybody could look: a sentence for each that did something."""
    told = []
    for run in killed:
        covered = _covered(account, moment(run.began), run.classes)
        try:
            effects = effects_between(before.repo, run.tree, before.taken.tree, account.permissions)
        except RalphError as error:
            told.append(f"What the killed command `{run.command}` did cannot be told: {error}")
            continue
        if found := Found(classes=uncovered(effects, account.permissions, covered)):
            taken = Snapshot(tree=run.tree, gitlinks=(), ignored=())
            _violation(account, run.command, found, make(before.repo, f"before {run.command}"[:200], taken=taken))
            told.append(f"Since `{run.command}` began, which was killed, somebody {named(found)} unapproved.")
    return told


def _covered(account: Account, began: datetime, own: tuple[str, ...]) -> frozenset[str]:
    beside = [name for each in running.living(account.repo.root, account.ticket.id) for name in each.classes]
    return decisions.used_since(account.repo.root, began) | {*own, *beside}


def _undone(account: Account, found: Found, keep: Checkpoint) -> str:
    kept = f"the state before it is kept as {keep.ref}"
    if not account.permissions.checks.rollback_on_fail:
        return kept
    if found.head_moved or running.living(account.repo.root, account.ticket.id):
        return f"{kept}, and nothing was rolled back, because somebody else works here at the same time"
    done = rollback(account.repo, keep)
    account.append({"type": "rollback", "checkpoint": keep.ref, "rejected": done.rejected.ref})
    return f"everything was put back as it was before it, and what it left is kept as {done.rejected.ref}"


def _violation(account: Account, command: str, found: Found, keep: Checkpoint) -> None:
    account.append(
        {
            **account.common(),
            "type": "policy_violation",
            "violationType": _VIOLATION,
            "target": command,
            "rule": "approval.requiredFor" if found.classes else "closed",
            "reason": f"it {named(found)}",
            "classes": [str(name) for name in found.classes],
            "effects": {str(name): list(paths[:MOST_RECORDED]) for name, paths in found.classes.items()},
            "closed": list(found.closed[:MOST_RECORDED]),
            "checkpoint": keep.ref,
        }
    )


def named(found: Found) -> str:
    """What was done, with the first few paths."""
    parts = [f"changed {_few(paths)} ({name})" for name, paths in found.classes.items()]
    return " and ".join([*parts, *([f"changed {_few(found.closed)}, closed to agents"] if found.closed else [])])


def _few(paths: tuple[str, ...]) -> str:
    more = f" and {len(paths) - MOST_NAMED} more" if len(paths) > MOST_NAMED else ""
    return ", ".join(map(ascii, paths[:MOST_NAMED])).replace("'", "") + more
