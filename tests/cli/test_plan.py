"""`ralph plan` and `ralph tasks`: what a person sees of the plan, and what he does to it."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from ralph.loop.plan import transitions as go
from ralph.loop.plan.files import PLAN_FILE, PlanStore
from ralph.loop.plan.model import Task
from tests.cli.command import ralph, refused
from tests.loop.plan.making import SPEC_EXAMPLE, STAMP, put
from tests.project import repository


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository, and a person at work in it."""
    from ralph.approvals.person import AGENT_MARKS

    for name in AGENT_MARKS:
        monkeypatch.delenv(name, raising=False)
    return repository(tmp_path / "project", {"a.txt": "one\n"})


def store(project: Path) -> PlanStore:
    return PlanStore(project)


def test_without_a_plan_every_command_says_how_to_make_one(project: Path) -> None:
    for command in (["plan", "list"], ["plan", "next"], ["plan", "show", "a"], ["plan", "check"], ["tasks"]):
        refused(ralph(*command, "-C", project), "There is no plan in", "ralph plan add")


def test_adding(project: Path) -> None:
    first = ralph("plan", "add", "Create the model", "-C", project, "--criterion", 'verify:"pytest -q"', "--json")
    second = ralph(
        "plan", "add", "Add the endpoint", "-C", project, "--after", "task-1", "--priority", "2", "--id", "api"
    )
    assert (first.code, second.code) == (0, 0)
    assert first.document["id"] == "task-1"
    assert first.document["commands"] == ["pytest -q"]
    assert second.out.splitlines() == ["api  pending  priority 2", "Add the endpoint", "  after: task-1"]
    assert [each.id for each in store(project).load().tasks] == ["task-1", "api"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--id", "auth-01"], "There is a task 'auth-01' already"),
        (["--id", "a b"], "The task id 'a b' is none"),
        (["--after", "nope"], "depends on 'nope'"),
        (["--priority", "0"], "has the priority 0"),
        (["--criterion", "verify: pytest"], "cannot be read"),
    ],
)
def test_what_cannot_be_added(project: Path, options: list[str], told: str) -> None:
    path = put(project, SPEC_EXAMPLE)
    refused(ralph("plan", "add", "x", "-C", project, *options), told)
    assert path.read_text() == SPEC_EXAMPLE


