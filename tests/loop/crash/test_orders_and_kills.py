"""What people say from another terminal, while Ralph is killed and started again: each word is followed once."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from ralph.agents import recording
from ralph.loop import turn_folder, wire
from ralph.loop.control import alive
from ralph.loop.inputs import Controlled, TurnEnded
from ralph.loop.memory import history
from ralph.system import ledger
from tests.loop.crash.ending import damage, miscounted
from tests.loop.crash.ralphs import Place, until
from tests.loop.crash.story import used

KILLS, HINTS = 6, 12
PATIENT = {"ralph.yml": "breaker: {stagnation: 1000}\nlimits: {iterations: 1000}\n", "pages/a.txt": "one\n"}
SCRIPT: Mapping[str, Any] = {"name": "scripted", "repeat": True, "turns": [[used(1), {"wait_s": 0.1}]]}


def words(made: Place) -> list[Controlled]:
    """What people said, as it stands in the run's log."""
    lines = (wire.from_record(entry.record, "a line") for entry in ledger.read(made.journal.path))
    return [given for given in lines if isinstance(given, Controlled) and given.number]


def ends(made: Place) -> int:
    """How many turns have ended by the run's log."""
    lines = (wire.from_record(entry.record, "a line") for entry in ledger.read(made.journal.path))
    return sum(isinstance(given, TurnEnded) for given in lines)


def prompts(made: Place) -> list[tuple[str, str]]:
    """Of every playing: its iteration, and its prompt."""
    found = []
    for folder in turn_folder.all_of(made.journal.folder):
        takes = recording.read(folder.transcript) if folder.transcript.exists() else ()
        found += [(folder.path.name.partition("-")[0], take.heading.prompt) for take in takes]
    return found


def working(made: Place) -> bool:
    return alive(made.root) is not None and bool(list(made.root.glob(".ralph/runs/*/turns/*")))


@pytest.mark.parametrize("seed", range(2))
def test_every_hint_is_in_the_prompts_of_one_iteration(tmp_path: Path, seed: int) -> None:
    made, chance = Place.made(tmp_path, PATIENT, SCRIPT), random.Random(seed)
    said = iter(range(HINTS))
    for _ in range(KILLS):
        with made.at_work(*made.next_words("go on for ever")) as ralph:
            until(lambda: working(made))
            for number in islice(said, 2):
                time.sleep(chance.uniform(0, 0.3))
                assert made.ralph("inject", f"HINT {number:03}.") == 0, made.said
            time.sleep(chance.uniform(0, 0.4))
            ralph.kill()
    told = ends(made)
    with made.at_work("resume") as ralph:
        until(lambda: working(made) and len(words(made)) == HINTS and not made.journal.state.hints)
        until(lambda: ends(made) > told)  # what a turn used in which Ralph died counts when it is played again
        assert made.ralph("stop") == 0
        assert ralph.wait(30) == 130
    seen = prompts(made)
    for number in range(HINTS):
        iterations = {iteration for iteration, prompt in seen if f"HINT {number:03}." in prompt}
        assert len(iterations) == 1, number
    taken = Counter(word.number for word in words(made))
    assert set(taken.values()) == {1}
    assert damage(made.root) + miscounted(made.root) == []


def test_a_handoff_that_was_asked_for_happens_once(tmp_path: Path) -> None:
    made = Place.made(tmp_path, PATIENT, SCRIPT)
    with made.at_work(*made.next_words("go on for ever")) as ralph:
        until(lambda: working(made))
        assert made.ralph("handoff") == 0, made.said
        until(lambda: history.read(made.root).lines)
        ralph.kill()
    with made.at_work("resume") as ralph:
        before = made.journal.state.iteration
        until(lambda: made.journal.state.iteration > before + 2)
        assert made.ralph("stop") == 0
        assert ralph.wait(30) == 130
    assert [line.handoff_reason for line in history.read(made.root).lines] == ["manual_handoff"]


def test_a_run_that_died_while_it_was_paused_goes_on(tmp_path: Path) -> None:
    made = Place.made(tmp_path, PATIENT, SCRIPT)
    with made.at_work(*made.next_words("go on for ever")) as ralph:
        until(lambda: working(made))
        assert made.ralph("pause") == 0
        until(lambda: made.journal.state.status == "paused")
        at = made.journal.state.iteration
        ralph.kill()
    with made.at_work("resume") as ralph:
        until(lambda: made.journal.state.iteration > at)
        os.kill(ralph.pid, signal.SIGTERM)
        assert ralph.wait(30) == 130
    assert damage(made.root) + miscounted(made.root) == []


def test_an_order_is_not_for_who_comes_after_a_kill(tmp_path: Path) -> None:
    """What was to stop the run that died does not stop it again when it is resumed."""
    made = Place.made(tmp_path, PATIENT, SCRIPT)
    with made.at_work(*made.next_words("go on for ever")) as ralph:
        until(lambda: working(made))
        os.kill(ralph.pid, signal.SIGSTOP)
        assert made.ralph("stop") == 0
        ralph.kill()
    with made.at_work("resume") as ralph:
        at = made.journal.state.iteration
        until(lambda: made.journal.state.iteration > at + 1)
        os.kill(ralph.pid, signal.SIGTERM)
        assert ralph.wait(30) == 130
