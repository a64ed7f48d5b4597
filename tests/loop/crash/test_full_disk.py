"""A disk that is full, or closed for writing, at any moment: a clear stop, nothing is damaged, and the run goes on."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ralph.loop.plan import transitions
from ralph.loop.plan.files import PlanStore
from ralph.loop.plan.model import Task
from tests.loop.crash.ralphs import TOP, Place
from tests.loop.crash.story import FILES, done, page, tool, used

UNSHARE = ["unshare", "--mount", *(["--map-root-user"] if os.getuid() else [])]
TASKS = [f"t{number:02}" for number in range(1, 9)]


def can_mount() -> bool:
    if shutil.which("unshare") is None:
        return False
    tried = [*UNSHARE, "mount", "-t", "tmpfs", "none", "/mnt"]
    return subprocess.run(tried, capture_output=True, check=False).returncode == 0


pytestmark = pytest.mark.skipif(not can_mount(), reason="a disk of its own needs a mount namespace")


def script() -> dict[str, Any]:
    """Each task is done in one turn, whichever iteration it is."""
    answers = [
        {"when": {"contains": f"Task `{name}`."}, "actions": [used(1), page(name), done(name)]} for name in TASKS
    ]
    ending = [used(1), tool("signal_phase_complete", summary="All of it is there.")]
    return {"name": "scripted", "repeat": True, "turns": [*answers, ending]}


def says(name: str) -> str:
    return f"Write the page {name}."


@pytest.mark.parametrize("way", ["full", "closed"])
@pytest.mark.parametrize("seed", range(2))
def test_the_run_stops_and_goes_on(tmp_path: Path, way: str, seed: int) -> None:
    made = Place.made(tmp_path, FILES, script())
    tasks = (
        Task(id=name, description=says(name), verification_criteria=(f'verify:"grep -q done pages/{name}.txt"',))
        for name in TASKS
    )
    PlanStore(made.root).change(lambda plan: transitions.add(plan, *tasks))
    driver = [sys.executable, "-m", "tests.loop.crash.filling", str(tmp_path), str(seed), way]
    answered = subprocess.run([*UNSHARE, *driver], cwd=TOP, capture_output=True, text=True, check=False, timeout=240)
    assert answered.returncode == 0, answered.stderr
    answer = json.loads(answered.stdout)
    assert (answer["wrong"], answer["end"]) == ([], "passed"), made.said
    assert set(answer["codes"]) == {3, 0}
