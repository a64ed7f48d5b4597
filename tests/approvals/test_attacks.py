"""What an agent that can write the queue (no sandbox) may try: nothing of it approves anything."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from ralph import record
from ralph.approvals import sealing, wire
from ralph.approvals.model import Answer, Decision, Request, Status, shown
from ralph.audit import dsse
from ralph.audit.keys import SigningKey, signing_key
from ralph.errors import ApprovalError, RalphError, StorageError
from ralph.permissions.model import RunCommand
from ralph.system.clock import rfc3339
from tests.approvals.situation import INSTALL, POLICY, START, Situation

YES = Answer(decision=Decision.APPROVED, reason="needed", who="ann")


def refused(place: Situation, request: Request, words: str) -> None:
    """The one who waits is told, and nothing may start."""
    with pytest.raises(ApprovalError, match=words):
        place.queue.wait(request, 1)
    with pytest.raises(ApprovalError, match=words):
        place.queue.consume(request)


def foreign_key() -> SigningKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return SigningKey(Ed25519PrivateKey.generate())


def signed(asked: Request, key: SigningKey, **changed: str) -> bytes:
    fields = {
        "request": asked.id,
        "request_digest": wire.digest(asked),
        "action_hash": asked.action_hash,
        "expires_at": asked.expires_at,
        "decision": "approved",
        "reason": "needed",
        "text": "",
        "who": "ann",
        "decided_at": rfc3339(START),
    }
    return dsse.seal(fields | changed, sealing.PAYLOAD_TYPE, key)


FORGED: dict[str, tuple[Callable[[Situation, Request], bytes], str]] = {
    "no envelope": (lambda _, request: b'{"decision": "approved"}', "is not a signed envelope"),
    "empty": (lambda _, request: b"", "is not a signed envelope"),
    "unsigned": (
        lambda place, request: json.dumps(
            json.loads(signed(request, signing_key(place.root))) | {"signatures": []}, indent=1
        ).encode(),
        "is not a signed envelope",
    ),
    "another key": (lambda _, request: signed(request, foreign_key()), "unknown key"),
    "another type": (
        lambda place, request: dsse.seal(asdict(YES), dsse.IN_TOTO, signing_key(place.root)),
        "not, byte for byte",
    ),
    "edited": (
        lambda place, request: signed(request, signing_key(place.root), decision="rejected").replace(b"p", b"q", 1),
        "is not a signed envelope|not, byte for byte",
    ),
    "another request": (
        lambda place, request: signed(request, signing_key(place.root), request="0" * 14),
        "given to another request",
    ),
    "another text": (
        lambda place, request: signed(request, signing_key(place.root), request_digest="0" * 64),
        "the request was changed",
    ),
    "another action": (
        lambda place, request: signed(request, signing_key(place.root), action_hash="0" * 64),
        "the request was changed",
    ),
    "longer life": (
        lambda place, request: signed(request, signing_key(place.root), expires_at="2036-01-01T00:00:00.000Z"),
        "the request was changed",
    ),
    "too late": (
        lambda place, request: signed(request, signing_key(place.root), decided_at=request.expires_at),
        "not given by a person in time",
    ),
    "no reason": (lambda place, request: signed(request, signing_key(place.root), reason=" "), "lacks the reason"),
    "no decision": (
        lambda place, request: signed(request, signing_key(place.root), decision="expired"),
        "not given by a person",
    ),
    "odd decision": (lambda place, request: signed(request, signing_key(place.root), decision="yes"), "is damaged"),
    "other fields": (lambda place, request: signed(request, signing_key(place.root), extra="x"), "is damaged"),
    "huge": (lambda _, request: b"x" * (wire.LARGEST + 1), "is larger than any"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_answer(place: Situation, name: str) -> None:
    forge, words = FORGED[name]
    request = place.ask()
    place.file(request, "answer").write_bytes(forge(place, request))
    refused(place, request, words)
    assert place.entry(request).status is Status.DAMAGED
    with pytest.raises(ApprovalError, match=words):
        place.decide(request)


def test_the_same_answer_unforged_is_good(place: Situation) -> None:
    request = place.ask()
    place.file(request, "answer").write_bytes(signed(request, signing_key(place.root)))
    assert place.queue.wait(request, 1).approved


def test_a_replayed_answer(place: Situation) -> None:
    """An approval that was used is no approval of the same action asked for again."""
    first = place.ask()
    place.decide(first)
    place.queue.consume(first)
    second = place.ask()
    shutil.copy(place.file(first, "answer"), place.file(second, "answer"))
    refused(place, second, "given to another request")


def test_a_used_approval_whose_sign_was_removed(place: Situation) -> None:
    request = place.ask()
    place.decide(request)
    place.queue.consume(request)
    place.file(request, "closed").unlink()
    assert place.ask() == request
    with pytest.raises(ApprovalError, match="somebody removed the sign"):
        place.queue.consume(request)


def test_a_request_changed_after_asking(place: Situation) -> None:
    """The person reads a harmless text, consistently hashed; the one who waits asked for something else."""
    request = place.ask(RunCommand("rm -rf src"))
    harmless = shown(RunCommand("ls"))
    changed = replace(request, action=harmless, action_hash=wire.hash_of(harmless, request.policy_digest, request.root))
    place.file(request, "request").write_bytes(wire.encode(changed))
    place.decide(request)
    refused(place, request, "the request was changed")


@pytest.mark.parametrize("field", ["reason", "agent", "detail", "expires_at", "classes", "requires_reason"])
def test_what_surrounds_the_action_changed_after_asking(place: Situation, field: str) -> None:
    request = place.ask()
    other: dict[str, Any] = {
        "expires_at": "2026-11-22T12:30:00.000Z",
        "classes": ("harmless",),
        "requires_reason": False,
    }
    changed = replace(request, **{field: other.get(field, "harmless")})
    place.file(request, "request").write_bytes(wire.encode(changed))
    place.decide(request)
    refused(place, request, "the request was changed")


def test_a_request_changed_after_it_was_shown(place: Situation) -> None:
    request = place.ask()
    seen = place.entry(request).request
    assert seen
    place.file(request, "request").write_bytes(wire.encode(replace(request, reason="harmless")))
    with pytest.raises(ApprovalError, match="changed after it was shown"):
        place.desk.answer(seen, Decision.APPROVED, reason="needed")


def test_a_planted_request_is_never_taken_over_for_longer(place: Situation) -> None:
    """An agent writes a request of its own that lives for ten years, and waits for a moment of inattention."""
    request = place.ask()
    place.queue.withdraw(request)
    planted = replace(request, id=f"{request.action_hash[:8]}000000", expires_at="2036-01-01T00:00:00.000Z")
    place.file(planted, "request").write_bytes(wire.encode(planted))
    place.decide(planted)
    assert place.ask().id != planted.id


DAMAGED: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "no JSON": lambda data: b"{",
    "cut": lambda data: data[:-20],
    "a list": lambda data: b"[]\n",
    "deep": lambda data: b"[" * 100_000,
    "other text": lambda data: data.replace(b"left-pad", b"evil-pad"),
    "a blank more": lambda data: data.replace(b'"agent": ', b'"agent":  '),
    "unknown field": lambda data: data.replace(b'"agent"', b'"agents"'),
    "field twice": lambda data: data.replace(b'"agent": "claude",', b'"agent": "claude", "agent": "claude",'),
    "bad time": lambda data: data.replace(b'"asked_at": "2026', b'"asked_at": "soon'),
    "no text": lambda data: b"\xff\xfe",
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_request(place: Situation, name: str) -> None:
    """It is shown as damaged, takes no answer, and hinders no other."""
    request, other = place.ask(), place.ask(session="s2")
    place.file(request, "request").write_bytes(DAMAGED[name](place.file(request, "request").read_bytes()))
    entry = place.entry(request)
    assert (entry.status, entry.request) == (Status.DAMAGED, None)
    assert entry.problem
    assert "counts as rejected" in entry.problem
    with pytest.raises(ApprovalError, match="counts as rejected"):
        place.desk.answer(request, Decision.APPROVED, reason="needed")
    place.decide(other)
    assert place.queue.wait(other, 1).approved
    assert place.ask(session="s3").id not in (request.id, other.id)


def test_a_request_of_another_project(place: Situation, tmp_path: Path) -> None:
    elsewhere = Situation(tmp_path / "elsewhere")
    request = elsewhere.ask()
    place.ask()
    shutil.copy(elsewhere.file(request, "request"), place.folder)
    assert place.entry(request).status is Status.DAMAGED


def test_a_damaged_end_is_no_approval(place: Situation) -> None:
    request = place.ask()
    place.decide(request)
    place.file(request, "closed").write_bytes(b"{}")
    refused(place, request, "end of approval request")


@pytest.mark.parametrize("kind", ["request", "answer", "closed"])
@pytest.mark.parametrize("plant", ["link", "dangling link", "folder", "pipe"])
def test_planted_things_are_not_followed(place: Situation, tmp_path: Path, kind: str, plant: str) -> None:
    request = place.ask()
    place.decide(request)
    path, target = place.file(request, kind), tmp_path / "target"
    if path.exists() and plant == "link":
        shutil.copy(path, target)
    path.unlink(missing_ok=True)
    if plant == "folder":
        path.mkdir()
    elif plant == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(target)
    assert place.entry(request).status is Status.DAMAGED
    if kind != "request":
        refused(place, request, "symbolic link|no plain file|is a directory")


@pytest.mark.parametrize("name", [".ralph", ".ralph/approvals"])
@pytest.mark.parametrize("plant", ["link", "file"])
def test_the_folder_itself_is_no_link(tmp_path: Path, name: str, plant: str) -> None:
    place, outside = Situation(tmp_path / "project"), tmp_path / "outside"
    outside.mkdir()
    (place.root / name).parent.mkdir(exist_ok=True)
    if plant == "link":
        (place.root / name).symlink_to(outside)
    else:
        (place.root / name).touch()
    for act in (place.ask, place.desk.entries):
        with pytest.raises(StorageError, match="does not follow"):
            act()
    assert list(outside.iterdir()) == []


def test_temporary_names_and_locks_of_others_are_no_trap(place: Situation, tmp_path: Path) -> None:
    place.ask()
    (place.folder / ".x.tmp").symlink_to(tmp_path / "precious")
    (tmp_path / "precious").write_text("precious")
    (place.folder / "y.tmp").mkdir()
    place.ask(session="s2")
    assert (tmp_path / "precious").read_text() == "precious"
    assert not (place.folder / ".x.tmp").is_symlink()
    (place.folder / ".lock").unlink()
    (place.folder / ".lock").symlink_to(tmp_path / "precious")
    with pytest.raises(StorageError, match="cannot be locked"):
        place.ask(session="s3")


def test_keys_inside_the_project_do_not_count(place: Situation, monkeypatch: pytest.MonkeyPatch) -> None:
    request = place.ask()
    place.decide(request)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place.root / "config"))
    with pytest.raises(StorageError, match="lies inside the repository"):
        place.queue.wait(request, 1)
    with pytest.raises(RalphError, match="lies inside the repository"):
        place.decide(place.ask(session="s2"))


def test_an_action_that_is_no_text_cannot_be_asked_for(place: Situation) -> None:
    with pytest.raises(ApprovalError, match="bytes that are no text"):
        place.ask(RunCommand("cat \udcff"))


BOUND = {
    "text": wire.action_hash(RunCommand("npm install left-pad "), POLICY.digest, "/p"),
    "directory": wire.action_hash(record.replace(INSTALL, cwd="/p/sub"), POLICY.digest, "/p"),
    "policy": wire.action_hash(INSTALL, "cd" * 32, "/p"),
    "project": wire.action_hash(record.replace(INSTALL, cwd="/p"), POLICY.digest, "/q"),
}


@pytest.mark.parametrize("what", BOUND)
def test_the_hash_binds_all_that_decides(what: str) -> None:
    assert BOUND[what] != wire.action_hash(INSTALL, POLICY.digest, "/p")


def test_the_hash_is_the_same_for_the_same(tmp_path: Path) -> None:
    assert wire.action_hash(record.replace(INSTALL, cwd="/p"), "x", "/p") == wire.action_hash(INSTALL, "x", "/p")
