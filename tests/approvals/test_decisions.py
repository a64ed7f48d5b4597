"""The logs of violations and decisions: their records, and what stood in the files before."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from ralph.approvals.decisions import LEARNING, PROGRESS, record_violation
from ralph.approvals.model import Decision
from ralph.errors import StorageError
from ralph.permissions.model import Action, Outcome, ReadPath, RunCommand, UseTool, WritePath
from ralph.permissions.model import Decision as Judgement
from ralph.system import ledger
from tests.approvals.situation import START, Situation

DENIED = Judgement(outcome=Outcome.DENY, rule="commands.deny: sudo", reason="it is denied")
ASKS = Judgement(outcome=Outcome.APPROVE, rule="approval.requiredFor: destructive_ops", reason="it deletes")

VIOLATIONS: dict[str, tuple[Action, Judgement, str, str]] = {
    "command": (RunCommand("sudo ls"), DENIED, "command_denied", "sudo ls"),
    "read": (ReadPath(".env"), DENIED, "file_read_denied", ".env"),
    "write": (WritePath(".git/config"), DENIED, "file_write_denied", ".git/config"),
    "tool": (UseTool("WebFetch", "https://x"), DENIED, "tool_denied", "WebFetch https://x"),
    "asks": (RunCommand("rm a"), ASKS, "approval_required", "rm a"),
    "no text": (RunCommand("cat \udcff"), DENIED, "command_denied", "cat \\udcff"),
}


@pytest.mark.parametrize("name", VIOLATIONS)
def test_a_violation(tmp_path: Path, name: str) -> None:
    action, judgement, kind, target = VIOLATIONS[name]
    record_violation(tmp_path, action, judgement, now=START, agent="claude", task="T-1")
    (entry,) = ledger.read(tmp_path / PROGRESS)
    assert entry.record == {
        "type": "policy_violation",
        "violationType": kind,
        "target": target,
        "rule": judgement.rule,
        "reason": judgement.reason,
        "classes": [],
        "timestamp": "2026-11-22T12:00:00.000Z",
        "agent": "claude",
        "taskId": "T-1",
    }


@pytest.mark.parametrize("decision", [Decision.APPROVED, Decision.REJECTED, Decision.SUGGESTED])
def test_a_decision(place: Situation, decision: Decision) -> None:
    request = place.ask()
    answer = place.decide(request, decision, "use npm ci")
    place.queue.wait(request, 1)
    (entry,) = ledger.read(place.root / LEARNING)
    found = {key: entry.record[key] for key in ("type", "decision", "requestId", "target", "reason", "suggestion")}
    assert found == {
        "type": "human_decision",
        "decision": decision,
        "requestId": request.id,
        "target": "npm install left-pad",
        "reason": "needed",
        "suggestion": "use npm ci",
    }
    assert (entry.record["keyId"], entry.record["decidedBy"]) == (answer.keyid, answer.who)


@pytest.mark.parametrize(
    "before",
    [b'{"type":"task_completed"}\n', b"no JSON at all", b"\xff\n\n", b'{"torn', b'{"prev":"x"}\n'],
    ids=["lines", "text", "bytes", "torn", "like a chain"],
)
def test_lines_from_before_are_kept_and_bound_into_the_chain(place: Situation, before: bytes) -> None:
    (place.root / "state").mkdir()
    (place.root / LEARNING).write_bytes(before)
    place.decide(place.ask())
    adopted, decision = ledger.read(place.root / LEARNING)
    assert adopted.record["type"] == "log_adopted"
    assert adopted.record["sha256"] == hashlib.sha256(before).hexdigest()
    assert (place.root / adopted.record["kept"]).read_bytes() == before
    assert decision.record["type"] == "human_decision"


def test_a_damaged_chain_is_no_foreign_log(place: Situation) -> None:
    """Nothing is approved that could not be recorded, and nothing is set aside quietly."""
    first, second = place.ask(), place.ask(session="s2")
    place.decide(first)
    log = place.root / LEARNING
    log.write_bytes(log.read_bytes().replace(b"left-pad", b"evil-pad"))
    with pytest.raises(StorageError, match="is damaged at line 1"):
        place.decide(second)
    with pytest.raises(StorageError, match="is damaged at line 1"):
        place.queue.consume(first)
    assert not (place.root / ".ralph" / "adopted").exists()


@pytest.mark.parametrize("planted", ["state", "state/progress.jsonl", ".ralph"])
def test_links_are_not_followed(tmp_path: Path, planted: str) -> None:
    root, outside = tmp_path / "project", tmp_path / "outside"
    (root / planted).parent.mkdir(parents=True)
    outside.mkdir()
    (root / planted).symlink_to(outside if "." not in planted[1:] else outside / "file")
    with pytest.raises(StorageError, match="symbolic link"):
        record_violation(root, RunCommand("x"), DENIED, now=START)
    assert list(outside.iterdir()) == []
