"""What tests of agents share: a project, a turn in it, and the records that come out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ralph.agents.base import Agent, Decided, End, Record, Text, ToolCall, ToolResult, Turn
from ralph.agents.scripted import ScriptedAgent


def project(place: Path) -> Path:
    work = place / "work"
    work.mkdir(exist_ok=True)
    return work


def turn_in(place: Path, **changes: Any) -> Turn:
    standard: dict[str, Any] = {
        "prompt": "go",
        "workdir": project(place),
        "iteration": 1,
        "env": {"PATH": os.environ["PATH"]},
    }
    return Turn(**{**standard, **changes})


def scripted(place: Path, script: str) -> ScriptedAgent:
    path = place / "script.yaml"
    path.write_text(script, "utf-8")
    return ScriptedAgent.from_yaml(path)


def play(agent: Agent, turn: Turn) -> list[Record]:
    return list(agent.run(turn))


def end_of(records: list[Record]) -> End:
    """The end, which stands at the end and nowhere else."""
    assert [at for at, record in enumerate(records) if isinstance(record, End)] == [len(records) - 1]
    last = records[-1]
    assert isinstance(last, End)
    return last


def texts(records: list[Record]) -> list[str]:
    return [record.text for record in records if isinstance(record, Text)]


def calls(records: list[Record]) -> list[ToolCall]:
    return [record for record in records if isinstance(record, ToolCall)]


def results(records: list[Record]) -> list[ToolResult]:
    return [record for record in records if isinstance(record, ToolResult)]


def decisions(records: list[Record]) -> list[Decided]:
    return [record for record in records if isinstance(record, Decided)]
