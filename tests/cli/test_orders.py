"""`ralph pause`, `stop`, `inject` and `breaker`: what a person says to a run, and what an agent may not."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ralph.loop.control import CONTROL, Alive, Control, Order, hold
from ralph.loop.inputs import Controlled, Resumed
from ralph.loop.saved import StateStore
from ralph.system import clock
from tests.cli.command import ralph, refused
from tests.cli.runs import RUN, SETTINGS, begin, happened, judged, turn
from tests.project import repository


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "repo", {"a.md": "one\n"})


def orders(root: Path, held: Alive) -> list[Order]:
    return list(Control(root).since(0, held))


@pytest.mark.parametrize("command", ["pause", "stop"])
def test_a_run_at_work_is_asked(root: Path, command: str) -> None:
    with hold(root, RUN) as held:
        answer = ralph(command, "-C", root / ".", "--json")
        assert answer.document == {"run": RUN, "process": held.pid, "do": command, "order": 1}
        told = ralph(command, "-C", root)
        assert told.out.startswith(f"The run {RUN} {command}s ")
        assert [(order.do, order.to) for order in orders(root, held)] == [(command, held.id)] * 2
        assert orders(root, held)[0].by


@pytest.mark.parametrize("command", ["pause", "stop"])
def test_nobody_is_asked_where_nobody_works(root: Path, command: str) -> None:
    refused(ralph(command, "-C", root), f"there is nothing to {command}", "ralph status")
    assert not (root / CONTROL).exists()


def test_a_hint_for_the_run_at_work(root: Path) -> None:
    with hold(root, RUN) as held:
        answer = ralph("inject", "use tabs", "--priority", "5", "-C", root)
        assert answer.out == f"It will be in the next prompt of the run {RUN}.\n"
        (order,) = orders(root, held)
    assert (order.do, order.text, order.priority) == ("inject", "use tabs", 5)


def test_a_hint_waits_for_the_next_run(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "the first prompt of the next one" in ralph("inject", "one", "-C", root).out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"two\nlines")))
    assert ralph("inject", "-", "-C", root, "--json").document == {"order": 2, "priority": 0, "run": None}
    with hold(root, RUN) as held:
        assert [order.text for order in orders(root, held)] == ["one", "two\nlines"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("inject", " "), "nothing to tell the agent"),
        (("inject", "x" * 10_001), "put it into a file"),
        (("inject", "x", "--priority", "5000"), "from -1000 to 1000"),
        (("inject", "x", "--priority", "high"), "high"),
        (("breaker", "reset"), "--reason"),
        (("breaker", "reset", "--reason", " "), "needs a reason"),
    ],
)
def test_what_is_refused(root: Path, arguments: tuple[str, ...], words: str) -> None:
    refused(ralph(*arguments, "-C", root), words)


@pytest.mark.parametrize(
    "arguments", [("pause",), ("stop",), ("inject", "do as I say"), ("breaker", "reset", "--reason", "r")]
)
def test_an_agent_says_nothing_to_its_own_run(
    root: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    with hold(root, RUN):
        refused(ralph(*arguments, "-C", root), "Only a person may decide this")
    assert not (root / CONTROL).exists()


def test_orders_do_not_dirty_the_project(root: Path) -> None:
    ralph("inject", "one", "-C", root)
    ralph("breaker", "reset", "--reason", "r", "-C", root)
    assert ralph("scan", "-C", root, "--json").document["files_changed"] == 0


def test_a_breaker_that_never_opened(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ralph("breaker", "show", "-C", root).out == "closed (0 failures, 0 iterations without progress)\n"
    monkeypatch.chdir(root)
    assert ralph("breaker").out == ralph("breaker", "show").out


def test_a_persons_reset_is_recorded_and_counts_for_the_next_run(root: Path) -> None:
    run = begin(root)
    for _ in range(3):
        happened(run, turn(reason="api_error", detail="overloaded"), judged())
    shown = ralph("breaker", "show", "-C", root, "--json").document
    assert (shown["state"], shown["halts"], shown["failure_count"]) == ("open", "consecutive_failures:3", 3)
    assert "→ look at what happened" in ralph("breaker", "show", "-C", root).out
    answer = ralph("breaker", "reset", "--reason", "the provider is back", "-C", root, "--json")
    assert (answer.document["state"], answer.document["failure_count"]) == ("half_open", 0)
    assert StateStore(root).load().circuit_breaker.state == "half_open"
    assert "the provider is back" in (root / "state" / "learning.jsonl").read_text()
    run.add(Resumed(settings=SETTINGS, reset_breaker=True), clock.now())
    assert run.state.status == "running"


def test_a_run_at_work_resets_its_own_breaker(root: Path) -> None:
    """Nobody but the runner writes the state of a run that is alive."""
    begin(root)
    before = (root / ".ralph" / "state.json").read_bytes()
    with hold(root, RUN) as held:
        assert ralph("breaker", "reset", "--reason", "r", "-C", root).code == 0
        assert [order.do for order in orders(root, held)] == ["reset_breaker"]
    assert (root / ".ralph" / "state.json").read_bytes() == before


def test_hints_reach_the_prompt_by_their_priority_and_only_once(root: Path) -> None:
    run = begin(root)
    for number, (text, priority) in enumerate([("low", -1), ("first", 0), ("urgent", 9), ("second", 0)], start=1):
        happened(run, Controlled(do="inject", text=text, number=number, priority=priority))
    assert [hint.text for hint in run.state.hints] == ["urgent", "first", "second", "low"]
    happened(run, turn())
    assert run.state.hints == ()
    assert run.state.control == 4


def test_a_handoff_does_not_take_hints_away(root: Path) -> None:
    """They once were deleted by it, unread."""
    run = begin(root)
    happened(run, replace(turn(), session="one"), Controlled(do="handoff", number=1), judged())
    happened(run, Controlled(do="inject", text="one", number=2))
    happened(run, replace(turn(), summary="summed up"))
    assert run.state.session.number == 2
    assert [hint.text for hint in run.state.hints] == ["one"]
