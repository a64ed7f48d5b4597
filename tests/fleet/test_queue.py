"""Workers that are killed, a database that is restarted, jobs that are cancelled: real processes, real databases."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from ralph.fleet import requests
from ralph.fleet.model import Job
from ralph.fleet.queue import QueueFleet
from tests.fleet.postgres import Postgres, postgres
from tests.fleet.stage import SLOW, Stage, eventually
from tests.project import git


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path, f"sqlite:///{tmp_path}/queue.db")
    yield made
    made.close()


@dataclass
class Load:
    """Many verifications of a few repositories, and what is seen of them."""

    stage: Stage
    fleet: QueueFleet

    def submit(self, count: int, repositories: int) -> None:
        roots = [self.stage.project(f"p{number}") for number in range(repositories)]
        for number in range(count):
            root = roots[number % repositories]
            commit, base = self.stage.change(root, number)
            self.fleet.submit(requests.verification(str(root), commit, base=base))

    def ended(self) -> list[Job]:
        return [job for job in self.fleet.jobs(1000) if job.is_over]

    def kill_one(self) -> None:
        """One that is at work, with -9."""
        at_work = eventually(lambda: [each for each in self.fleet.workers() if each.alive and each.running], "at work")
        os.kill(at_work[0].pid, signal.SIGKILL)

    def check(self, count: int) -> None:
        """All ended once, with a verdict of their own; never more than two of one repository at a time."""
        eventually(lambda: len(self.ended()) == count, f"{count} jobs end", 400)
        done = [job.to_dict() for job in self.ended()]
        assert [job["outcome"] for job in done] == ["PASS"] * count, {job["why"] for job in done}
        assert len({job["result"]["verdict"]["tree_hash"] for job in done}) == count
        assert most_at_once(done) <= 2
        assert 1 <= sum(job["attempt"] for job in done) - count <= 2, "only what the killed one had began twice"


def most_at_once(jobs: list[dict[str, Any]]) -> int:
    """How many verdicts of one repository were being reached at the same moment, at most."""
    most = 0
    for repository in {job["work"]["repository"] for job in jobs}:
        verdicts = [job["result"]["verdict"] for job in jobs if job["work"]["repository"] == repository]
        edges = [(datetime.fromisoformat(each["started_at"]), 1) for each in verdicts]
        edges += [(datetime.fromisoformat(each["completed_at"]), -1) for each in verdicts]
        running = 0
        for _, change in sorted(edges):
            running += change
            most = max(most, running)
    return most


def test_all_end_once_although_a_worker_is_killed(stage: Stage) -> None:
    load = Load(stage, QueueFleet(stage.queue))
    load.submit(40, 4)
    for _ in range(3):
        stage.start(1)
    eventually(lambda: len(load.ended()) >= 8, "eight jobs end", 400)
    load.kill_one()
    load.check(40)
    load.fleet.close()


@pytest.fixture(scope="module")
def database() -> Iterator[Postgres]:
    with postgres() as made:
        yield made


def test_nothing_is_lost_when_postgresql_itself_is_restarted(tmp_path: Path, database: Postgres) -> None:
    stage = Stage(tmp_path, database.url)
    load = Load(stage, QueueFleet(database.url))
    try:
        load.submit(200, 10)
        for _ in range(4):
            stage.start(2)
        eventually(lambda: len(load.ended()) >= 60, "sixty jobs end", 400)
        load.kill_one()
        eventually(lambda: len(load.ended()) >= 100, "a hundred jobs end", 400)
        database.stop()
        database.start()
        load.check(200)
        assert sum(worker.poll() is None for worker in stage.workers) == 3, "the others live on"
    finally:
        stage.close()
        load.fleet.close()


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

    eventually(sleeping, "the test step runs", 200)
    waiting = stage.ralph("submit", "verify", "--repo", str(root), "--base", base, "--fresh")["id"]
    assert stage.ralph("queue", "cancel", waiting)["state"] == "cancelled", "nobody works on it"
    stage.ralph("queue", "cancel", job)
    eventually(lambda: not sleeping(), "it is killed", 60)
    eventually(lambda: stage.show(job)["state"] == "cancelled", "it is said", 60)
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
    eventually(lambda: stage.show(job)["state"] == "running", "it runs", 200)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(60) == 0
    given_back = stage.ralph("queue", "show", job)
    assert (given_back["state"], given_back["holder"]) == ("queued", None)
    assert [each["alive"] for each in stage.ralph("queue", "workers")["workers"]] == [False]
    stage.start(1)
    eventually(lambda: stage.show(job)["attempt"] == 2, "another takes it up", 200)
    stage.ralph("queue", "cancel", job)
