"""What a person can do after a kill: go on, begin anew, start over. Nothing is lost, and nothing counts twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ralph.events import log
from ralph.loop import journal
from ralph.loop.memory import history
from ralph.loop.plan import transitions
from ralph.loop.plan.files import PlanStore
from ralph.loop.plan.model import Task, TaskStatus
from tests.loop.crash.ending import damage, litter, miscounted
from tests.loop.crash.ralphs import Place, until
from tests.loop.crash.story import done, page, tool, used

CLAIMED = "evidence: claimed\n"


def place(folder: Path, *turns: list[dict[str, Any]], plan: tuple[str, ...] = ("t01", "t02")) -> Place:
    """A project in which what is claimed is believed, with a plan of tasks that name no command."""
    made = Place.made(
        folder, {"ralph.yml": CLAIMED, "pages/a.txt": "one\n"}, {"name": "scripted", "turns": list(turns)}
    )
    tasks = (Task(id=name, description=f"Write the page {name}.") for name in plan)
    PlanStore(made.root).change(lambda before: transitions.add(before, *tasks))
    return made


def tasks(made: Place) -> dict[str, Task]:
    return {task.id: task for task in PlanStore(made.root).load().tasks}


def topics(made: Place) -> list[str]:
    events = log.read(made.root / log.LOG)[0]
    return [event.topic for event in events if event.origin == "agent"]


def near(*turns: int) -> object:
    """What these turns cost together."""
    return pytest.approx(sum(turns) / 1024, abs=1e-6)


WAITS = [used(1), tool("emit", topic="escalate.human", payload="Which one?")]
DONE = [used(2), page("t01"), done("t01")]
ALSO = [used(4), page("t02"), done("t02")]
SIGNAL = [used(8), tool("signal_phase_complete", summary="All of it is there.")]


def test_what_follows_from_the_end_of_a_run_is_done_when_it_goes_on(tmp_path: Path) -> None:
    made = place(tmp_path, WAITS, DONE, ALSO, SIGNAL)
    made.dies("Judged")
    assert (made.journal.state.end, topics(made)) == ("waits", [])
    assert made.ralph("resume") == 0, made.said
    assert topics(made) == ["escalate.human", "build.done", "build.done"]
    assert history.read(made.root).lines[-1].handoff_reason == "resumed"
    assert damage(made.root) + miscounted(made.root) + litter() == []


def test_a_run_that_passed_and_died_comes_to_its_end_once(tmp_path: Path) -> None:
    made = place(tmp_path, DONE, ALSO, SIGNAL)
    made.dies("Validated")
    assert made.journal.state.end == "passed"
    assert made.ralph("resume") == 0, made.said
    assert history.read(made.root).lines[0].handoff_reason == "run_complete"
    assert made.ralph("resume") == 3
    assert "has passed; begin another" in made.said


def test_a_new_run_is_refused_until_the_person_says_what_becomes_of_the_old_one(tmp_path: Path) -> None:
    made = place(tmp_path, DONE, ALSO, SIGNAL)
    made.dies("Judged")
    first = made.journal.state.run
    assert made.run("more pages") == 3
    told = f"The run {first} was cut off: `ralph resume` goes on with it, and `ralph run --new` begins anew."
    assert told in made.said
    assert made.journal.state.run == first


def test_a_new_run_takes_over_what_the_old_one_had_done_and_used(tmp_path: Path) -> None:
    """The claim was measured and the log says so; the plan did not know it yet."""
    made = place(tmp_path, DONE, ALSO, SIGNAL)
    made.dies("Judged")
    assert tasks(made)["t01"].status is TaskStatus.IN_PROGRESS
    old = made.journal
    assert made.run("--new") == 0, made.said
    assert tasks(made)["t01"].status is TaskStatus.COMPLETE
    assert topics(made).count("build.done") == 2
    assert made.journal.state.total.cost_usd == near(2, 4, 8)
    assert made.journal.state.run != old.state.run
    assert damage(made.root) + miscounted(made.root) + litter() == []


def test_a_new_run_counts_what_a_turn_had_used_that_nobody_goes_on_with(tmp_path: Path) -> None:
    made = place(tmp_path, DONE, ALSO, SIGNAL)
    made.dies("Usage")
    old = made.journal.folder
    assert made.run("--new") == 0
    assert made.journal.state.total.cost_usd == near(2, 2, 4, 8)
    closed = journal.read(old).state
    assert (closed.end, closed.here.cost_usd) == ("stopped", near(2))
    assert damage(made.root) + miscounted(made.root) + litter() == []


def test_after_a_reset_the_old_run_is_no_run_to_go_on_with(tmp_path: Path) -> None:
    made = place(tmp_path, DONE, ALSO, SIGNAL)
    made.dies("Judged")
    old = made.journal.folder.name
    assert made.ralph("reset", "--yes") == 0
    assert made.ralph("resume") == 3
    assert "was reset, and nothing has run since: begin with `ralph run`." in made.said
    assert made.run("write a page", "--max-iterations", "1") == 5, made.said
    state = made.journal.state
    assert (state.run != old, state.iteration, state.phase) == (True, 1, "discovery")
    assert state.total.cost_usd == near(2)
    assert not PlanStore(made.root).path.exists(), "what the old run had left to do is not done any more"


def test_a_person_leaves_out_the_task_at_work_while_ralph_is_dead(tmp_path: Path) -> None:
    made = place(tmp_path, DONE, ALSO, SIGNAL)
    made.dies("Usage")
    assert made.ralph("plan", "skip", "t01", "--reason", "not now") == 0, made.said
    assert made.ralph("resume") == 1, made.said
    assert [task.status for task in tasks(made).values()] == [TaskStatus.BLOCKED, TaskStatus.COMPLETE]
    assert "not now" in tasks(made)["t01"].blockers[0]


def test_what_a_person_decides_after_the_end_stands_when_the_run_goes_on(tmp_path: Path) -> None:
    """What followed from the end is not done once more: the task would be blocked again."""
    gives_up = [used(1), tool("mark_task_blocked", task_id="t01", reason="No.")]
    made = place(tmp_path, gives_up, ALSO, SIGNAL, DONE, SIGNAL)
    assert made.run() == 1, made.said
    assert tasks(made)["t01"].status is TaskStatus.BLOCKED
    assert made.ralph("plan", "retry", "t01", "--reason", "yes, do") == 0, made.said
    assert made.run() == 0, made.said
    assert tasks(made)["t01"].status is TaskStatus.COMPLETE


def test_two_runs_at_once(tmp_path: Path) -> None:
    made = place(tmp_path, [used(1), {"wait_s": 60.0}])
    with made.at_work("run", "--agent", f"scripted:{tmp_path / 'script.yaml'}") as first:
        until(lambda: "agent: scripted" in made.said)
        assert made.run("another", "--new") == 3
        assert f"is at work here already (process {first.pid})" in made.said
        first.terminate()
        assert first.wait(20) == 130, made.said
    assert made.journal.state.end == "stopped"
