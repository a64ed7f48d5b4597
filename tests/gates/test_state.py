"""Runs on disk: counts survive a kill, damage is told, one writer at a time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ralph.errors import StorageError, UsageError
from ralph.gates import progress
from ralph.gates.model import Attempt, CriteriaGate, Judgement, VerifyGate
from ralph.gates.state import ChainRun, Shelf
from tests.gates.workplace import Workplace, file, only
from tests.project import write

GATES = [
    (VerifyGate(command="pytest -k 'ä \"x\"'", attempts=1, timeout_s=30.0, cwd="sub", preset="fast"),),
    (CriteriaGate(text="no secrets", name="security"), VerifyGate(command="make")),
]
NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
ATTEMPT = Attempt(
    number=1, tree="t", exit_code=None, signal="SIGKILL", problem="ended", excerpt="\udcff\x00", duration_ms=5
)


def begun(root: Path) -> tuple[Shelf, ChainRun]:
    shelf = Shelf(root)
    return shelf, shelf.begin(">>text", GATES, now=NOW, base_tree="base")


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    shelf, run = begun(tmp_path)
    judged = Judgement(number=1, tree="t", verdict="fail", reason="one is there", by="judge")

    def change(now: ChainRun) -> ChainRun:
        now = now.with_gate(progress.attempted(now.gates[0], ATTEMPT))
        return replace(now.with_gate(progress.judged(now.gates[1], judged)), turns=(1, 0, 2), state="blocked")

    changed = shelf.change(run.id, change)
    assert shelf.load(run.id) == changed != run
    assert [gate.id for gate in changed.gates] == [f"{run.id}-1.1", f"{run.id}-2.1", f"{run.id}-2.2"]
    assert shelf.runs() == [changed]


def test_a_gate_is_found_by_the_beginning_of_its_id(tmp_path: Path) -> None:
    shelf, run = begun(tmp_path)
    assert shelf.find(f"{run.id}-1")[1] == run.gates[0]
    for wrong, says in ((run.id, "3 gates begin with"), ("zz", "No gate is called"), ("", "No gate is called")):
        with pytest.raises(UsageError, match=says):
            shelf.find(wrong)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("{", "is damaged"),
        ("[]", "must hold a mapping"),
        ('"state"', "must hold a mapping"),
        (None, "unknown key"),
        ("state", "'state' must be"),
    ],
)
def test_damage_is_told_and_never_overwritten(tmp_path: Path, damage: str | None, says: str) -> None:
    shelf, run = begun(tmp_path)
    path = shelf.folder / run.id / "run.json"
    known = json.loads(path.read_text())
    text = (
        json.dumps(known | ({"more": 1} if damage is None else {"state": "good"}))
        if damage in (None, "state")
        else damage
    )
    path.write_text(text)
    for attempt in (lambda: shelf.load(run.id), shelf.runs, lambda: shelf.change(run.id, lambda now: now)):
        with pytest.raises(StorageError, match=says):
            attempt()
    assert path.read_text() == text


def test_a_run_that_ended_is_not_taken_up_again(tmp_path: Path) -> None:
    shelf, run = begun(tmp_path)
    assert shelf.unfinished(">>text", GATES) == run
    assert shelf.unfinished(">>other", GATES) is None
    assert shelf.unfinished(">>text", GATES[:1]) is None, "the prompt's own gates have changed"
    shelf.change(run.id, lambda now: replace(now, state="passed"))
    assert shelf.unfinished(">>text", GATES) is None


def test_kill_9_between_attempts_keeps_counts(place: Workplace) -> None:
    """Killed in the agent's third turn, after two failures; the same text goes on with the third attempt."""
    turns = [[], [], [{"run": "touch ../in-third-turn; sleep 60"}], [file("out.txt", "ok")]]
    place.agent(*turns)
    text = '>>work now :: verify:"grep -q ok out.txt" max:4'
    command = [sys.executable, "-m", "ralph", "prompt", "run", text, "--agent", "scripted:../scripted.yaml"]
    write(place.root, {})
    process = subprocess.Popen(command, cwd=place.root, env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not (place.root.parent / "in-third-turn").exists():
        assert time.monotonic() < deadline
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    (killed,) = Shelf(place.root).runs()
    assert (killed.turns, progress.failures(only(killed))) == ((3, 0), 2)

    done = place.run(text, place.agent(*turns))
    assert (done.id, done.state) == (killed.id, "passed")
    assert [each.exit_code for each in progress.work(only(done))] == [2, 2, 2, 0]
    assert done.turns == (4, 0)
