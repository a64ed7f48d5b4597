"""A turn that was cut off, or had to wait, is played again: what it used and what it posted counts once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from ralph.agents.base import Turn
from ralph.events import honesty
from ralph.loop.breaker import BreakerSettings
from ralph.loop.budget import Limits
from ralph.loop.control import Control, alive
from ralph.loop.inputs import Resumed, Settings, TurnEnded
from ralph.loop.plan.model import TaskStatus
from tests.audit.evidence import CONTEXT, CONTRACT
from tests.loop.player import Actions, Part, Player, used
from tests.loop.workshop import TASK, Workshop, claim, tool
from tests.project import repository

SETTINGS = Settings(limits=Limits(iterations=12), breaker=BreakerSettings())
GO_ON = Resumed(settings=SETTINGS)
GOOD = "tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: 5, duplication: pass"
DONE: Actions = (used(cost_usd=0.1), *claim("build.done", GOOD))
VALID: Actions = (used(cost_usd=0.1), tool("ralph_signal_phase_complete", summary="It is.", passed=True))


def shop(root: Path, *parts: Part) -> tuple[Workshop, Player]:
    player = Player(parts)
    repository(root, {"a.md": "one\n"})
    made = Workshop(
        root,
        lambda name: player,
        evidence="measured",
        context=CONTEXT,
        settings=SETTINGS,
        site_with={"contract": CONTRACT},
    )
    made.plan(TASK)
    return made, player


def stopped_in_it(root: Path, *actions: tuple[str, Any]) -> Part:
    """A turn in which a person stops the run: behind all that it does, and before it waits."""

    def part(turn: Turn) -> Iterator[tuple[str, Any]]:
        yield from (each for each in actions if each[0] != "wait_s")
        Control(root).post("stop", to=alive(root))
        yield from (each for each in actions if each[0] == "wait_s")

    return part


CUT: Mapping[str, Actions] = {
    "by a person": (used(cost_usd=0.5), *claim("build.done", GOOD), ("wait_s", 30.0)),
    "by the network": (used(cost_usd=0.5), *claim("build.done", GOOD), ("end", {"reason": "offline"})),
}


@pytest.mark.parametrize("case", CUT)
def test_what_a_turn_had_used_when_it_was_cut_off_counts_once(case: str, tmp_path: Path) -> None:
    """Also when the run is stopped then, and goes on another day."""
    made, player = shop(tmp_path, stopped_in_it(tmp_path, *CUT[case]), DONE, VALID)
    assert made.begin().end == "stopped"
    state = made.go_on(GO_ON)
    assert (state.end, len(player.turns), state.iteration) == ("passed", 3, 2)
    assert state.total.cost_usd == pytest.approx(0.5 + 0.1 + 0.1)
    assert state.total.tokens == 300
    assert made.tasks["one"].actual_tokens_used == 200
    assert len([each for each in made.view.inputs if isinstance(each, TurnEnded)]) == 3


@pytest.mark.parametrize("case", CUT)
def test_what_a_turn_had_claimed_when_it_was_cut_off_is_claimed_once(case: str, tmp_path: Path) -> None:
    made, _ = shop(tmp_path, stopped_in_it(tmp_path, *CUT[case]), DONE, VALID)
    made.begin()
    made.go_on(GO_ON)
    assert [event.topic for event in made.published].count("build.done") == 1
    assert len(honesty.read(tmp_path / honesty.CLAIMS)) == 1


def test_what_a_turn_had_claimed_counts_though_it_is_silent_when_it_is_played_again(tmp_path: Path) -> None:
    made, _ = shop(tmp_path, stopped_in_it(tmp_path, *CUT["by the network"]), (used(),), VALID)
    made.begin()
    assert made.go_on(GO_ON).end == "passed"
    assert made.tasks["one"].status is TaskStatus.COMPLETE


def test_claims_of_a_turn_are_measured_though_the_run_was_stopped_right_behind_it(tmp_path: Path) -> None:
    made, player = shop(tmp_path, stopped_in_it(tmp_path, *DONE), VALID)
    state = made.begin()
    assert (state.end, made.tasks["one"].status) == ("stopped", TaskStatus.IN_PROGRESS)
    state = made.go_on(GO_ON)
    assert (state.end, len(player.turns), made.tasks["one"].retry_count) == ("passed", 2, 0)


def test_a_handoff_between_a_turn_that_waited_and_its_next_playing(tmp_path: Path) -> None:
    """Each playing is one of its own turn; those of the handoff are others."""
    waits: Actions = (used(context=9_000), ("end", {"reason": "rate_limited", "retry_after_s": 0.01}))
    parts: list[Part] = [(used(), ("say", "I begin.")), waits, (used(), ("say", "I sum up.")), DONE, VALID]
    made, player = shop(tmp_path, *parts)
    state = made.begin()
    assert (state.end, state.iteration, len(player.turns)) == ("passed", 3, 5)
    assert "This session ends now" in player.prompts[2]
    assert state.total.tokens == 500
    assert state.here.iterations == 3
