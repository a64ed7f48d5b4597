"""Exceptions: signed by a person, for a time, for exactly one thing; never an agent's, never forged."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ralph.approvals import decisions
from ralph.approvals.person import AGENT_MARKS
from ralph.errors import ApprovalError, StorageError, UsageError
from ralph.exceptions.book import Book, record_decision
from ralph.exceptions.model import Status, until
from ralph.system import ledger

START = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def book(tmp_path: Path, clock: Clock) -> Book:
    return Book(tmp_path / "project", {}, now=clock)


def granted(book: Book, **options: str) -> str:
    given = {"reason": "the server is down", "ends": "8h", **options}
    return book.grant("gate:abc-1.1", **given).grant.id


def test_an_exception_counts_until_its_end(book: Book, clock: Clock) -> None:
    granted(book)
    found = book.covering("gate:abc-1.1")
    assert found is not None
    assert "until 2026-11-22T20:00:00.000Z: the server is down" in found.sentence()
    assert book.covering("gate:abc-1.2") is None
    clock.time += timedelta(hours=8)
    assert book.covering("gate:abc-1.1") is None
    assert [each.status for each in book.entries()] == [Status.EXPIRED]


def test_a_clock_that_is_set_back_gives_nothing(book: Book, clock: Clock) -> None:
    granted(book)
    clock.time -= timedelta(hours=1)
    assert book.covering("gate:abc-1.1") is None


def test_it_is_bound_to_what_stood_there(book: Book) -> None:
    granted(book, subject="digest of npm test")
    assert book.covering("gate:abc-1.1", subject="digest of npm test")
    assert book.covering("gate:abc-1.1", subject="digest of true") is None


def test_it_can_be_taken_back_and_both_stay_on_record(book: Book) -> None:
    one = granted(book)
    taken = book.revoke(one[:5], reason="fixed")
    assert (taken.status, book.covering("gate:abc-1.1")) == (Status.REVOKED, None)
    assert "fixed" in taken.problem
    with pytest.raises(UsageError, match="revoked already"):
        book.revoke(one, reason="again")
    kinds = [line.record["type"] for line in ledger.read(book.root / decisions.LEARNING)]
    assert kinds == ["exception_granted", "exception_revoked"]


@pytest.mark.parametrize("mark", AGENT_MARKS)
def test_an_agent_decides_nothing(tmp_path: Path, book: Book, mark: str) -> None:
    one = granted(book)
    agents = Book(book.root, {mark: "1"})
    for act in (
        lambda: granted(agents),
        lambda: agents.revoke(one, reason="x"),
        lambda: record_decision(book.root, {mark: "1"}, "gate_retry", {}, "x"),
    ):
        with pytest.raises(ApprovalError, match="Only a person may decide"):
            act()
    assert len(agents.entries()) == 1, "it may look"


@pytest.mark.parametrize("reason", ["", "  "])
def test_a_reason_is_needed(book: Book, reason: str) -> None:
    with pytest.raises(UsageError, match="need a reason"):
        granted(book, reason=reason)


def _other_reason(record: dict[str, str]) -> None:
    envelope = json.loads(record["envelope"])
    envelope["payload"] = "eyJpZCI6MX0="
    record["envelope"] = json.dumps(envelope)


def _no_envelope(record: dict[str, str]) -> None:
    del record["envelope"]


def _reformatted(record: dict[str, str]) -> None:
    record["envelope"] = json.dumps(json.loads(record["envelope"]))


@pytest.mark.parametrize("forge", [_other_reason, _no_envelope, _reformatted])
def test_what_nobody_signed_is_shown_and_covers_nothing(
    book: Book, clock: Clock, forge: Callable[[dict[str, str]], None]
) -> None:
    granted(book)
    record = dict(ledger.read(book.root / decisions.LEARNING)[0].record)
    forge(record)
    (book.root / decisions.LEARNING).unlink()
    decisions.append(book.root, decisions.LEARNING, record, now=START)
    (found,) = book.entries()
    assert found.status is Status.UNTRUSTED
    assert found.problem
    assert book.covering("gate:abc-1.1") is None


def test_one_of_another_project_covers_nothing(book: Book, tmp_path: Path, clock: Clock) -> None:
    granted(book)
    other = Book(tmp_path / "other", {}, now=clock)
    record = ledger.read(book.root / decisions.LEARNING)[0].record
    decisions.append(other.root, decisions.LEARNING, record, now=START)
    assert other.covering("gate:abc-1.1") is None
    assert "not for this project" in other.entries()[0].problem


def test_a_key_that_is_not_trusted_signs_nothing(book: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    granted(book)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "somebody else"))
    assert book.covering("gate:abc-1.1") is None


def test_a_revocation_counts_even_if_it_cannot_be_checked(book: Book) -> None:
    one = granted(book)
    record = {"type": "exception_revoked", "exception": one, "envelope": "torn"}
    decisions.append(book.root, decisions.LEARNING, record, now=START)
    assert book.covering("gate:abc-1.1") is None


def test_a_damaged_log_is_an_error(book: Book) -> None:
    granted(book)
    path = book.root / decisions.LEARNING
    path.write_bytes(path.read_bytes().replace(b"server", b"Server", 1))
    with pytest.raises(StorageError, match="damaged at line 1"):
        book.entries()


def test_a_log_from_before_ralph_holds_no_exceptions(book: Book) -> None:
    path = book.root / decisions.LEARNING
    path.parent.mkdir(parents=True)
    path.write_text('{"type": "exception_granted"}\n')
    assert book.entries() == []
    granted(book)
    assert len(book.entries()) == 1


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("90m", "2026-11-22T13:30:00+00:00"),
        ("8h", "2026-11-22T20:00:00+00:00"),
        ("3d", "2026-11-25T12:00:00+00:00"),
        ("2026-12-31", "2026-12-31T00:00:00+00:00"),
        ("2026-12-31T12:00:00+02:00", "2026-12-31T10:00:00+00:00"),
        ("", None),
        ("soon", None),
        ("0h", None),
        ("-1d", None),
        ("91d", None),
        ("2026-11-21", None),
        ("9999d", None),
        ("forever", None),
    ],
)
def test_ends(text: str, end: str | None) -> None:
    if end is None:
        with pytest.raises(UsageError):
            until(text, START)
    else:
        assert until(text, START).isoformat() == end


@pytest.mark.parametrize("covers", ["limit:lines_added", "limit:", "limit:cost"])
def test_no_exception_lifts_a_limit(book: Book, covers: str) -> None:
    """Nothing would heed it; one that is granted all the same would be a promise that nobody keeps."""
    with pytest.raises(UsageError, match="lifts a limit: raise it where it stands"):
        book.grant(covers, reason="x", ends="1h")
    assert book.entries() == []


@pytest.mark.parametrize("covers", ["", "gate", "gate:", "verdict:x", "gate: x", "gate:a\nb", "everything"])
def test_what_cannot_be_covered(book: Book, covers: str) -> None:
    with pytest.raises(UsageError, match="nothing that an exception can cover"):
        book.grant(covers, reason="x", ends="1h")
