"""The log of a run: what is written can be read, and what is read comes to the same run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralph.agents.base import Usage
from ralph.errors import StorageError
from ralph.loop import journal, wire
from ralph.loop.inputs import Begun, Input, Judged, Surveyed, TurnEnded
from ralph.loop.words import Phase
from ralph.system import canonical, ledger
from tests.loop.machines import NOW, RUN, Play, building, ended, heard
from tests.loop.test_machine_world import played
from tests.loop.values import records


def written(root: Path, play: Play) -> journal.Journal:
    """A log with everything that was given in a play."""
    begun, *rest = play.inputs
    assert isinstance(begun, Begun)
    log = journal.begin(root, begun, NOW)
    for each, now in zip(rest, play.times[1:], strict=True):
        log.add(each, now)
    return log


@pytest.mark.parametrize("kind", wire.KINDS)
@given(data=st.data())
@settings(deadline=None, max_examples=40)
def test_every_input_that_is_written_can_be_read(kind: str, data: st.DataObject) -> None:
    """Whatever a client reports: one that says NaN must not end all runs for good."""
    given_input: Input = data.draw(records(wire.KINDS[kind]))
    read = wire.from_record(json.loads(canonical.dumps(wire.to_record(given_input))), "line 1")
    assert type(read) is type(given_input)
    assert wire.from_record(wire.to_record(read), "line 1") == read, "from then on it stays as it is"


STRANGE: Mapping[str, tuple[TurnEnded, TurnEnded]] = {
    "a cost that is no number": (ended(cost=float("nan")), ended(cost=None)),
    "an endless cost": (ended(cost=float("inf")), ended(cost=None)),
    "more tokens than a number holds": (
        TurnEnded(reason="completed", usage=Usage(input_tokens=10**30)),
        TurnEnded(reason="completed", usage=Usage(input_tokens=2**53 - 1)),
    ),
    "text that is no UTF-8": (
        TurnEnded(reason="error", detail="caf\udce9"),
        TurnEnded(reason="error", detail="caf\\udce9"),
    ),
}


@pytest.mark.parametrize("case", STRANGE)
def test_what_cannot_be_written_down_as_it_is(case: str, tmp_path: Path) -> None:
    strange, kept = STRANGE[case]
    log = written(tmp_path, building())
    log.add(strange, NOW)
    assert log.state.turn == kept, "a live run goes by what is written, as one that is read"
    assert journal.read(log.folder).state == log.state


def test_ordinary_inputs_come_back_as_they_were() -> None:
    for each in building().turn("refused", told=("no", "and no")).control("inject", text="Look.").inputs:
        assert wire.from_record(json.loads(canonical.dumps(wire.to_record(each))), "line 1") == each


def test_what_is_not_said_is_not_written() -> None:
    assert wire.to_record(Surveyed(next=None)) == {"kind": "Surveyed", "next": None}
    assert wire.to_record(TurnEnded(reason="completed")) == {"kind": "TurnEnded", "reason": "completed"}


@given(data=st.data())
@settings(deadline=None, max_examples=15)
def test_at_every_line_the_log_comes_to_the_run_as_it_was(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever was lost with the process, and at whatever moment it died."""
    play, _ = played(data, 15, talk=True)
    live, *rest = play.inputs
    assert isinstance(live, Begun)
    log = journal.begin(tmp_path_factory.mktemp("run"), live, NOW)
    for each, now in zip(rest, play.times[1:], strict=True):
        log.add(each, now)
        again = journal.read(log.folder)
        assert (again.state, again.effects) == (log.state, log.effects)


def test_a_torn_last_line_was_never_said(tmp_path: Path) -> None:
    log = written(tmp_path, building())
    with log.path.open("ab") as file:
        file.write(b'{"digest":"half')
    again = journal.read(log.folder)
    assert (again.state, again.effects) == (log.state, log.effects)
    again.add(ended(), NOW)
    assert journal.read(log.folder).state == again.state


def test_another_process_follows_a_run(tmp_path: Path) -> None:
    log = written(tmp_path, building())
    watching = journal.read(log.folder)
    assert list(watching.follow()) == []
    log.add(ended(), NOW)
    log.add(heard("refused", told=("no",)), NOW)
    assert [type(each).__name__ for each in watching.follow()] == ["TurnEnded", "Judged"]
    assert (watching.state, watching.effects) == (log.state, log.effects)


def line(root: Path, *given: Any) -> Path:
    """A run's folder, with a log of these records behind its beginning."""
    log = written(root, building())
    for each in given:
        ledger.append(log.path, each if isinstance(each, dict) else wire.to_record(each), time=NOW)
    return log.folder


OUT_OF_PLACE: Mapping[str, tuple[Any, str]] = {
    "an answer to nothing": (Judged(outcome="complete", tree="t"), "Line 5 of .* is out of its place"),
    "a second beginning": (Play().inputs[0], "Line 5 of .* is out of its place"),
    "no input": ({"kind": "Wish"}, "Line 5 of .* is no line of a run's log"),
    "no record": ({"x": 1}, "is no line of a run's log"),
    "a field that nobody knows": ({"kind": "Waited", "until": "noon"}, "another version of Ralph"),
    "a value that cannot be": ({"kind": "TurnEnded", "reason": "tired"}, "another version of Ralph"),
}


@pytest.mark.parametrize("case", OUT_OF_PLACE)
def test_a_log_that_makes_no_sense_is_an_error_that_names_the_line(case: str, tmp_path: Path) -> None:
    record, told = OUT_OF_PLACE[case]
    with pytest.raises(StorageError, match=told):
        journal.read(line(tmp_path, record))


def test_a_log_that_was_changed_is_an_error(tmp_path: Path) -> None:
    """However little: an agent that could write there would write its own verdict."""
    log = written(tmp_path, building().turn("refused"))
    log.path.write_bytes(log.path.read_bytes().replace(b'"refused"', b'"complete"'))
    with pytest.raises(StorageError, match="line 6: its content does not match its digest"):
        journal.read(log.folder)


def test_a_log_that_does_not_begin_is_no_run(tmp_path: Path) -> None:
    folder = tmp_path / journal.RUNS / RUN
    folder.mkdir(parents=True)
    (folder / journal.LOG).touch()
    with pytest.raises(StorageError, match="the run never began"):
        journal.read(folder)
    assert journal.latest(tmp_path) is None


def test_nothing_is_written_that_could_not_be_read_again(tmp_path: Path) -> None:
    log = written(tmp_path, building())
    before, state = log.path.read_bytes(), log.state
    with pytest.raises(StorageError):
        log.add(TurnEnded(reason="completed", runtime_s=float("nan")), NOW)
    assert (log.path.read_bytes(), log.state) == (before, state)


def test_the_newest_run_is_the_last_one(tmp_path: Path) -> None:
    for name in ("20260101T000000000Z-aaaaaaaaaaaa", "20260102T000000000Z-aaaaaaaaaaaa"):
        begun = Begun(
            run=name, prompt="", phase=Phase.BUILDING, agent="a", settings=building().state.settings, base=None
        )
        journal.begin(tmp_path, begun, NOW)
    found = journal.latest(tmp_path)
    assert found is not None
    assert found.state.run == "20260102T000000000Z-aaaaaaaaaaaa"
    assert len(journal.runs(tmp_path)) == 2
