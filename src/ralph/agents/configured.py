"""An agent as `agents.<name>` of `ralph.yml` wants it: its model, its environment, its prices, its window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ralph.agents.base import Agent, End, Record, Turn, Usage
from ralph.agents.prices import Prices, priced
from ralph.record import field, record, replace


@record(kw_only=True)
class Configured:
    """`model` counts where the turn names none, `context_window` where the client names none."""

    agent: Agent
    model: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    prices: Prices | None = None
    context_window: int | None = None

    @property
    def name(self) -> str:
        return self.agent.name

    def run(self, turn: Turn) -> Iterator[Record]:
        played = self.agent.run(replace(turn, model=turn.model or self.model, env={**turn.env, **self.env}))
        try:
            for record in played:
                yield self._counted(record)
        finally:
            if close := getattr(played, "close", None):  # a generator ends its client when it is closed
                close()

    def _counted(self, record: Record) -> Record:
        match record:
            case Usage():
                return self._usage(record)
            case End(usage=Usage() as usage):
                return replace(record, usage=self._usage(usage))
        return record

    def _usage(self, usage: Usage) -> Usage:
        return replace(priced(usage, self.prices), context_window=usage.context_window or self.context_window)
