"""The ledger: nothing in it can be changed, removed or moved unnoticed; nothing appended is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralph.errors import StorageError
from ralph.system import ledger

MOMENT = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger of five lines."""
    for number in range(5):
        ledger.append(tmp_path / "ledger.jsonl", {"number": number, "text": "ü\n"}, time=MOMENT)
    return tmp_path / "ledger.jsonl"


def test_what_is_appended_is_read(path: Path) -> None:
    entries = ledger.read(path)
    assert [(entry.seq, entry.record["number"]) for entry in entries] == [(number + 1, number) for number in range(5)]
    assert [entry.prev for entry in entries] == [ledger.GENESIS, *(entry.digest for entry in entries[:-1])]
    assert entries[0].time == "2026-01-05T12:00:00.000Z"
    assert ledger.head(path) == (5, entries[-1].digest)
    assert ledger.verify(path, checkpoint=ledger.head(path)).ok


def test_no_ledger_is_an_empty_one(tmp_path: Path) -> None:
    assert ledger.read(tmp_path / "none") == []
    assert ledger.head(tmp_path / "none") == (0, ledger.GENESIS)
    assert ledger.verify(tmp_path / "none").ok


ATTACKS = {
    "a changed byte": (lambda lines: [*lines[:2], lines[2].replace(b":2", b":3", 1), *lines[3:]], 3),
    "a removed line": (lambda lines: [*lines[:2], *lines[3:]], 3),
    "a removed first line": (lambda lines: lines[1:], 1),
    "two lines swapped": (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], 2),
    "a line twice": (lambda lines: [*lines[:2], lines[1], *lines[2:]], 3),
    "an empty line": (lambda lines: [*lines[:4], b"", lines[4]], 5),
    "a space": (lambda lines: [lines[0] + b" ", *lines[1:]], 1),
    "deep nesting": (lambda lines: [b"[" * 100_000, *lines[1:]], 1),
}


@pytest.mark.parametrize(("change", "line"), ATTACKS.values(), ids=ATTACKS.keys())
def test_an_attack_is_found_at_its_line(path: Path, change, line: int) -> None:  # type: ignore[no-untyped-def]
    path.write_bytes(b"\n".join(change(path.read_bytes().splitlines())) + b"\n")
    report = ledger.verify(path)
    assert (report.ok, report.line) == (False, line)
    assert report.reason
    with pytest.raises(StorageError, match=f"damaged at line {line}"):
        ledger.read(path)


def test_a_fork_is_found(path: Path, tmp_path: Path) -> None:
    """Two histories from one point, joined: each line is good by itself."""
    other = tmp_path / "other"
    other.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:3]))
    ledger.append(other, {"number": "another"}, time=MOMENT)
    fork = other.read_bytes().splitlines(keepends=True)[3]
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], fork, lines[4]]))
    assert (ledger.verify(path).line, ledger.verify(path).ok) == (5, False)


def test_missing_lines_at_the_end_are_found_with_a_checkpoint(path: Path) -> None:
    checkpoint = ledger.head(path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:3]))
    assert ledger.verify(path).ok  # the chain alone cannot know
    report = ledger.verify(path, checkpoint=checkpoint)
    assert (report.ok, report.line) == (False, 4)
    assert "2 lines are missing" in (report.reason or "")


def test_a_ledger_written_anew_is_found_with_a_checkpoint(path: Path) -> None:
    checkpoint = ledger.head(path)
    path.unlink()
    for _ in range(9):
        ledger.append(path, "new", time=MOMENT)
    assert ledger.verify(path).ok
    assert "written anew" in (ledger.verify(path, checkpoint=checkpoint).reason or "")


def test_a_checkpoint_stays_good_as_the_ledger_grows(path: Path) -> None:
    checkpoint = ledger.head(path)
    ledger.append(path, "more", time=MOMENT)
    assert ledger.verify(path, checkpoint=checkpoint).ok


def test_a_torn_last_line_is_ignored_and_cut_by_the_next_append(path: Path) -> None:
    whole = path.read_bytes()
    for size in (1, 40, len(whole.splitlines()[-1]) - 1):
        path.write_bytes(whole + whole.splitlines()[-1][:size])
        assert len(ledger.read(path)) == 5
        assert ledger.verify(path).ok
        assert ledger.append(path, "next", time=MOMENT).seq == 6
        assert ledger.verify(path).ok
        path.write_bytes(whole)


def test_a_first_line_that_is_torn(tmp_path: Path) -> None:
    (tmp_path / "ledger").write_bytes(b'{"digest":')
    assert ledger.append(tmp_path / "ledger", 1, time=MOMENT).seq == 1
    assert ledger.verify(tmp_path / "ledger").entries == 1


