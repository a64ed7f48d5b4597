"""Runs as jobs: killed in the middle, waiting for a person across a restart, halted by a breaker. Real processes."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ralph.fleet.model import OVER
from ralph.loop.control import alive
from tests.fleet.stage import CHEAP, Stage, eventually
from tests.project import git


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path, f"sqlite:///{tmp_path}/queue.db")
    yield made
    made.close()


def submitted(stage: Stage, root: Path, agent: str) -> str:
    where = ["--repo", str(root), "--agent", agent, "--phase", "planning"]
    return str(stage.ralph("submit", "run", "Write the pages.", *where)["id"])


def when(stage: Stage, job: str, *states: str) -> Any:
    """The job as soon as it is in one of these; one that ended otherwise is not waited for any longer."""

    def found() -> Any:
        shown = stage.show(job)
        assert shown["state"] in states or shown["state"] not in OVER, (shown, stage.said())
        return shown if shown["state"] in states else None

    return eventually(found, f"{states}: {stage.show(job)}")


def after(stage: Stage, job: str, iterations: int) -> None:
    """Until that many are over."""

    def over() -> bool:
        shown = stage.show(job)
        assert shown["state"] in ("queued", "running"), (shown, stage.said())
        return bool((shown["result"].get("standing") or {}).get("iteration", 0) >= iterations)

    eventually(over, f"{iterations} iterations")


def pages(job: Any) -> dict[str, str]:
    """What the run left in its working copy."""
    return {path.name: path.read_text() for path in Path(job["result"]["folder"]).glob("page*.md")}


def test_a_run_that_is_killed_in_its_third_iteration_ends_as_without(stage: Stage) -> None:
    root = stage.project("p")
    agent = stage.script(3, slow_page=2)
    first = stage.start(1)
    job = submitted(stage, root, agent)
    tree = stage.place / "home" / "runs" / job / "tree"
    after(stage, job, 2)
    running = eventually(lambda: alive(tree), "the third iteration")
    first.kill()
    first.wait()
    eventually(lambda: not Path(f"/proc/{running.pid}").exists(), "its process ends with it")
    stage.script(3)  # it is not slow again
    stage.start(1)
    ended = when(stage, job, "done", "error")
    assert (ended["outcome"], ended["why"][:10]) == ("passed", "Every task"), ended
    assert pages(ended) == {f"page{number}.md": f"{number}\n" for number in (1, 2, 3)}
    assert ended["result"]["standing"]["iteration"] == 5, "planning, three pages, the validation"
    assert git(root, "status", "--porcelain") == "", "the submitter's own files are left alone"
    assert "page1.md" in git(tree, "ls-tree", "-r", "--name-only", f"refs/ralph/runs/{ended['result']['run']}")


def test_an_approval_waits_across_a_restart_and_is_delivered_once(stage: Stage) -> None:
    root = stage.project("p", {**CHEAP, "ralph.yml": "phases: {planning: {require_human_approval: true}}\n"})
    first = stage.start(1)
    job = submitted(stage, root, stage.script(1))
    waiting = when(stage, job, "waiting")
    assert (waiting["waits"]["for"], waiting["holder"]) == ("approval", None)
    assert stage.ralph("queue", "workers")["workers"][0]["running"] == 0, "a waiting run holds no worker"
    first.kill()
    first.wait()
    told = stage.ralph("queue", "answer", job, "approve", "--reason", "a good plan")
    assert told["id"] == job
    again = stage.ralph("queue", "answer", job, "reject", "--reason", "a second thought", code=3)
    assert "answered already" in again
    stage.start(1)
    ended = when(stage, job, "done", "error")
    assert ended["outcome"] == "passed", ended
    decided = (Path(ended["result"]["folder"]) / "state" / "learning.jsonl").read_text()
    assert decided.count("a good plan") == 1
    assert "a second thought" not in decided


def test_an_open_breaker_is_waited_for_and_a_person_closes_it(stage: Stage) -> None:
    root = stage.project("p", {**CHEAP, "ralph.yml": "breaker: {failures: 1, cooldown_s: 3000}\n"})
    stage.start(1)
    job = submitted(stage, root, stage.script(1, failing=1))
    waiting = when(stage, job, "waiting", "done", "error")
    assert (waiting["waits"] or {}).get("for") == "breaker", (waiting["outcome"], waiting["why"])
    assert "waits for its breaker" in stage.ralph("queue", "answer", job, "approve", "--reason", "x", code=3)
    stage.ralph("queue", "answer", job, "go-on")
    assert when(stage, job, "done", "error")["outcome"] == "passed"


def test_a_waiting_run_is_cancelled(stage: Stage) -> None:
    root = stage.project("p", {**CHEAP, "ralph.yml": "phases: {planning: {require_human_approval: true}}\n"})
    worker = stage.start(1)
    job = submitted(stage, root, stage.script(1))
    when(stage, job, "waiting")
    assert stage.ralph("queue", "cancel", job)["state"] == "cancelled"
    assert "waits for nobody" in stage.ralph("queue", "answer", job, "approve", "--reason", "late", code=3)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(300) == 0
    assert (stage.place / "home" / "runs" / job / "tree").is_dir(), "what the run did stays"
