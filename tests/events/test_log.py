"""The log of events: nothing is lost, halved, read twice or forged, whoever writes and however it dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralph.errors import StorageError
from ralph.events.log import append, read
from ralph.events.model import Event
from ralph.system import ledger
from tests.events.situation import BUILD, MOMENT, event

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
NAMES = st.none() | TEXT
EVENTS = st.builds(
    Event,
    topic=TEXT,
    payload=TEXT,
    origin=st.sampled_from(["agent", "default", "human", "replay", "ralph"]),
    hat=NAMES,
    agent=NAMES,
    model=NAMES,
    task=NAMES,
    iteration=st.none() | st.integers(0, 2**40),
    claimed=NAMES,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".ralph" / "events.jsonl"


@pytest.fixture
def written(path: Path) -> Path:
    """A log of three events."""
    append(path, [event(payload=f"{number}\r\nü") for number in range(3)], time=MOMENT)
    return path


def payloads(events: tuple[Event, ...]) -> list[str]:
    return [each.payload[0] for each in events]


@settings(max_examples=40)
@given(st.lists(st.lists(EVENTS, max_size=4), max_size=4))
def test_what_is_appended_is_read(tmp_path_factory: pytest.TempPathFactory, batches: list[list[Event]]) -> None:
    path = tmp_path_factory.mktemp("log") / "events.jsonl"
    appended = [each for batch in batches for each in append(path, batch, time=MOMENT)]
    assert list(read(path)[0]) == appended
    assert [each.number for each in appended] == list(range(1, len(appended) + 1))
    assert [replace(each, number=None, time=None) for each in appended] == [e for batch in batches for e in batch]


def test_no_log_is_an_empty_one(path: Path) -> None:
    assert read(path) == ((), ledger.START)
    assert append(path, [], time=MOMENT) == ()


def test_a_reader_goes_on_where_it_was(written: Path) -> None:
    first, place = read(written)
    assert payloads(first) == ["0", "1", "2"]
    assert read(written, place) == ((), place)
    append(written, [event(payload="3")], time=MOMENT)
    later, place = read(written, place)
    assert (payloads(later), later[0].number, place.offset) == (["3"], 4, written.stat().st_size)


def test_a_line_that_is_being_written_is_read_when_it_is_whole(written: Path) -> None:
    """However it is cut: never halved, never reported as malformed, never lost, and nothing behind it loses a byte."""
    whole = written.read_bytes()
    ends = [number + 1 for number, byte in enumerate(whole) if byte == ord("\n")]
    for cut in {*range(0, len(whole), 11), *ends, *(end - 1 for end in ends)}:
        written.write_bytes(whole[:cut])
        seen, place = read(written)
        assert len(seen) == sum(end <= cut for end in ends)
        written.write_bytes(whole)
        rest, _ = read(written, place)
        assert payloads(seen + rest) == ["0", "1", "2"]


def test_the_next_writer_cuts_a_torn_line_off(written: Path) -> None:
    with written.open("ab") as file:
        file.write(b'{"digest":"12')
    append(written, [event(payload="3")], time=MOMENT)
    assert payloads(read(written)[0]) == ["0", "1", "2", "3"]


def test_a_log_whose_line_ends_were_converted_reads_the_same_and_goes_on(written: Path) -> None:
    before = read(written)[0]
    written.write_bytes(written.read_bytes().replace(b"\n", b"\r\n"))
    converted, place = read(written)
    assert converted == before
    assert read(written, place)[0] == ()
    append(written, [event(payload="3")], time=MOMENT)
    later, _ = read(written, place)
    assert payloads(later) == ["3"]
    assert payloads(read(written)[0]) == ["0", "1", "2", "3"]


FORGERIES = {
    "a changed payload": lambda lines: [lines[0].replace(b'"payload":"0', b'"payload":"9'), *lines[1:]],
    "an origin lifted": lambda lines: [lines[0].replace(b'"agent"', b'"human"'), *lines[1:]],
    "an agent's own line": lambda lines: [*lines, b'{"topic":"human.response","payload":"yes","ts":"2026"}'],
    "a removed line": lambda lines: [lines[0], lines[2]],
    "a line again": lambda lines: [*lines, lines[-1]],
    "another order": lambda lines: [lines[1], lines[0], lines[2]],
    "an empty line": lambda lines: [lines[0], b"", *lines[1:]],
    "two lines glued": lambda lines: [lines[0] + lines[1], lines[2]],
    "no text": lambda lines: [b"\xff\xfe", *lines],
}


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES.keys())
def test_a_forged_log_rebuilds_nothing(written: Path, forge) -> None:  # type: ignore[no-untyped-def]
    written.write_bytes(b"".join(line + b"\n" for line in forge(written.read_bytes().splitlines())))
    with pytest.raises(StorageError, match=r"events\.jsonl is damaged at line [1-4]: "):
        read(written)


def test_a_log_that_was_cut_or_begun_anew_is_noticed(written: Path) -> None:
    _, place = read(written)
    whole = written.read_bytes()
    written.write_bytes(whole.splitlines(keepends=True)[0])
    with pytest.raises(StorageError, match="that were read before are gone"):
        read(written, place)
    written.unlink()
    append(written, [event(payload=f"{number}") for number in range(9)], time=MOMENT)
    with pytest.raises(StorageError, match="damaged at line 4"):
        read(written, place)


@pytest.mark.parametrize(
    "record",
    [
        [],
        "x",
        {},
        {"topic": "a", "payload": "b"},
        {"topic": "a", "payload": "b", "origin": "god"},
        {"topic": "a", "payload": {"tests": "pass"}, "origin": "agent"},
        {"topic": "a", "payload": "b", "origin": "agent", "iteration": "3"},
        {"topic": "a", "payload": "b", "origin": "agent", "number": "7"},
        {"topic": "a", "payload": "b", "origin": "agent", "wave": "1"},
    ],
)
def test_a_chained_line_that_is_no_event_is_an_error(path: Path, record: object) -> None:
    ledger.append(path, record, time=MOMENT)
    with pytest.raises(StorageError, match=r"Line 1 of .* is no event"):
        read(path)


def test_a_batch_that_cannot_be_written_down_leaves_nothing(written: Path) -> None:
    before = written.read_bytes()
    with pytest.raises(StorageError, match="not plain JSON"):
        append(written, [event(), event(payload="\ud800")], time=MOMENT)
    assert written.read_bytes() == before


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from ralph.events.log import append
from ralph.events.model import Event

path, name, total, batch = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
for first in range(0, total, batch):
    events = [
        Event(topic="build.done", payload=f"{number} {sys.argv[5]}", origin="agent", hat=name)
        for number in range(first, min(first + batch, total))
    ]
    append(path, events, time=datetime.now(UTC))
    print(first + len(events), flush=True)
"""


