"""A fleet of real processes: a queue, workers, and repositories whose checks cost next to nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ralph.fleet.queue import QueueFleet
from tests.project import commit, git, repository

LINES = json.dumps({"lines": {"total": 10, "covered": 9}})
CONTEXT = """
project: {name: cheap, path: ., language: other}
commands: {lint: "bash l.sh", typecheck: "bash l.sh", test: "bash t.sh", coverage: "bash c.sh"}
paths: {source: [src/], coverage_report: coverage.json, test_report: report.xml}
autonomy_level: L2
"""
CHEAP = {
    "ralph-context.yaml": CONTEXT,
    "src/a.txt": "one\n",
    "l.sh": "exit 0\n",
    "t.sh": 'echo \'<testsuite><testcase classname="a" name="b"/></testsuite>\' > report.xml\n',
    "c.sh": f'echo \'{{"total": {LINES}, "src/a.txt": {LINES}}}\' > coverage.json\n',
}
SLOW = {**CHEAP, "t.sh": "trap '' TERM INT HUP\nsleep 613 &\nwait\n"}
"""Its test step sleeps, and takes no order to end; nor does what it started."""
SIGNAL = {"tool": {"name": "ralph_signal_phase_complete", "arguments": {"summary": "All of it."}}}
USED = {"usage": {"input_tokens": 10, "cost_usd": 0.001, "context_tokens": 10, "context_window": 200000}}


def eventually(found: Callable[[], Any], what: str, within_s: float = 300.0) -> Any:
    """As soon as it is so; the time is for a machine that is busy with much else."""
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        if value := found():
            return value
        time.sleep(0.1)
    raise AssertionError(f"not within {within_s} s: {what}")


@dataclass
class Stage:
    """`queue` is its address. Workers that are left are ended by `close`."""

    place: Path
    queue: str
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _fleet: QueueFleet | None = None

    @property
    def env(self) -> dict[str, str]:
        return {**os.environ, "RALPH_QUEUE": self.queue, "RALPH_FLEET_HOME": str(self.place / "home")}

    def project(self, name: str, files: Mapping[str, str] = CHEAP) -> Path:
        return repository(self.place / name, files)

    def script(self, pages: int, *, slow_page: int = 0, failing: int = 0) -> str:
        """An agent that plans `pages` tasks, and writes a page for each in a turn; `failing` turns break down first.
        The slow page takes longer than anybody waits."""
        added = [
            {
                "tool": {
                    "name": "ralph_add_task",
                    "arguments": {
                        "task_id": f"page-{number}",
                        "description": f"Write page {number}.",
                        "priority": number,
                        "verification_criteria": [f'verify:"grep -q {number} page{number}.md"'],
                    },
                }
            }
            for number in range(1, pages + 1)
        ]
        turns: list[Any] = [[*added, SIGNAL, USED]]
        turns += [[{"end": "error"}]] * failing
        for number in range(1, pages + 1):
            done = {"task_id": f"page-{number}", "verification_notes": "It is written."}
            written = {"write": {"path": f"page{number}.md", "content": f"{number}\n"}}
            slowly = [{"wait_s": 900.0}] if number == slow_page else []
            turns.append([*slowly, written, {"tool": {"name": "ralph_mark_task_complete", "arguments": done}}, USED])
        turns.append([SIGNAL, USED])
        path = self.place / "script.yaml"
        path.write_text(json.dumps({"name": "writer", "turns": turns}))
        return f"scripted:{path}"

    def change(self, root: Path, number: int) -> tuple[str, str]:
        """A commit that is a good change, and its base."""
        base = git(root, "rev-parse", "HEAD")
        return commit(root, {f"src/b{number}.txt": f"{number}\n"}), base

    def start(self, concurrency: int = 2, *options: str) -> subprocess.Popen[bytes]:
        line = [sys.executable, "-m", "ralph", "worker", "--concurrency", str(concurrency)]
        # All live in one home, so that a dead one is known at once, and none is given up because the machine is busy.
        quick = ["--beat", "1", "--dead-after", "120", "--poll", "0.2"]
        with (self.place / f"worker-{len(self.workers)}.log").open("wb") as log:
            worker = subprocess.Popen(
                [*line, *quick, *options, "-C", str(self.place)], env=self.env, stdout=log, stderr=log, cwd="/"
            )
        self.workers.append(worker)
        return worker

    def said(self) -> str:
        return "".join(path.read_text() for path in sorted(self.place.glob("worker-*.log")))

    def ralph(self, *arguments: str, code: int | None = 0) -> Any:
        """What a command answers with --json."""
        done = subprocess.run(
            [sys.executable, "-m", "ralph", *arguments, "--json", "-C", str(self.place)],
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
        )
        assert code is None or done.returncode == code, (done.returncode, done.stdout, done.stderr, self.said())
        return json.loads(done.stdout) if done.stdout.startswith(("{", "[")) else done.stderr

    def show(self, job: str) -> Any:
        """How a job stands, asked without a process: often."""
        if self._fleet is None:
            self._fleet = QueueFleet(self.queue)
        return self._fleet.find(job).to_dict()

    def close(self) -> None:
        if self._fleet is not None:
            self._fleet.close()
        for worker in self.workers:
            if worker.poll() is None:
                worker.send_signal(signal.SIGTERM)
        for worker in self.workers:
            try:
                worker.wait(10)
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()
