"""A project that fails before anybody has worked on it: it is said once, and is not counted against the agent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from ralph.context import AppContext, Commands, Project
from ralph.loop.inputs import BaseMeasured
from ralph.loop.plan.model import TaskStatus
from tests.audit.evidence import CONTRACT
from tests.loop.player import Actions, Player, used
from tests.loop.workshop import TASK, Workshop, tool
from tests.project import repository

CONTEXT = AppContext(
    project=Project(name="words", path=".", language="other"), commands=Commands(lint="grep -q total a.md")
)
STEPS: Any = {name: reason for name, reason in CONTRACT.steps.items() if name != "lint"}
CLAIM = tool("ralph_mark_task_complete", task_id="one", verification_notes="Done.")
CLAIMS: Actions = (used(), CLAIM)


def write(text: str) -> tuple[str, Any]:
    return ("write", {"path": "a.md", "content": text})


def shop(root: Path, before: str, *parts: Actions) -> tuple[Workshop, Player]:
    player = Player(parts)
    repository(root, {"a.md": before})
    made = Workshop(
        root,
        lambda name: player,
        evidence="measured",
        context=CONTEXT,
        site_with={"contract": replace(CONTRACT, steps=STEPS)},
    )
    made.plan(TASK)
    return made, player


def failing(made: Workshop) -> list[tuple[str, ...]]:
    return [each.failing for each in made.view.inputs if isinstance(each, BaseMeasured)]


def test_what_fails_already_is_told_before_the_work_and_uses_up_no_attempt(tmp_path: Path) -> None:
    mends: Actions = (used(), write("the total\n"), CLAIM)
    made, player = shop(tmp_path, "one\n", CLAIMS, mends, (used(),))
    made.begin()
    assert failing(made) == [("lint: exit code",)]
    assert "Before any work, this fails already" in player.prompts[0]
    assert "uses up no attempt" in player.prompts[1]
    assert (made.tasks["one"].status, made.tasks["one"].retry_count) == (TaskStatus.COMPLETE, 0)


def test_a_person_decides_when_the_agent_does_not_repair_it(tmp_path: Path) -> None:
    made, player = shop(tmp_path, "one\n", CLAIMS, CLAIMS, CLAIMS, CLAIMS)
    state = made.begin()
    assert (state.end, len(player.turns)) == ("waits", 3)
    assert "did so before any work" in state.why
    assert (made.tasks["one"].status, made.tasks["one"].retry_count) == (TaskStatus.IN_PROGRESS, 0)


def test_what_the_work_broke_uses_up_attempts(tmp_path: Path) -> None:
    breaks: Actions = (used(), write("one\n"), CLAIM)
    made, player = shop(tmp_path, "the total\n", breaks, CLAIMS, CLAIMS)  # the third is one too many without progress
    made.begin()
    assert failing(made) == [()]
    assert "Before any work" not in player.prompts[0]
    assert (made.tasks["one"].status, made.tasks["one"].retry_count) == (TaskStatus.BLOCKED, 2)


def test_where_nothing_can_be_measured_nothing_is(tmp_path: Path) -> None:
    made, _ = shop(tmp_path, "one\n", CLAIMS)
    made.context, made.evidence = None, "claimed"
    made.begin()
    assert failing(made) == [()]
    assert not (tmp_path / ".ralph" / "audit").exists()