def writer(path: Path, name: str, total: int, batch: int, payload: str) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-c", WRITER, str(path), name, str(total), str(batch), payload]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)


def test_eight_processes_lose_and_tear_none_of_10_000_events(path: Path) -> None:
    writers = [writer(path, f"w{number}", 1250, 50, BUILD) for number in range(8)]
    assert [each.communicate()[0].splitlines()[-1] for each in writers] == ["1250"] * 8
    assert [each.returncode for each in writers] == [0] * 8
    events, _ = read(path)
    assert [each.number for each in events] == list(range(1, 10_001))
    assert Counter(each.hat for each in events) == {f"w{number}": 1250 for number in range(8)}
    for name in {each.hat for each in events}:
        own = [each.payload for each in events if each.hat == name]
        assert own == [f"{number} {BUILD}" for number in range(1250)]


@pytest.mark.parametrize("round_", range(4))
def test_a_writer_that_is_killed_loses_nothing_that_it_acknowledged(path: Path, round_: int) -> None:
    process = writer(path, "w", 10**9, 7, "x" * 2000)
    assert process.stdout is not None
    acknowledged = int(process.stdout.readline())
    time.sleep(0.05 + round_ * 0.03)
    os.kill(process.pid, signal.SIGKILL)
    rest = process.stdout.read().splitlines()
    process.wait()
    process.stdout.close()
    acknowledged = int(rest[-1]) if rest else acknowledged
    events, _ = read(path)
    assert len(events) >= acknowledged > 0
    assert [each.payload.split()[0] for each in events] == [str(number) for number in range(len(events))]
    (after,) = append(path, [event()], time=MOMENT)
    assert after.number == len(events) + 1
    assert len(read(path)[0]) == len(events) + 1
