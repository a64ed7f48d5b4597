"""Jobs that are asked for twice, cancelled and given back: real processes. Those of `test_load` are killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fleet.stage import SLOW, Stage, eventually
from tests.project import git


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path, f"sqlite:///{tmp_path}/queue.db")
    yield made
    made.close()


def test_the_same_is_asked_for_twice(stage: Stage) -> None:
    root = stage.project("p")
    commit, base = stage.change(root, 1)
    first, again = (stage.ralph("submit", "verify", "--repo", str(root), "--base", base) for _ in range(2))
    assert (first["id"], again["id"], again["state"]) == (first["id"], first["id"], "queued")
    stage.start(1)
    done = stage.ralph("submit", "verify", "--repo", str(root), "--commit", commit, "--base", base, "--wait")
    assert (done["id"], done["outcome"], done["attempt"]) == (first["id"], "PASS", 1)
    reused = stage.ralph("submit", "verify", "--repo", str(root), "--base", base, "--wait")
    assert (reused["id"], reused["attempt"], reused["round"]) == (first["id"], 1, 0), "a PASS is not measured again"
    folder, run = done["result"]["folder"], done["result"]["run_id"]
    checked = subprocess.run(
        [sys.executable, "-m", "ralph", "audit", "verify", run, "-C", folder],
        env=stage.env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert git(root, "status", "--porcelain") == ""


def test_cancelling_kills_everything_that_runs(stage: Stage) -> None:
    root = stage.project("p", SLOW)
    _, base = stage.change(root, 1)
    stage.start(1)
    job = stage.ralph("submit", "verify", "--repo", str(root), "--base", base)["id"]

    def sleeping() -> list[str]:
        return [row for row in processes() if str(stage.place) in row]

    eventually(sleeping, "the test step runs")
    waiting = stage.ralph("submit", "verify", "--repo", str(root), "--base", base, "--fresh")["id"]
    assert stage.ralph("queue", "cancel", waiting)["state"] == "cancelled", "nobody works on it"
    stage.ralph("queue", "cancel", job)
    eventually(lambda: not sleeping(), "it is killed")
    eventually(lambda: stage.show(job)["state"] == "cancelled", "it is said")
    assert "is over already" in stage.ralph("queue", "cancel", job, code=3)
    again = stage.ralph("queue", "retry", job)
    assert (again["state"], again["round"]) == ("queued", 1)
    stage.ralph("queue", "cancel", job)


def processes() -> list[str]:
    """Those that sleep in a test step, with the folder that they work in."""
    found = []
    for row in Path("/proc").glob("[0-9]*"):
        try:
            if b"613" in (row / "cmdline").read_bytes().split(b"\0"):
                found.append(str((row / "cwd").readlink()))
        except OSError:
            continue
    return found


def test_a_worker_that_is_told_to_end_gives_its_jobs_back(stage: Stage) -> None:
    root = stage.project("p", SLOW)
    _, base = stage.change(root, 1)
    worker = stage.start(1)
    job = stage.ralph("submit", "verify", "--repo", str(root), "--base", base)["id"]
    eventually(lambda: stage.show(job)["state"] == "running", "it runs")
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(300) == 0
    given_back = stage.ralph("queue", "show", job)
    assert (given_back["state"], given_back["holder"]) == ("queued", None)
    assert [each["alive"] for each in stage.ralph("queue", "workers")["workers"]] == [False]
    stage.start(1)
    eventually(lambda: stage.show(job)["attempt"] == 2, "another takes it up")
    stage.ralph("queue", "cancel", job)
