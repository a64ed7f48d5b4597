"""Transcripts: written as it happens, read back strictly."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.agents.base import (
    Claim,
    Decided,
    End,
    EndReason,
    Record,
    Started,
    Text,
    ToolCall,
    ToolResult,
    Turn,
    Usage,
)
from ralph.agents.recording import TRANSCRIPT, Heading, Recording, Take, from_json, read, to_json
from ralph.errors import StorageError
from tests.agents.playing import play, scripted, turn_in
from tests.guardrails.secrets.fakes import KEYS

OPTIONAL = st.none() | st.text()
COUNT = st.integers(0, 2**53 - 1)
USAGE = st.builds(
    Usage,
    input_tokens=COUNT,
    output_tokens=COUNT,
    cache_read_tokens=COUNT,
    cost_usd=st.none() | st.floats(0, 1e6),
    context_tokens=st.none() | COUNT,
    model_calls=COUNT,
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.text() | st.integers(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
RECORDS = st.one_of(
    st.builds(Started, session=OPTIONAL, model=OPTIONAL, agent=OPTIONAL, detail=OPTIONAL),
    st.builds(Text, st.text()),
    st.builds(ToolCall, st.text(), st.text(), OPTIONAL, st.none() | st.dictionaries(st.text(), VALUES)),
    st.builds(Decided, id=OPTIONAL, tool=st.text(), outcome=st.sampled_from(["allow", "deny"]), reason=st.text()),
    st.builds(ToolResult, st.booleans(), st.text(), OPTIONAL, st.booleans()),
    st.builds(Claim, st.text(), st.text()),
    USAGE,
    st.builds(End, st.sampled_from(get_args(EndReason)), OPTIONAL, st.none() | USAGE, st.none() | st.floats(0, 1e6)),
)


class Player:
    """An agent that plays records; `closed` once its client has ended."""

    name = "player"

    def __init__(self, *records: Record) -> None:
        self.records = records
        self.closed = False

    def run(self, turn: Turn) -> Iterator[Record]:
        try:
            yield from self.records
        finally:
            self.closed = True


def recorded(place: Path, *records: Record) -> Path:
    assert play(Recording(Player(*records)), turn_in(place, folder=place / "turn")) == list(records)
    return place / "turn" / TRANSCRIPT


@given(RECORDS)
def test_a_record_comes_back_as_it_was(record: Record) -> None:
    line = json.dumps(to_json(record)).encode()
    assert from_json(json.loads(line), "here") == record


def test_a_take(tmp_path: Path) -> None:
    path = recorded(tmp_path, Text("hello\n\udcff\u2028"), End("completed"))
    work = str(tmp_path / "work")
    heading = Heading(agent="player", iteration=1, prompt="go", workdir=work)
    assert read(path) == (Take(heading, (Text("hello\n\udcff\u2028"), End("completed"))),)


def test_every_record_is_on_the_disk_before_it_is_acted_on(tmp_path: Path) -> None:
    agent = Recording(scripted(tmp_path, "turns: [[{say: one}, {say: two}]]"))
    seen = []
    for record in agent.run(turn_in(tmp_path, folder=tmp_path / "turn")):
        seen.append(record)
        assert read(tmp_path / "turn" / TRANSCRIPT)[0].records == tuple(seen)
    assert len(seen) == 4


def test_the_environment_is_not_in_it(tmp_path: Path) -> None:
    agent = Recording(Player(End("completed")))
    play(agent, turn_in(tmp_path, folder=tmp_path / "turn", env={"RALPH_TOKEN": "very-secret"}))
    assert "very-secret" not in (tmp_path / "turn" / TRANSCRIPT).read_text()


def test_a_turn_without_a_folder_is_not_recorded(tmp_path: Path) -> None:
    assert play(Recording(Player(End("completed"))), turn_in(tmp_path)) == [End("completed")]
    assert Recording(Player()).name == "player"


def test_a_turn_that_is_played_again_is_a_new_take(tmp_path: Path) -> None:
    recorded(tmp_path, Text("one"))
    assert [take.records for take in read(recorded(tmp_path, Text("two")))] == [(Text("one"),), (Text("two"),)]


@pytest.mark.parametrize("cut", range(2, 60, 7))
def test_a_line_that_a_kill_left_torn_is_passed_over(tmp_path: Path, cut: int) -> None:
    path = recorded(tmp_path, Text("one"), Text("two" * 20))
    path.write_bytes(path.read_bytes()[:-cut])
    assert [take.records for take in read(path)] == [(Text("one"),)]
    assert [take.records for take in read(recorded(tmp_path, Text("again")))] == [(Text("one"),), (Text("again"),)]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"record": "Text"}', "line 3,: the key 'text' is missing"),
        (b'{"record": "Text", "text": 3}', "'text' must be text"),
        (b'{"record": "Text", "text": "a", "more": 1}', "unknown key 'more'"),
        (b'{"record": "Dream", "text": "a"}', "line 3, is no record of a turn"),
        (b"[]", "line 3, is no record of a turn"),
        (b"no JSON", "line 3, is damaged"),
        (b'{"record": "Text", "text": "a", "text": "b"}', "line 3, is damaged"),
        (b'{"turn": {}}', "is missing"),
    ],
)
def test_damage_is_named(tmp_path: Path, line: bytes, said: str) -> None:
    path = recorded(tmp_path, Text("one"), Text("two"))
    lines = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([*lines[:2], line, *lines[2:]]) + b"\n")
    with pytest.raises(StorageError, match=r"transcript\.jsonl") as caught:
        read(path)
    assert said in str(caught.value)


def test_what_belongs_to_no_turn(tmp_path: Path) -> None:
    path = tmp_path / TRANSCRIPT
    path.write_bytes(b'{"record": "Text", "text": "a"}\n')
    with pytest.raises(StorageError, match="line 1, belongs to no turn"):
        read(path)
    with pytest.raises(StorageError, match="There is no transcript"):
        read(tmp_path / "none")


def test_a_cost_that_is_no_number_is_unknown(tmp_path: Path) -> None:
    path = recorded(tmp_path, Usage(cost_usd=float("inf")))
    assert read(path)[0].records == (Usage(cost_usd=None),)


def test_the_client_ends_when_nothing_can_be_written(tmp_path: Path) -> None:
    player = Player(Text("one"), End("completed"))
    with pytest.raises(StorageError, match="cannot be written"):
        play(Recording(player), turn_in(tmp_path, folder=Path("/proc/none")))
    played = Recording(player).run(turn_in(tmp_path, folder=tmp_path / "turn"))
    next(played)
    played.close()  # type: ignore[attr-defined]
    assert player.closed


def test_no_secret_is_in_it(tmp_path: Path) -> None:
    path = recorded(tmp_path, Text(f"I put {KEYS['GitHub token']} into the file"), End("completed"))
    assert KEYS["GitHub token"] not in path.read_text()
    [take] = read(path)
    assert take.records[0] == Text("I put [redacted: GitHub token] into the file")
