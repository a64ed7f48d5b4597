"""What is offered: by phase, with schemas that are enforced word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from ralph.loop.phases.tools import TOOLS
from ralph.loop.toolbox import tools
from ralph.loop.words import Phase
from tests.loop.toolbox.desks import situation

ALL = {
    "ralph_get_next_task",
    "ralph_mark_task_in_progress",
    "ralph_mark_task_complete",
    "ralph_mark_task_blocked",
    "ralph_append_learning",
    "ralph_get_plan_summary",
    "ralph_get_state_summary",
    "ralph_add_task",
    "ralph_increment_retry",
    "ralph_update_memory",
    "ralph_emit",
    "ralph_verify",
    "ralph_request_approval",
    "ralph_signal_phase_complete",
}


@pytest.mark.parametrize("phase", Phase)
def test_a_phase_is_offered_exactly_its_own(tmp_path: Path, phase: Phase) -> None:
    """The first implementation offered every tool in every phase, and added more of them with each iteration."""
    desk = situation(tmp_path, phase=phase).desk
    for _ in range(2):
        names = [each.name for each in tools(desk)]
        assert sorted(names) == sorted(TOOLS[phase].ralph)


def test_outside_of_a_turn_all_are_offered(tmp_path: Path) -> None:
    assert {each.name for each in tools(situation(tmp_path).desk)} == ALL


def test_every_schema_is_strict_and_says_what_its_fields_are(tmp_path: Path) -> None:
    for tool in tools(situation(tmp_path).desk):
        assert tool.description.endswith(".")
        assert tool.schema["additionalProperties"] is False
        assert set(tool.schema["required"]) <= set(tool.schema["properties"])
        for name, schema in tool.schema["properties"].items():
            assert schema.get("description"), (tool.name, name)


def test_every_text_has_an_end(tmp_path: Path) -> None:
    def unbounded(schema: dict[str, object]) -> bool:
        inner = [*schema.get("anyOf", []), *([schema["items"]] if "items" in schema else [])]  # type: ignore[misc]
        own = schema.get("type") == "string" and not {"maxLength", "enum", "pattern"} & set(schema)
        return own or any(unbounded(each) for each in inner)

    for tool in tools(situation(tmp_path).desk):
        assert [name for name, schema in tool.schema["properties"].items() if unbounded(schema)] == [], tool.name


REQUIRED = {
    "ralph_mark_task_complete": ["task_id"],
    "ralph_mark_task_blocked": ["task_id", "reason"],
    "ralph_increment_retry": ["task_id"],
    "ralph_add_task": ["task_id", "description"],
    "ralph_update_memory": ["content"],
    "ralph_append_learning": ["learning"],
    "ralph_emit": ["topic"],
    "ralph_request_approval": ["reason"],
    "ralph_signal_phase_complete": ["summary"],
}


def test_only_what_is_needed_is_required(tmp_path: Path) -> None:
    """In the first implementation everything was, whatever the descriptions said."""
    offered = {each.name: each.schema["required"] for each in tools(situation(tmp_path).desk)}
    assert {name: required for name, required in offered.items() if name in REQUIRED} == REQUIRED
