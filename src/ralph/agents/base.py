"""What every agent is to Ralph: one turn at a time, answered by a stream of typed records.

Rules (design section 3, decisions 25, 28 to 36):

- A turn is one prompt until the client ends. `run` yields records as they happen; the last one is an `End`, whatever
  happened to the client: it never raises for what the client or its model did.
- How a turn ended says nothing about whether the work succeeded. Claims are data: nothing that an agent says completes
  anything.
- What a client does is judged before it happens (`Turn.court`), and every decision is a record with the id of its
  call. A result of a call without a decision is for the runner to find (`reconcile`).
- When `run` returns, or its generator is closed, nothing that the client started is alive. `Turn.stop` asks it to end
  the turn early; it then ends as `interrupted`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from ralph.permissions.capabilities import ALL, Capabilities
from ralph.record import field, record

if TYPE_CHECKING:
    from ralph.hook.court import TurnCourt
    from ralph.mcp.model import Tool

EndReason = Literal[
    "completed",  # the client ended by itself
    "limit",  # the client's own limit of steps in a turn
    "budget",  # the turn's limit of cost
    "timeout",  # Ralph's limit of time for a turn
    "interrupted",  # Ralph or a person ended it
    "stalled",  # no output, no tool call and no changed file for too long
    "rate_limited",  # the model's provider asks to wait; see `retry_after_s`
    "offline",  # the model cannot be reached
    "api_error",  # the model's provider refuses or fails
    "login",  # the client is not logged in
    "context_full",  # the prompt is longer than the model's window
    "crashed",  # the client died
    "ungoverned",  # the client cannot be governed as demanded (a hook that did not answer, a dead MCP server)
    "error",  # anything else, such as a client that cannot be started
]


@record(kw_only=True)
class Usage:
    """What a turn used so far. Never cumulative over turns: a client's running totals are differenced by its adapter.

    `cost_usd` is None if the client does not say. `context_tokens` is the input of the last model call with its cache,
    `context_window` what fits in; None if unknown. `model_calls` counts requests to the model.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: float | None = None
    context_tokens: int | None = None
    context_window: int | None = None
    model_calls: int = 0

    @property
    def tokens(self) -> int:
        """All tokens, read from a cache or not."""
        return self.input_tokens + self.output_tokens + self.cache_read_tokens + self.cache_write_tokens


@record(kw_only=True)
class TurnLimits:
    """`stall_s`: how long without any sign of life. None: no limit."""

    cost_usd: float | None = None
    runtime_s: float | None = None
    stall_s: float | None = 600.0
    steps: int | None = None
    tokens: int | None = None


@record(kw_only=True)
class Turn:
    """One prompt to an agent that works in `workdir` with exactly the environment `env`.

    `session` is the client's conversation to go on with (None: a fresh one). `folder` is the turn's own, outside the
    agent's reach, for logs and settings of the client. `tools` are Ralph's, offered over MCP.
    """

    prompt: str
    workdir: Path
    iteration: int
    env: Mapping[str, str] = field(default_factory=dict)
    session: str | None = None
    folder: Path | None = None
    model: str | None = None
    tools: tuple[Tool, ...] = ()
    capabilities: Capabilities = ALL
    court: TurnCourt | None = None
    limits: TurnLimits = field(default_factory=TurnLimits)
    stop: threading.Event = field(default_factory=threading.Event)


@record(kw_only=True)
class Started:
    """The client is up. `session` is what a later turn names to go on with this conversation.

    `agent` says which one it is where several could be, `detail` how it is governed, for a person to read.
    """

    session: str | None = None
    model: str | None = None
    version: str | None = None
    agent: str | None = None
    detail: str | None = None


@record
class Text:
    """Something the agent said."""

    text: str


@record
class ToolCall:
    """Something the agent does; `target` is a path or a command line. `id` is the client's.

    `arguments` are what the model gave the tool, None if the client does not say.
    """

    tool: str
    target: str
    id: str | None = None
    arguments: Mapping[str, object] | None = None


@record(kw_only=True)
class Decided:
    """What Ralph decided about a call, before it happened. `id` is the call's; `outcome` as permissions name it."""

    id: str | None
    tool: str
    outcome: Literal["allow", "deny"]
    reason: str


@record
class ToolResult:
    """What came of a call. `ran` is False if the client refused it by itself (unknown tool, invalid arguments)."""

    ok: bool
    output: str
    id: str | None = None
    ran: bool = True


@record
class Claim:
    """What the agent says it achieved: a topic and its payload, unread."""

    topic: str
    payload: str


@record
class End:
    """The end of a turn, with its real reason. `usage` is that of the whole turn (None: unknown)."""

    reason: EndReason
    detail: str | None = None
    usage: Usage | None = None
    retry_after_s: float | None = None


Record = Started | Text | ToolCall | Decided | ToolResult | Claim | Usage | End


class Agent(Protocol):
    """A client. `run` yields records as they happen; the last one is an `End`."""

    @property
    def name(self) -> str: ...

    def run(self, turn: Turn) -> Iterator[Record]: ...
