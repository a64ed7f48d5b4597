"""Several agents for one turn: when one cannot work, the next does.

Rules (issue: agents):

- The next is tried only after an end that says nothing about the work (`REASONS`) and only if nothing was done: no
  call, no claim. A turn that was begun is never begun again by somebody else.
- A conversation belongs to the agent that had it. Its session is named with the agent's name, that agent goes first
  when it is to be gone on with, and nobody else is given it.
- Who works is recorded in `Started`; that somebody else takes over, and why, as text. Usage is that of all.
- When nobody can work, the end is the one that waiting helps most.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from ralph.agents.base import Agent, Claim, Decided, End, Record, Started, Text, ToolCall, ToolResult, Turn, Usage
from ralph.record import record, replace

REASONS = ("rate_limited", "offline", "api_error", "login", "error")
"""Ends after which another agent may do better; those that waiting may cure come first."""


@record
class Fallback:
    """At least one agent, in the order in which they are tried; no two have the same name."""

    agents: tuple[Agent, ...]

    @property
    def name(self) -> str:
        return self.agents[0].name

    def run(self, turn: Turn) -> Iterator[Record]:
        owner, session = self._owner(turn.session or "")
        order = sorted(self.agents, key=lambda agent: agent.name != owner)
        ends: list[End] = []
        began = False
        for number, agent in enumerate(order, start=1):
            mine = replace(turn, session=session if agent.name == owner else None)
            end, began = yield from _played(agent, mine)
            ends.append(end)
            if began or end.reason not in REASONS or turn.stop.is_set():
                break
            if number < len(order):
                yield Text(f"{agent.name} cannot work ({_why(end)}); {order[number].name} takes over.")
        nobody = not began and ends[-1].reason in REASONS
        yield replace(_most_hopeful(ends) if nobody else ends[-1], usage=_used(ends))

    def _owner(self, session: str) -> tuple[str | None, str | None]:
        """Whose conversation this is, and what it is called there. The longest name counts: one may begin another."""
        names = sorted((agent.name for agent in self.agents), key=len, reverse=True)
        found = next((name for name in names if session.startswith(f"{name}:")), None)
        return (found, session[len(found) + 1 :]) if found is not None else (None, None)


def _played(agent: Agent, turn: Turn) -> Generator[Record, None, tuple[End, bool]]:
    """Play the turn; returns how it ended, and whether anything was done."""
    end, began = End("error", f"{agent.name} ended without saying how"), False
    for heard in agent.run(turn):
        match heard:
            case End():
                end = heard
                continue
            case ToolCall() | Decided() | ToolResult() | Claim():
                began = True
            case Started(session=session):
                heard = replace(heard, agent=agent.name, session=f"{agent.name}:{session}" if session else None)
        yield heard
    return end, began


def _most_hopeful(ends: list[End]) -> End:
    """Nobody did anything: of what kept them from it, what is most likely to pass."""
    best = min(ends, key=lambda end: REASONS.index(end.reason))
    return replace(best, detail="; ".join(map(_why, ends)) if len(ends) > 1 else best.detail)


def _used(ends: list[End]) -> Usage | None:
    """What all of them used; a cost that one of them does not know is unknown. The context is the last one's."""
    usages = [each.usage for each in ends if each.usage]
    if not usages:
        return None
    costs = [each.cost_usd for each in usages]
    known = [cost for cost in costs if cost is not None]
    return Usage(
        input_tokens=sum(each.input_tokens for each in usages),
        output_tokens=sum(each.output_tokens for each in usages),
        cache_read_tokens=sum(each.cache_read_tokens for each in usages),
        cache_write_tokens=sum(each.cache_write_tokens for each in usages),
        cost_usd=sum(known) if len(known) == len(costs) else None,
        context_tokens=usages[-1].context_tokens,
        context_window=usages[-1].context_window,
        model_calls=sum(each.model_calls for each in usages),
    )


def _why(end: End) -> str:
    return f"{end.reason}: {end.detail}" if end.detail else end.reason