def test_an_agent_adds_nothing_here(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(project, SPEC_EXAMPLE)
    monkeypatch.setenv("RALPH_AGENT", "claude")
    (project / "todo.md").write_text("- [ ] x\n")
    for command in (["add", "x"], ["import", str(project / "todo.md")], ["retry", "auth-01", "--reason", "r"]):
        refused(ralph("plan", *command, "-C", project), "Only a person may decide this")
    assert ralph("plan", "next", "-C", project).code == 0


def test_next_and_list(project: Path) -> None:
    put(project, SPEC_EXAMPLE)
    found = ralph("plan", "next", "-C", project, "--json")
    assert (found.code, found.document["task"]["id"]) == (0, "auth-01")
    assert (found.document["pending"], found.document["completion_percentage"]) == (2, 0.0)
    shown = ralph("plan", "list", "-C", project)
    assert shown.out.splitlines()[-2:] == ["0 of 2 complete (0 %), 0 blocked.", "Next: auth-01"]
    shelf = store(project)
    shelf.change(lambda plan: go.complete(go.start(plan, "auth-01"), "auth-01", at=STAMP))
    assert [line.split()[0] for line in ralph("tasks", "-C", project).out.splitlines()[:1]] == ["auth-02"]
    assert len(ralph("tasks", "--all", "-C", project, "--json").document["tasks"]) == 2
    shelf.change(lambda plan: go.start(plan, "auth-02"))
    assert ralph("tasks", "--pending", "-C", project, "--json").document["tasks"] == []
    nothing = ralph("plan", "next", "-C", project)
    assert (nothing.code, nothing.out) == (1, "'auth-02' (in_progress): nothing else is left.\n")
    refused(ralph("tasks", "--all", "--pending", "-C", project), "contradict")


def test_tasks_stand_in_the_order_of_the_work(project: Path) -> None:
    put(
        project,
        {"tasks": [{"id": name, "description": "x", "priority": p} for name, p in (("a", 2), ("b", 1), ("c", 1))]},
    )
    assert [line.split()[0] for line in ralph("tasks", "-C", project).out.splitlines()[:3]] == ["b", "c", "a"]


def test_a_cycle_is_no_end(project: Path) -> None:
    put(project, {"tasks": [{"id": "a", "description": "x", "dependencies": ["a"]}]})
    refused(ralph("plan", "next", "-C", project), "wait for each other")
    assert ralph("plan", "next", "-C", project, "--json").document["task"] is None


def test_a_damaged_plan_is_one_sentence(project: Path) -> None:
    put(project, '{"tasks": [null]}')
    for command in (["plan", "list"], ["plan", "add", "x"], ["tasks"]):
        refused(ralph(*command, "-C", project), "is damaged and was left as it is", "correct it, or move it away")


def test_a_person_decides_about_a_task_that_is_stuck(project: Path) -> None:
    put(project, SPEC_EXAMPLE)
    skipped = ralph("plan", "skip", "auth-01", "--reason", "not now", "-C", project, "--json")
    assert (skipped.document["status"], skipped.document["blockers"]) == ("blocked", ["skipped: not now"])
    assert "wait" in ralph("plan", "next", "-C", project).out
    again = ralph("plan", "retry", "auth-01", "--reason", "the key is there", "-C", project, "--json")
    assert (again.document["status"], again.document["blockers"]) == ("pending", [])
    lines = (project / "state" / "learning.jsonl").read_text().splitlines()
    assert ["task_skip" in lines[0], "task_retry" in lines[1], "the key is there" in lines[1]] == [True] * 3
    refused(ralph("plan", "retry", "nope", "--reason", "r", "-C", project), "There is no task 'nope'")
    assert len((project / "state" / "learning.jsonl").read_text().splitlines()) == 2


def test_importing(project: Path) -> None:
    file = project / "tasks.md"
    file.write_text("## Phase 1\n- [x] T001 a\n- [ ] T002 b (depends on T001)\n")
    dry = ralph("plan", "import", file, "--dry-run", "-C", project)
    assert (dry.code, dry.out) == (0, "2 tasks would be added (spec-kit), 0 were there already.\n")
    assert not (project / PLAN_FILE).exists()
    done = ralph("plan", "import", file, "-C", project, "--json").document
    assert ([each["id"] for each in done["added"]], done["kept"], done["kind"]) == (["T001", "T002"], [], "spec-kit")
    assert done["notes"][0]["line"] == 2
    assert ralph("plan", "import", file, "-C", project).out == "0 tasks added (spec-kit), 2 were there already.\n"
    file.write_text("- [ ] T003 c (depends on T009)\n- [] d\n")
    refused(ralph("plan", "import", file, "-C", project), "line 2: this is no checkbox")
    file.write_bytes(b"- [ ] \xff\n")
    refused(ralph("plan", "import", file, "-C", project), "is not UTF-8")


def test_checking(project: Path) -> None:
    put(project, SPEC_EXAMPLE)
    task = {"id": "a", "description": "Create the frontend", "verification_criteria": ['verify:"true"']}
    put(
        project,
        {"tasks": [task, {"id": "b", "description": "x", "verification_criteria": ["grep -q one a.txt passes"]}]},
    )
    found = ralph("plan", "check", "-C", project, "--json")
    assert found.code == 1
    assert [each["code"] for each in found.document["remarks"]] == ["too_big", "cannot_fail"]
    run = ralph("plan", "check", "--run", "-C", project)
    assert "warn  b: All its measured criteria hold before the work" in run.out
    assert run.out.endswith("3 remarks, 1 of them errors.\n")


def test_what_a_plan_says_cannot_act_on_the_terminal(project: Path) -> None:
    evil = "\x1b[2J\u202eevil"
    put(project, {"tasks": [{"id": "a", "description": evil, "verification_criteria": [evil], "blockers": [evil]}]})
    for command in (["plan", "list"], ["plan", "show", "a"], ["plan", "next"], ["tasks"], ["plan", "check"]):
        out = ralph(*command, "-C", project).out
        assert "\x1b" not in out
        assert "\u202e" not in out


def test_ten_thousand_tasks_are_listed_in_good_time(project: Path) -> None:
    """It took nearly six seconds."""
    many = [Task(id=f"t{number}", description="x" * 80) for number in range(10_000)]
    store(project).change(lambda plan: go.add(plan, *many))
    began = time.process_time()
    assert len(ralph("tasks", "-C", project).out.splitlines()) == 10_002
    assert time.process_time() - began < 4
    assert len(json.loads((project / PLAN_FILE).read_text())["tasks"]) == 10_000
