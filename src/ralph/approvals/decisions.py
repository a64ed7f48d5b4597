"""The two logs of what was decided and what was violated (spec: policy engine, rules 5 and human-on-the-loop 3).

Rules (design decisions 24, 32):

- Every violation is a line of `state/progress.jsonl`, every decision about an approval one of `state/learning.jsonl`;
  both are ledgers: appended to, hash-chained, safe for many writers.
- Lines that stood in such a file before Ralph (another tool's log) are never lost and never mixed with the chain: the
  file is kept as `.ralph/adopted/<name>-<digest>.jsonl`, and the first line of the new chain says so and holds its
  sha256. A file that begins as a chain of Ralph's and is damaged further on is an error, not a foreign one.
- A decision about one request is recorded once, however often it is tried; so is the use of an approval.
"""

from __future__ import annotations

import hashlib
import os
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from ralph.approvals import wire
from ralph.approvals.model import Answer, Request, shown
from ralph.errors import StorageError
from ralph.permissions.model import Action, Outcome
from ralph.permissions.model import Decision as Judgement
from ralph.system import files, ledger, places
from ralph.system.clock import rfc3339

PROGRESS = Path("state", "progress.jsonl")
LEARNING = places.LEARNING
_ADOPTED = Path(".ralph", "adopted")
_DENIED = {"command": "command_denied", "read": "file_read_denied", "write": "file_write_denied", "tool": "tool_denied"}


def record_violation(
    root: Path,
    action: Action,
    decision: Judgement,
    *,
    now: datetime,
    agent: str = "",
    session: str = "",
    task: str = "",
    sandbox_level: str = "",
) -> None:
    """Note that an action was denied, or needs a person. Raises StorageError: who cannot record must not go on.

    `sandbox_level` is what this machine enforces.
    """
    what = shown(action)
    record: dict[str, Any] = {
        "type": "policy_violation",
        "violationType": "approval_required" if decision.outcome is Outcome.APPROVE else _DENIED[what.kind],
        "target": what.text if what.subject is None else f"{what.text} {what.subject}".rstrip(),
        "rule": decision.rule,
        "reason": decision.reason,
        "classes": [str(each) for each in decision.classes],
        "timestamp": rfc3339(now),
    }
    by = (("agent", agent), ("session", session), ("taskId", task), ("sandbox_level", sandbox_level))
    record |= {key: value for key, value in by if value}
    append(root, PROGRESS, record, now=now)


def record_decision(
    root: Path, request: Request, answer: Answer, *, now: datetime, known: frozenset[str] | None = None
) -> None:
    """Note what became of a request, unless it stands there already. Raises StorageError.

    `known` is what `recorded` gave, for who has asked it already.
    """
    if request.id not in (recorded(root) if known is None else known):
        append(root, LEARNING, _decision(request, answer, now), now=now)


def record_use(root: Path, request: Request, *, now: datetime, sandbox_level: str = "") -> None:
    """Note that an approved action starts now. Raises StorageError: then it must not."""
    record = {
        "type": "approval_used",
        "requestId": request.id,
        "actionHash": request.action_hash,
        "target": request.action.text,
        "classes": list(request.classes),
        "timestamp": rfc3339(now),
    }
    append(root, LEARNING, record | ({"sandbox_level": sandbox_level} if sandbox_level else {}), now=now)


def used_since(root: Path, moment: datetime) -> frozenset[str]:
    """The classes of the approvals that were used from then on. Raises StorageError if the log is damaged."""
    path = root / LEARNING
    if _foreign(path) is not None:
        return frozenset()
    return frozenset(
        str(name)
        for entry in ledger.read(path)
        if isinstance(entry.record, dict) and entry.record.get("type") == "approval_used"
        if entry.time >= rfc3339(moment)
        for name in entry.record.get("classes", ())
    )


def recorded(root: Path, kind: Literal["human_decision", "approval_used"] = "human_decision") -> frozenset[str]:
    """The requests of which the log has a record of this kind. Raises StorageError if the log is damaged."""
    path = root / LEARNING
    if _foreign(path) is not None:
        return frozenset()
    records = (entry.record for entry in ledger.read(path))
    return frozenset(
        str(record.get("requestId")) for record in records if isinstance(record, dict) and record.get("type") == kind
    )


def lines(root: Path, log: Path) -> list[ledger.Entry]:
    """All lines of one of the logs; none of a file from before Ralph. Raises StorageError if the log is damaged."""
    return [] if _foreign(root / log) is not None else ledger.read(root / log)


def stand(root: Path) -> None:
    """Make both logs if they are missing: a sandbox would put a folder in their place. Raises OSError."""
    for log in (PROGRESS, LEARNING):
        path = root / log
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK, 0o644))


def append(root: Path, log: Path, record: dict[str, Any], *, now: datetime) -> None:
    """Add a record to one of the logs of the project at `root`; lines from before Ralph are set aside first."""
    path = root / log
    for folder in (path.parent, root / ".ralph"):
        if folder.is_symlink():
            raise StorageError(f"{folder} is a symbolic link, which Ralph does not follow: put a folder there.")
    if _foreign(path) is not None:
        with files.lock(root / ".ralph" / "logs"):
            _adopt(root, path, now)
    ledger.append(path, _plain(record), time=now)


def _decision(request: Request, answer: Answer, now: datetime) -> dict[str, Any]:
    return {
        "type": "human_decision",
        "decision": str(answer.decision),
        "requestId": request.id,
        "requestDigest": wire.digest(request),
        "actionHash": request.action_hash,
        "kind": request.action.kind,
        "target": request.action.text,
        "classes": list(request.classes),
        "rule": request.rule,
        "reason": answer.reason,
        "suggestion": answer.text or None,
        "decidedBy": answer.who,
        "keyId": answer.keyid,
        "agent": request.agent,
        "session": request.session,
        "askedAt": request.asked_at,
        "decidedAt": answer.decided_at,
        "timestamp": rfc3339(now),
    }


def _foreign(path: Path) -> bytes | None:
    """The content of a log that is not a chain of Ralph's from its first line on; None for a chain or no log."""
    try:
        data = files.read_bytes(path)
    except FileNotFoundError:
        return None
    first = data.split(b"\n", 1)[0]
    return None if not first or b'"prev":"' + ledger.GENESIS.encode() in first else data


def _adopt(root: Path, path: Path, now: datetime) -> None:
    """Keep the foreign file and begin a chain in its place; one rename, so that every moment has all lines."""
    data = _foreign(path)
    if data is None:
        return  # another process has just done it
    digest = hashlib.sha256(data).hexdigest()
    kept = root / _ADOPTED / f"{path.stem}-{digest[:16]}.jsonl"
    files.atomic_write(kept, data)
    record = {
        "type": "log_adopted",
        "kept": str(kept.relative_to(root)),
        "lines": len(data.splitlines()),
        "sha256": digest,
        "timestamp": rfc3339(now),
    }
    fresh = root / _ADOPTED / f".{path.name}.{digest[:16]}"
    fresh.unlink(missing_ok=True)
    try:
        ledger.append(fresh, record, time=now)
        os.replace(fresh, path)  # noqa: PTH105 - within one project, so within one file system
        files.sync_directory(path.parent)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {files.reason(error)}.") from None


def _plain(value: Any) -> Any:
    """Text with surrogates (names that are no UTF-8) written out, because canonical JSON has none."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value