def test_nothing_is_added_to_a_damaged_end(path: Path) -> None:
    before = path.read_bytes()[:-3] + b"x}\n"
    path.write_bytes(before)
    with pytest.raises(StorageError, match="nothing was added"):
        ledger.append(path, "next", time=MOMENT)
    assert path.read_bytes() == before


@pytest.mark.parametrize("record", [float("nan"), 2**60, {1}, {1: 2}, "\ud800"], ids=ascii)
def test_a_record_that_canonical_json_cannot_hold_is_refused(path: Path, record: object) -> None:
    before = path.read_bytes()
    with pytest.raises(StorageError, match="cannot be recorded"):
        ledger.append(path, record, time=MOMENT)
    assert path.read_bytes() == before


def test_long_lines(tmp_path: Path) -> None:
    for size in (10, 200_000, 65_536, 3):
        ledger.append(tmp_path / "ledger", "x" * size, time=MOMENT)
    assert [len(entry.record) for entry in ledger.read(tmp_path / "ledger")] == [10, 200_000, 65_536, 3]


APPEND = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from ralph.system import ledger
for number in range(25):
    ledger.append(Path(sys.argv[1]), [sys.argv[2], number], time=datetime.now(UTC))
"""


def test_many_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    writers = [subprocess.Popen([sys.executable, "-c", APPEND, str(path), str(name)]) for name in range(5)]
    assert [writer.wait(60) for writer in writers] == [0] * 5
    assert ledger.verify(path).ok
    records = [entry.record for entry in ledger.read(path)]
    assert sorted(records) == [[str(name), number] for name in range(5) for number in range(25)]


def test_killed_appenders_leave_a_ledger_that_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    for _ in range(10):
        with subprocess.Popen([sys.executable, "-c", APPEND, str(path), "x"]) as writer:
            try:
                writer.wait(0.15)
            except subprocess.TimeoutExpired:
                writer.kill()
        assert ledger.verify(path).ok
    last = ledger.append(path, "still", time=MOMENT)
    assert json.loads(path.read_bytes().splitlines()[-1])["digest"] == last.digest


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_any_single_changed_byte_is_found(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Judged with a checkpoint, as verdicts do: a byte changed in the last newline only tears the last line."""
    path = tmp_path_factory.mktemp("ledger") / "ledger"
    for number in range(4):
        ledger.append(path, {"n": number, "é": [True, None, 1.5]}, time=MOMENT)
    checkpoint = ledger.head(path)
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    assert not ledger.verify(path, checkpoint=checkpoint).ok


def test_a_batch_is_a_chain_like_any_other(path: Path) -> None:
    batch = ledger.append_all(path, [{"number": 5, "text": ""}, [None, True, 1.5, "ü"], "x"], time=MOMENT)
    assert [entry.seq for entry in batch] == [6, 7, 8]
    assert ledger.read(path)[5:] == batch
    assert ledger.append_all(path, [], time=MOMENT) == []
    assert ledger.verify(path).entries == 8


@pytest.mark.parametrize("bad", [float("nan"), "\ud800", object(), 2**53])
def test_a_batch_is_written_whole_or_not_at_all(path: Path, bad: object) -> None:
    before = path.read_bytes()
    with pytest.raises(StorageError, match="not plain JSON"):
        ledger.append_all(path, ["good", bad], time=MOMENT)
    assert path.read_bytes() == before


def test_following_reads_what_is_new(path: Path) -> None:
    entries, place = ledger.follow(path)
    assert (entries, place.seq, place.offset) == (ledger.read(path), 5, path.stat().st_size)
    assert ledger.follow(path, place) == ([], place)
    added = ledger.append(path, "x", time=MOMENT)
    assert ledger.follow(path, place)[0] == [added]


def test_what_was_read_before_must_still_stand(path: Path) -> None:
    _, place = ledger.follow(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(StorageError, match="line 6: lines that were read before are gone"):
        ledger.follow(path, place)
    other = path.with_name("other")
    for number in range(6):
        ledger.append(other, {"number": number, "text": "x\n"}, time=MOMENT)
    with pytest.raises(StorageError, match="line 6"):
        ledger.follow(other, place)


def test_line_ends_that_a_tool_converted_change_nothing(path: Path) -> None:
    before = ledger.read(path)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert ledger.read(path) == before
    assert ledger.append(path, "x", time=MOMENT).seq == 6
    assert ledger.verify(path, checkpoint=(5, before[-1].digest)).ok
