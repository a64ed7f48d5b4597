"""The loop: a claim is answered by a verdict, and the verdict decides what comes next."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ralph.agents.base import Record, Turn
from ralph.agents.scripted import ScriptedAgent
from ralph.contracts import Limits
from ralph.engine import RalphEngine
from ralph.loop.runner import Loop, Step, Task, outcome
from tests.audit.evidence import CONTEXT, CONTRACT, words

CLAIM = ("claim", {"topic": "build.done", "payload": "tests: pass"})
CHEAT = ("write", {"path": "b.py", "content": "x = 1  # noqa\n"})
MEND = ("write", {"path": "b.py", "content": "x = 2\n"})
GOVERN = ("write", {"path": "ralph-context.yaml", "content": "project: {name: x, path: ., language: other}\n"})
LONG = ("write", {"path": "c.md", "content": "line\n" * 30})
TOO_LONG = ("write", {"path": "c.md", "content": "line\n" * 101})


@dataclass
class Listening:
    """The scripted agent, with the prompts it was given."""

    agent: ScriptedAgent
    prompts: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.agent.name

    def run(self, turn: Turn) -> Iterator[Record]:
        self.prompts.append(turn.prompt)
        return self.agent.run(turn)


def play(root: Path, *turns: tuple[tuple[str, object], ...]) -> tuple[list[Step], list[str]]:
    agent = Listening(ScriptedAgent("test", turns))
    loop = Loop(
        agent=agent,
        engine=RalphEngine(repository=root),
        context=CONTEXT,
        contract=dataclasses.replace(CONTRACT, limits=Limits(lines_added=200)),
        workdir=root,
    )
    return list(loop.run(Task(description="Do it.", max_turns=4))), agent.prompts


@pytest.mark.parametrize(
    ("turns", "verdicts", "ended"),
    [
        pytest.param([(MEND, CLAIM)], ["PASS"], "passed", id="done at once"),
        pytest.param([(CHEAT, CLAIM), (MEND, CLAIM)], ["BLOCKED", "PASS"], "passed", id="one attempt after BLOCKED"),
        pytest.param([(CHEAT, CLAIM), (CLAIM,), (MEND, CLAIM)], ["BLOCKED", "BLOCKED"], "blocked", id="BLOCKED twice"),
        pytest.param([(GOVERN, CLAIM), (MEND, CLAIM)], ["BLOCKED"], "blocked", id="reached for what judges it"),
        pytest.param([(LONG,), (MEND,)], [None] * 4, "attempts used up", id="nothing claimed, nothing believed"),
    ],
)
def test_how_a_loop_ends(
    tmp_path: Path, turns: list[tuple[tuple[str, object], ...]], verdicts: list[str | None], ended: str
) -> None:
    steps, _ = play(words(tmp_path), *turns)
    assert [step.verdict.type if step.verdict else None for step in steps] == verdicts
    assert outcome(steps) == ended


def test_an_exceeded_contract_stops_at_once(tmp_path: Path) -> None:
    twice = ("write", {"path": "d.md", "content": "line\n" * 101})
    steps, _ = play(words(tmp_path), (TOO_LONG, twice, CLAIM), (CLAIM,))
    (verdict,) = (step.verdict for step in steps)
    assert verdict is not None
    assert verdict.failed_step == "contract_check"


def test_the_agent_is_told_what_was_measured(tmp_path: Path) -> None:
    _, prompts = play(words(tmp_path), (LONG,), (CHEAT, CLAIM), (MEND, CLAIM))
    assert prompts[0] == "Do it."
    assert "You claimed nothing" in prompts[1]
    assert "# BLOCKED" in prompts[2]
    assert "b.py:1" in prompts[2]
    assert "You have one attempt left." in prompts[2]


def test_records_are_shown_as_they_happen(tmp_path: Path) -> None:
    steps, _ = play(words(tmp_path), (MEND, CLAIM))
    assert [type(record).__name__ for record in steps[0].records] == ["ToolCall", "ToolResult", "Claim", "End"]
    assert steps[0].claims[0].topic == "build.done"
