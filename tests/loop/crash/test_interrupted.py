"""Ctrl-C, a request to end, `ralph stop`: the run stops at once, in good order, wherever it is, and goes on later."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from ralph.loop.control import alive
from ralph.loop.plan import transitions
from ralph.loop.plan.files import PlanStore
from ralph.loop.plan.model import Task
from tests.loop.crash.ending import damage, litter, miscounted
from tests.loop.crash.ralphs import Place, until
from tests.loop.crash.story import FILES, done, page, tool, used

SLOW = "test -e pages/slow.txt && sleep 60\n"
PROJECT = {**FILES, "tools/test.sh": f"{SLOW}{FILES['tools/test.sh']}"}
SIGNAL = [used(4), tool("signal_phase_complete", summary="All of it is there.")]
WAITS = [used(1), page("t01"), {"wait_s": 60.0}]
COMMAND = [used(1), page("t01"), {"run": "sleep 60"}]
SLOWLY = [used(1), page("t01"), page("slow"), done("t01")]
QUICKLY = [used(2), page("t01"), done("t01")]


def place(folder: Path, first: list[dict[str, Any]]) -> Place:
    made = Place.made(folder, PROJECT, {"name": "scripted", "turns": [first, SIGNAL]})
    task = Task(id="t01", description="Write a page.", verification_criteria=('verify:"grep -q done pages/t01.txt"',))
    PlanStore(made.root).change(lambda plan: transitions.add(plan, task))
    return made


def sleeping(made: Place) -> bool:
    return any("b'sleep" in row for row in made.living())


def once(pid: int, made: Place) -> None:
    os.kill(pid, signal.SIGINT)


def twice(pid: int, made: Place) -> None:
    os.kill(pid, signal.SIGINT)
    time.sleep(0.05)
    os.kill(pid, signal.SIGINT)


def everybody(pid: int, made: Place) -> None:
    os.killpg(pid, signal.SIGINT)


def terminated(pid: int, made: Place) -> None:
    os.kill(pid, signal.SIGTERM)


def hung_up(pid: int, made: Place) -> None:
    os.kill(pid, signal.SIGHUP)


def stopped(pid: int, made: Place) -> None:
    assert made.ralph("stop") == 0


WAYS: tuple[Callable[[int, Place], None], ...] = (once, twice, everybody, terminated, hung_up, stopped)
MOMENTS: Mapping[str, tuple[list[dict[str, Any]], Callable[[Place], bool]]] = {
    "the agent waits": (WAITS, lambda made: "> write pages/t01.txt" in made.said),
    "its command runs": (COMMAND, sleeping),
    "Ralph measures": (SLOWLY, sleeping),
}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("moment", MOMENTS)
def test_it_stops_and_goes_on(tmp_path: Path, moment: str, way: Callable[[int, Place], None]) -> None:
    first, is_there = MOMENTS[moment]
    if (moment, way) == ("Ralph measures", stopped):
        pytest.skip("an order waits for the end of the measuring")
    made = place(tmp_path, first)
    with made.at_work("run", "--agent", f"scripted:{tmp_path / 'script.yaml'}") as ralph:
        until(lambda: is_there(made))
        way(ralph.pid, made)
        assert ralph.wait(30) == 130, made.said
    assert (made.journal.state.status, made.journal.state.end, alive(made.root)) == ("ended", "stopped", None)
    assert (made.living(), "Traceback" in made.said) == ([], False)

    (made.root / "pages" / "slow.txt").unlink(missing_ok=True)
    made.script({"name": "scripted", "turns": [QUICKLY, SIGNAL]})
    assert made.ralph("resume") == 0, made.said
    again = () if moment == "Ralph measures" else (2,)  # what was claimed before is measured, and nothing played again
    assert made.journal.state.total.cost_usd == pytest.approx(sum((1, *again, 4)) / 1024, abs=1e-6)
    assert (made.journal.state.iteration, damage(made.root) + miscounted(made.root) + litter()) == (2, [])
