"""An agent that plays one turn after the other, whatever their numbers, and remembers what it was told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ralph.agents.acting import Stage
from ralph.agents.base import Record, Started, Turn

Actions = Sequence[tuple[str, Any]]
Part = Actions | Callable[[Turn], Iterable[tuple[str, Any]]]
"""What is done in a turn, or what says so when the turn has come."""


@dataclass
class Player:
    """Plays `parts` in their order; with `repeat` the last one again and again, else it says nothing at the end."""

    parts: Sequence[Part]
    repeat: bool = False
    name: str = "scripted"
    turns: list[Turn] = field(default_factory=list)

    def run(self, turn: Turn) -> Iterator[Record]:
        number = len(self.turns)
        self.turns.append(turn)
        part: Part = ()
        if number < len(self.parts) or self.repeat:
            part = self.parts[min(number, len(self.parts) - 1)]
        yield Started(session=turn.session or f"conversation {number + 1}", agent=self.name)
        yield from Stage(turn, self.name).play(part(turn) if callable(part) else part)

    @property
    def prompts(self) -> list[str]:
        return [turn.prompt for turn in self.turns]


def used(cost_usd: float = 0.1, tokens: int = 100, context: int = 1_000) -> tuple[str, Any]:
    """What the turn used, in a window of 10,000 tokens."""
    return (
        "usage",
        {"input_tokens": tokens, "cost_usd": cost_usd, "context_tokens": context, "context_window": 10_000},
    )
