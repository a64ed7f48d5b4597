"""A person talks to a run that really works: pause, a hint, resume, stop, and what `ralph status` says meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ralph.loop.control import alive
from tests.cli.command import ralph
from tests.project import repository

SCRIPT = """
name: tester
repeat: true
turns:
  - when: {contains: SAID BY A PERSON}
    actions:
      - say: I was told something.
      - wait_s: 600
  - - say: I work.
    - wait_s: 0.3
"""


def until(holds: Callable[[], Any], limit_s: float = 20.0) -> None:
    end = time.monotonic() + limit_s
    while not holds():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.05)


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    root = repository(tmp_path / "repo", {"a.md": "one\n", "ralph.yml": "breaker: {stagnation: 1000}\n"})
    (tmp_path / "script.yaml").write_text(SCRIPT, "utf-8")
    yield root
    if at_work := alive(root):
        os.kill(at_work.pid, 9)


def started(root: Path) -> subprocess.Popen[bytes]:
    agent = f"scripted:{root.parent / 'script.yaml'}"
    command = [sys.executable, "-m", "ralph", "run", "do it", "--agent", agent, "-C", str(root)]
    with (root.parent / "out.txt").open("wb") as out:
        return subprocess.Popen(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL)


def status(root: Path) -> dict[str, Any]:
    document: dict[str, Any] = ralph("status", "-C", root, "--json").document
    return document


def test_pause_inject_resume_stop(root: Path) -> None:
    run = started(root)
    until(lambda: status(root)["run"] and status(root)["iteration"] >= 1)
    assert status(root)["status"] == "running"

    assert ralph("pause", "-C", root).code == 0
    until(lambda: status(root)["status"] == "paused")
    paused_at = status(root)["iteration"]
    assert ralph("inject", "SAID BY A PERSON", "-C", root).code == 0
    time.sleep(0.5)
    assert status(root)["iteration"] == paused_at, "nothing runs while it is paused"

    assert ralph("resume", "-C", root).code == 0
    until(lambda: b"I was told something" in (root.parent / "out.txt").read_bytes())
    assert ralph("stop", "-C", root).code == 0
    assert run.wait(timeout=120) == 130, "the turn under way is ended"
    assert (status(root)["status"], status(root)["end"], alive(root)) == ("ended", "stopped", None)


def test_a_run_that_was_killed_is_shown_as_such(root: Path) -> None:
    run = started(root)
    until(lambda: status(root)["run"] and status(root)["iteration"] >= 1)
    run.kill()
    run.wait()
    until(lambda: status(root)["status"] == "interrupted")  # what it was starting may outlive it for a moment
    assert "its process is gone." in ralph("status", "-C", root).out
