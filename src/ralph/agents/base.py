"""What every agent is to Ralph: one turn at a time, answered by a stream of typed records.

A turn is one prompt until the client ends (design section 3). How it ended says nothing about whether the work
succeeded. Claims are data: nothing that an agent says completes anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

EndReason = Literal["completed", "error", "interrupted", "limit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One prompt to an agent that works in `workdir` with exactly the environment `env`."""

    prompt: str
    workdir: Path
    iteration: int
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Text:
    """Something the agent said."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """Something the agent does; `target` is a path or a command line."""

    tool: str
    target: str


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came of the last call."""

    ok: bool
    output: str


@dataclass(frozen=True, slots=True)
class Claim:
    """What the agent says it achieved: a topic and its payload, unread."""

    topic: str
    payload: str


@dataclass(frozen=True, slots=True)
class End:
    """The end of a turn, with its real reason."""

    reason: EndReason
    detail: str | None = None


Record = Text | ToolCall | ToolResult | Claim | End


class Agent(Protocol):
    """A client. `run` yields records as they happen; the last one is an `End`."""

    @property
    def name(self) -> str: ...

    def run(self, turn: Turn) -> Iterator[Record]: ...
