"""When an agent cannot work, the next in the list does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from ralph.agents.base import (
    Agent,
    Claim,
    Decided,
    End,
    EndReason,
    Record,
    Started,
    Text,
    ToolCall,
    Turn,
    Usage,
)
from ralph.agents.fallback import Fallback

TURN = Turn(prompt="go", workdir=Path("/"), iteration=1)


@dataclass
class Player:
    """An agent that plays records, and knows in which sessions it was asked to."""

    name: str
    records: tuple[Record, ...]
    sessions: list[str | None] = field(default_factory=list)

    def run(self, turn: Turn) -> Iterator[Record]:
        self.sessions.append(turn.session)
        yield from self.records


def ending(name: str, reason: EndReason, *before: Record, **more: object) -> Player:
    return Player(name, (Started(session=f"of-{name}"), *before, replace(End(reason), **more)))  # type: ignore[arg-type]


def play(*agents: Agent, turn: Turn = TURN) -> list[Record]:
    return list(Fallback(agents).run(turn))


def test_the_first_one_works() -> None:
    first, second = ending("a", "completed"), ending("b", "completed")
    assert play(first, second) == [Started(session="a:of-a", agent="a"), End("completed")]
    assert second.sessions == []


@pytest.mark.parametrize("reason", ["api_error", "offline", "rate_limited", "login", "error"])
def test_the_next_one_takes_over(reason: EndReason) -> None:
    assert play(ending("a", reason, detail="no"), ending("b", "completed")) == [
        Started(session="a:of-a", agent="a"),
        Text(f"a cannot work ({reason}: no); b takes over."),
        Started(session="b:of-b", agent="b"),
        End("completed"),
    ]


@pytest.mark.parametrize(
    "reason",
    ["completed", "limit", "budget", "timeout", "interrupted", "stalled", "context_full", "crashed", "ungoverned"],
)
def test_an_end_that_may_be_the_work_s_is_nobody_else_s(reason: EndReason) -> None:
    second = ending("b", "completed")
    assert play(ending("a", reason), second)[-1] == End(reason)
    assert second.sessions == []


def test_names_may_begin_alike() -> None:
    first, second = ending("scripted", "completed"), ending("scripted:b", "completed")
    play(first, second, turn=replace(TURN, session="scripted:b:7"))
    assert (first.sessions, second.sessions) == ([], ["7"])


@pytest.mark.parametrize(
    "deed",
    [ToolCall("Bash", "ls", "1"), Decided(id="1", tool="Bash", outcome="deny", reason="no"), Claim("build.done", "")],
)
def test_a_turn_that_was_begun_is_not_begun_again(deed: Record) -> None:
    second = ending("b", "completed")
    assert play(ending("a", "api_error", deed), second)[-1] == End("api_error")
    assert second.sessions == []


def test_words_alone_are_no_beginning() -> None:
    assert play(ending("a", "api_error", Text("hello")), ending("b", "completed"))[-1] == End("completed")


def test_a_session_goes_to_whose_it_is() -> None:
    first, second = ending("a", "completed"), ending("b", "completed")
    play(first, second, turn=replace(TURN, session="b:42:7"))
    assert (first.sessions, second.sessions) == ([], ["42:7"])


def test_nobody_else_gets_a_session() -> None:
    first, second = ending("a", "completed"), ending("b", "offline")
    records = play(first, second, turn=replace(TURN, session="b:42"))
    assert (first.sessions, second.sessions) == ([None], ["42"])
    assert records[-1] == End("completed")


def test_a_session_of_nobody_here() -> None:
    first = ending("a", "completed")
    play(first, turn=replace(TURN, session="c:42"))
    assert first.sessions == [None]


def test_when_nobody_can_work_waiting_is_what_helps_most() -> None:
    agents = (
        ending("a", "login", detail="log in"),
        ending("b", "rate_limited", retry_after_s=60.0),
        ending("c", "error"),
    )
    assert play(*agents)[-1] == End("rate_limited", "login: log in; rate_limited; error", None, 60.0)


def test_what_all_of_them_used_counts() -> None:
    tried = ending("a", "api_error", usage=Usage(input_tokens=10, cost_usd=0.5, model_calls=1))
    works = ending("b", "completed", usage=Usage(input_tokens=5, output_tokens=2, cost_usd=0.25, context_tokens=5))
    assert play(tried, works)[-1] == End(
        "completed",
        usage=Usage(input_tokens=15, output_tokens=2, cost_usd=0.75, context_tokens=5, model_calls=1),
    )
    unpriced = ending("a", "api_error", usage=Usage(input_tokens=10))
    end = play(unpriced, works)[-1]
    assert isinstance(end, End)
    assert end.usage is not None
    assert end.usage.cost_usd is None


def test_told_to_stop_is_told_to_all() -> None:
    second = ending("b", "completed")
    stopped = replace(TURN)
    stopped.stop.set()
    try:
        assert play(ending("a", "error"), second, turn=stopped)[-1] == End("error")
    finally:
        stopped.stop.clear()
    assert second.sessions == []


def test_an_agent_that_does_not_say_how_it_ended() -> None:
    assert play(Player("a", ()))[-1] == End("error", "a ended without saying how")
