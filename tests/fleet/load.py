"""Many verifications of a few repositories, each as small as one can be, and what is seen of them."""

from __future__ import annotations

import os
import signal
import subprocess
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from ralph.fleet import requests
from ralph.fleet.model import OVER, Job
from ralph.fleet.queue import QueueFleet
from ralph.fleet.tables import JOBS
from ralph.system.places import config_home
from tests.fleet.stage import Stage, eventually
from tests.project import IDENTITY, git

WHY = "{not_applicable: these jobs are about the queue}"
SMALL = f"""
agent: small
version: "1"
steps: {{lint: {WHY}, typecheck: {WHY}, coverage: {WHY}}}
controls: {{test_inventory: free, canary: none, restored: none, negative: none, former: none, suppressions: none}}
"""
"""One step is left, so a job is a checkout, one command in the sandbox, and signed evidence."""
ALLOWED = 2


def changes(root: Path, count: int) -> list[str]:
    """So many commits that are good changes, one upon the other, oldest first; the first is their base."""
    lines = []
    for number in range(count):
        lines += ["commit refs/heads/main", f"committer Ann <ann@localhost> {1_800_000_000 + number} +0000", "data 4"]
        lines += ["work", *(["from refs/heads/main^0"] if not number else [])]
        text = f"{root.name} {number}"  # no two of the trees are the same
        lines += [f"M 100644 inline src/b{number}.txt", f"data {len(text)}", text]
    env, stream = {**os.environ, **IDENTITY}, "\n".join([*lines, "done", ""])
    subprocess.run(["git", "fast-import", "--quiet", "--done"], cwd=root, env=env, input=stream.encode(), check=True)
    return git(root, "rev-list", "--reverse", "main").split()


@dataclass
class Load:
    stage: Stage
    fleet: QueueFleet

    def submit(self, count: int, repositories: int) -> None:
        contract = config_home() / "contracts" / "small.yaml"
        contract.parent.mkdir(parents=True)
        contract.write_text(SMALL)
        works = []
        for name in range(repositories):
            root = self.stage.project(f"p{name}")
            base, first, *others = changes(root, count // repositories)
            work = requests.verification(str(root), first, base=base, policy="v1", contract="small")
            pairs = zip(others, [first, *others], strict=False)
            works.append([work, *(replace(work, commit=each, base=before) for each, before in pairs)])
        for each in zip(*works, strict=True):
            for work in each:
                self.fleet.submit(work)

    def ended(self) -> int:
        count = sa.select(sa.func.count()).where(JOBS.c.state.in_(OVER))
        return int(self.fleet.database.do(lambda connection: connection.execute(count).scalar_one()))

    def until(self, count: int) -> None:
        """Wait until so many jobs have ended: as long as some end, it goes on."""
        while (known := self.ended()) < count:
            eventually(partial(self._more_than, known), f"a job after {known} ends")

    def _more_than(self, known: int) -> bool:
        return self.ended() > known

    def kill_one(self) -> set[str]:
        """Kill one with -9 that is at work, and say at what. It is halted meanwhile, so that this is certain."""

        def halted() -> tuple[int, set[str]] | None:
            for worker in (each for each in self.fleet.workers() if each.alive and each.running):
                os.kill(worker.pid, signal.SIGSTOP)
                if held := self._held(worker.name):
                    return worker.pid, held
                os.kill(worker.pid, signal.SIGCONT)
            return None

        found: tuple[int, set[str]] = eventually(halted, "a worker is at work")
        os.kill(found[0], signal.SIGKILL)
        return found[1]

    def _held(self, worker: str) -> set[str]:
        """Asked beside our own transactions: the one that is halted may hold the only one that SQLite has."""
        connection = self.fleet.database.engine.raw_connection()
        try:
            cursor = connection.cursor()
            cursor.execute(f"select id from ralph_jobs where holder = '{worker}' and state = 'running'")
            return {str(row[0]) for row in cursor.fetchall()}
        finally:
            connection.close()

    def check(self, count: int) -> set[str]:
        """All ended once, with a verdict of their own; never more of one repository at a time than allowed. Gives the
        jobs that were begun more than once."""
        self.until(count)
        jobs = self.fleet.jobs(2 * count)
        assert len(jobs) == count
        assert [job.outcome for job in jobs] == ["PASS"] * count, {job.why for job in jobs}
        assert len({job.result["verdict"]["tree_hash"] for job in jobs}) == count
        assert most_at_once(jobs) <= ALLOWED
        assert {job.attempt for job in jobs} <= {1, 2, 3}
        return {job.id for job in jobs if job.attempt > 1}


def most_at_once(jobs: list[Job]) -> int:
    """How many verdicts of one repository were being reached at the same moment, at most."""
    most = 0
    for repository in {job.work.repository for job in jobs}:
        verdicts: list[Any] = [job.result["verdict"] for job in jobs if job.work.repository == repository]
        edges = [(datetime.fromisoformat(each["started_at"]), 1) for each in verdicts]
        edges += [(datetime.fromisoformat(each["completed_at"]), -1) for each in verdicts]
        running = 0
        for _, change in sorted(edges):
            running += change
            most = max(most, running)
    return most
