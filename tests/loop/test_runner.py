"""Runs with the real engine: a claim is answered by a verdict, and the verdict decides what comes next."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ralph.agents.base import Record, Turn
from ralph.agents.scripted import ScriptedAgent
from ralph.contracts import Limits
from ralph.loop.breaker import BreakerSettings
from ralph.loop.budget import Limits as Budget
from ralph.loop.inputs import Judged, Settings
from ralph.loop.state import State
from tests.audit.evidence import CONTEXT, CONTRACT, words
from tests.loop.workshop import RUN, TASK, Workshop, claim, scripted, tool
from tests.project import git

CLAIM = tool("ralph_mark_task_complete", task_id="one", verification_notes="Done.")
CHEAT = ("write", {"path": "b.py", "content": "x = 1  # noqa\n"})
MEND = ("write", {"path": "b.py", "content": "x = 2\n"})
GOVERN = ("write", {"path": "ralph-context.yaml", "content": "project: {name: x, path: ., language: other}\n"})
LONG = ("write", {"path": "c.md", "content": "line\n" * 30})
TOO_LONG = ("write", {"path": "c.md", "content": "line\n" * 101})
OPEN = {"version": 1, "mode": "core", "files": {"allowWrite": ["."]}, "checks": {"required": []}}


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


def play(root: Path, *turns: tuple[tuple[str, Any], ...]) -> tuple[State, Workshop, list[str]]:
    """A task in the phase of building; four turns at most."""
    agent = Listening(ScriptedAgent("test", turns))
    shop = Workshop(
        root,
        lambda name: agent,
        evidence="measured",
        context=CONTEXT,
        settings=Settings(limits=Budget(iterations=4), breaker=BreakerSettings()),
        site_with={"contract": dataclasses.replace(CONTRACT, limits=Limits(lines_added=200))},
    )
    shop.plan(TASK)
    return shop.begin(), shop, agent.prompts


def verdicts(shop: Workshop) -> list[str | None]:
    return [each.verdict for each in shop.view.inputs if isinstance(each, Judged)]


@pytest.mark.parametrize(
    ("turns", "expected", "task", "end"),
    [
        pytest.param([(MEND, CLAIM)], ["PASS"], "complete", "limit", id="done at once"),
        pytest.param(
            [(CHEAT, CLAIM), (MEND, CLAIM)], ["BLOCKED", "PASS"], "complete", "limit", id="one attempt after BLOCKED"
        ),
        pytest.param(
            [(CHEAT, CLAIM), (CLAIM,), (MEND, CLAIM)], ["BLOCKED", "BLOCKED"], "blocked", "blocked", id="BLOCKED twice"
        ),
        pytest.param([(LONG,), (MEND,)], [None] * 4, "in_progress", "limit", id="nothing claimed, nothing believed"),
    ],
)
def test_how_a_task_ends(
    tmp_path: Path, turns: list[tuple[tuple[str, Any], ...]], expected: list[str | None], task: str, end: str
) -> None:
    """After a complete task comes the validation, for which this script has no words."""
    state, shop, _ = play(words(tmp_path), *turns)
    assert verdicts(shop)[: len(expected)] == expected
    assert (shop.tasks["one"].status, state.end) == (task, end)


def test_an_exceeded_contract_stops_at_once(tmp_path: Path) -> None:
    twice = ("write", {"path": "d.md", "content": "line\n" * 101})
    state, shop, prompts = play(words(tmp_path), (TOO_LONG, twice, CLAIM), (CLAIM,))
    assert (state.end, len(prompts), shop.tasks["one"].status) == ("blocked", 1, "blocked")


def test_the_agent_is_told_what_was_measured(tmp_path: Path) -> None:
    _, _, prompts = play(words(tmp_path), (LONG,), (CHEAT, CLAIM), (MEND, CLAIM))
    assert "Do it." in prompts[0]
    assert "You claimed nothing" in prompts[1]
    assert "# BLOCKED" in prompts[2]
    assert "b.py:1" in prompts[2]
    assert "You have one attempt left" in prompts[2]


def test_a_run_that_validates_passes(tmp_path: Path) -> None:
    done = tool("ralph_signal_phase_complete", summary="All of it is there.")
    state, shop, _ = play(words(tmp_path), (MEND, CLAIM), (done,))
    assert (state.end, shop.tasks["one"].status) == ("passed", "complete")
    assert "PASS" in (tmp_path / ".ralph" / "validation_report.md").read_text()
    assert git(tmp_path, "show", f"refs/ralph/runs/{RUN}:b.py") == "x = 2"
    assert git(tmp_path, "status", "--porcelain") == "M b.py"


def test_claimed_evidence_can_pass_and_says_what_it_is_worth(tmp_path: Path) -> None:
    """Work that is no code has no verdict; a person chose that."""
    done = tool("ralph_signal_phase_complete", summary="All of it is there.")
    evidence = "tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: 5, duplication: pass"
    shop = Workshop(words(tmp_path), scripted((MEND, *claim("build.done", evidence)), (done,)))
    shop.plan(dataclasses.replace(TASK, verification_criteria=('verify:"grep -q 2 b.py"',)))
    assert shop.begin().end == "passed"
    report = (tmp_path / ".ralph" / "validation_report.md").read_text()
    assert "PASSED AS CLAIMED" in report
    assert "1 of 1 requirements were measured and hold" in report
