"""Every tool, called by a real client in each of the ways: the server in memory, `ralph mcp`, and over HTTP."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp import Client, StdioServerParameters
from ralph.events import inbox, tokens
from ralph.loop.memory.notes import learnings, remembered
from ralph.loop.phases.tools import TOOLS
from ralph.loop.saved import fresh
from ralph.loop.toolbox import tools
from ralph.loop.words import Phase
from tests.loop.toolbox.desks import NOW, Situation, situation, task
from tests.loop.toolbox.verdicts import PASSED, verdict
from tests.mcp.tools import over_http, over_memory, run, said
from tests.project import repository

Called = dict[str, Mapping[str, Any]]

BUILDING: dict[str, dict[str, Any]] = {
    "ralph_get_next_task": {},
    "ralph_mark_task_in_progress": {"task_id": "a"},
    "ralph_get_plan_summary": {},
    "ralph_get_state_summary": {},
    "ralph_update_memory": {"content": "half way"},
    "ralph_append_learning": {"learning": "use uv"},
    "ralph_emit": {"topic": "escalate.human", "payload": "help"},
    "ralph_increment_retry": {"task_id": "a"},
    "ralph_mark_task_blocked": {"task_id": "a", "reason": "no key"},
    "ralph_mark_task_complete": {"task_id": "a", "verification_notes": "tests pass"},
}
PLANNING: dict[str, dict[str, Any]] = {
    "ralph_add_task": {"task_id": "b", "description": "Do b.", "dependencies": ["a"], "priority": "2"},
    "ralph_get_plan_summary": {},
    "ralph_signal_phase_complete": {"summary": "planned"},
}


@asynccontextmanager
async def ralph_mcp(place: Situation) -> AsyncIterator[Client]:
    """The command, in the turn of the situation."""
    seat = place.desk.seat
    assert seat is not None
    env = {**os.environ, inbox.VARIABLE: str(seat.folder), tokens.VARIABLE: seat.token}
    started = StdioServerParameters(
        command=sys.executable, args=["-m", "ralph", "mcp", "-C", str(place.desk.root)], env=env
    )
    async with Client(started) as client:
        yield client


def connected(way: str, place: Situation) -> AbstractAsyncContextManager[Client]:
    if way == "stdio":
        return ralph_mcp(place)
    return {"memory": over_memory, "http": over_http}[way](tools(place.desk))


def session(way: str, place: Situation, calls: Mapping[str, Mapping[str, Any]]) -> Called:
    """What the tools answered; the phase is offered exactly its own."""

    async def talk() -> Called:
        async with connected(way, place) as client:
            listed = {each.name for each in (await client.list_tools()).tools}
            assert place.desk.seat is not None
            assert listed == set(TOOLS[place.desk.seat.phase].ralph)
            answers: Called = {}
            for name, arguments in calls.items():
                told = await client.call_tool(name, dict(arguments))
                assert not told.is_error, said(told)
                assert isinstance(told.structured_content, dict)
                answers[name] = told.structured_content
            return answers

    return run(talk)


def built(folder: Path, **options: Any) -> Situation:
    place = situation(folder, task("a"), **options)
    repository(place.desk.root, {"README.md": "x\n"})
    return place


@pytest.mark.parametrize("way", ["memory", "stdio", "http"])
def test_a_building_turn(tmp_path: Path, way: str) -> None:
    place = built(tmp_path, at_work="a")
    place.desk.states.save(fresh(place.desk.root, now=NOW, phase=Phase.BUILDING))
    told = session(way, place, BUILDING)
    assert told["ralph_get_next_task"]["task"]["id"] == "a"
    assert told["ralph_mark_task_in_progress"]["status"] == "in_progress"
    assert told["ralph_get_plan_summary"]["in_progress"] == 1
    assert told["ralph_get_state_summary"]["phase"] == "building"
    assert told["ralph_mark_task_complete"]["status"] == "claimed"
    assert [(topic, payload) for topic, payload, _ in place.posted()] == [
        ("escalate.human", "help"),
        ("build.blocked", "the agent gave no reason"),
        ("build.blocked", "no key"),
        ("build.done", "tests pass"),
    ]
    assert place.status("a") == "in_progress"
    assert remembered(place.desk.root) == "half way\n"
    assert learnings(place.desk.root)[0].endswith("PATTERN: use uv")


@pytest.mark.parametrize("way", ["memory", "stdio", "http"])
def test_a_planning_turn(tmp_path: Path, way: str) -> None:
    place = built(tmp_path, phase=Phase.PLANNING)
    place.desk.states.save(fresh(place.desk.root, now=NOW, phase=Phase.PLANNING))
    told = session(way, place, PLANNING)
    assert told["ralph_get_plan_summary"]["total_tasks"] == 2
    assert told["ralph_signal_phase_complete"]["status"] == "claimed"
    assert [topic for topic, _, _ in place.posted()] == ["phase.done"]


@pytest.mark.parametrize("way", ["memory", "http"])
def test_asking_for_a_measurement_and_for_a_person(tmp_path: Path, way: str) -> None:
    """With callables that a run gives; what `ralph mcp` has instead is tried with the command."""
    from ralph.loop.toolbox.desk import Approval

    place = built(tmp_path, at_work="a", verify=lambda: verdict(PASSED))
    approved = Approval(state="approved", message="A person approved it.", request="r1")
    place = replace(place, desk=replace(place.desk, ask=lambda *_: approved))
    asked = {"ralph_verify": {}, "ralph_request_approval": {"command": "npm i x", "reason": "y"}}
    told = session(way, place, asked)
    assert told["ralph_verify"]["verdict"] == "PASS"
    assert told["ralph_request_approval"] == {"message": "A person approved it.", "state": "approved", "request": "r1"}
