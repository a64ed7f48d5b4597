"""One turn of Claude Code, from its start to its end, whoever answers its questions (design decisions 25, 29 and 30).

Rules:

- The client runs behind the one door for clients, so nothing of it is alive when the turn is over.
- A turn that has to end is interrupted first, for then the client says what it cost; one that does not heed it within
  `HEED_S` is stopped, and one that has ended its work gets `LEAVE_S` to go. A client that cannot be governed is killed
  at once.
- What the client said of its own end counts before the way in which its process ended; without a result it crashed.
- A conversation that the client has lost is begun anew, in the same turn: nothing was done, and a prompt says all.
- Everything that it said is kept in the turn's folder, `messages.jsonl`, and its standard error in `client.log`.
"""

from __future__ import annotations

import json
import queue
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import IO, Any, Protocol

from ralph.agents.base import Decided, End, EndReason, Record, Text, Turn
from ralph.agents.claude_ends import end_of, shortened
from ralph.agents.claude_law import Law
from ralph.agents.claude_line import interruption
from ralph.agents.claude_messages import LONG_WAIT_S, Reader
from ralph.agents.watchdog import Watchdog
from ralph.mcp.model import Tool
from ralph.record import replace
from ralph.system.lines import Line
from ralph.system.process import Command
from ralph.system.scratch import scratch
from ralph.system.stream import Running, start

HEED_S = 5.0
LEAVE_S = 10.0
GRACE_S = 3.0
MESSAGES, LOG = "messages.jsonl", "client.log"
GONE = "No conversation found"
_FOREVER_S = float("inf")
_QUESTIONS = frozenset({"control_request", "control_response", "control_cancel_request"})


class Counterpart(Protocol):
    """Who speaks with the client: gives it the prompt, and answers what it asks over its own output and input.

    `trouble` says why the client cannot be governed.
    """

    @property
    def trouble(self) -> str | None: ...

    def begin(self, nudge: Callable[[], None]) -> None:
        """The client has started; `nudge`, from any thread, says that there is something to write."""

    def hear(self, message: dict[str, Any]) -> None:
        """A question of the client's, or its answer to one."""

    def outgoing(self) -> list[bytes]:
        """What is to be written now."""

    def close(self) -> None:
        """The turn is over."""


class Scene:
    """What a turn needs before its client starts: the law, Ralph's tools, and the clock that stands for both."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.running: Running | None = None
        self.dog = Watchdog(turn, pulse=lambda: self.running.received if self.running else 0)
        self._decided: queue.SimpleQueue[Decided] = queue.SimpleQueue()
        self.law = Law(turn, self._decided.put, self.dog.paused)
        self.tools = tuple(replace(tool, call=self._waited(tool)) for tool in turn.tools)

    def decided(self) -> Iterator[Decided]:
        """The decisions since the last time."""
        while not self._decided.empty():
            yield self._decided.get()

    def _waited(self, tool: Tool) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
        def call(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
            with self.dog.paused():
                return tool.call(arguments)

        return call


def afresh(turn: Turn, playing: Callable[[Turn], Generator[Record]]) -> Iterator[Record]:
    """Play a turn; in a new conversation if the client has lost the one that was to go on."""
    with closing(playing(turn)) as records:
        for record in records:
            if turn.session and isinstance(record, End) and GONE in (record.detail or ""):
                break
            yield record
        else:
            return
    yield Text("The conversation is gone; a new one begins.")
    yield from playing(replace(turn, session=None))


@contextmanager
def folder_of(turn: Turn) -> Iterator[Path]:
    """The turn's folder, or one for as long as it lasts. Raises StorageError, OSError."""
    if turn.folder is None:
        with scratch("claude") as folder:
            yield folder
    else:
        turn.folder.mkdir(parents=True, exist_ok=True)
        yield turn.folder


def play(
    scene: Scene, line: Sequence[str], env: Mapping[str, str], folder: Path, counterpart: Counterpart
) -> Iterator[Record]:
    """Start the client, give its records, and end it. Raises StorageError, OSError."""
    command = Command(
        line=tuple(line), cwd=scene.turn.workdir, env=env, log=folder / LOG, timeout_s=_FOREVER_S, grace_s=GRACE_S
    )
    with ExitStack() as stack:
        kept = stack.enter_context((folder / MESSAGES).open("ab"))
        scene.running = running = stack.enter_context(start(command, interactive=True))
        stack.callback(counterpart.close)
        counterpart.begin(running.nudge)
        stage = _Stage(scene, running, counterpart, kept)
        for said in running.lines():
            yield from stage.hear(said)
            stage.act()
        yield from scene.decided()
    yield stage.end()


class _Stage:
    """One client at work."""

    def __init__(self, scene: Scene, running: Running, counterpart: Counterpart, kept: IO[bytes]) -> None:
        turn = scene.turn
        self._scene = scene
        self._running = running
        self._counterpart = counterpart
        self._kept = kept
        self._reader = Reader(resumed=turn.session is not None, has_tools=bool(turn.tools), allowed=scene.law.allowed)
        self._why: End | None = None
        self._has_left = False
        self._since = 0.0
        """When the client was asked to end, or said that it had."""

    def hear(self, said: Line | None) -> Iterator[Record]:
        """The records of a line, and the decisions that were made meanwhile."""
        yield from self._scene.decided()
        message = _message(said)
        if message is None:
            return
        self._scene.dog.alive()
        if message.get("type") in _QUESTIONS:
            self._counterpart.hear(message)
            return
        self._kept.write(said.data + b"\n" if said else b"")
        yield from self._reader.read(message)

    def act(self) -> None:
        """What has to be done now: write, let the client go, end it."""
        for data in self._counterpart.outgoing():
            self._running.write(data)
        if trouble := self._reader.ungoverned or self._counterpart.trouble:
            self._why = End("ungoverned", trouble)
            self._running.close()
        elif self._reader.result is not None:
            self._let_go()
        elif self._why is not None:
            if time.monotonic() - self._since > HEED_S:
                self._running.stop()
        elif why := self._overdue():
            self._why, self._since = why, time.monotonic()
            self._running.write(interruption(), HEED_S)

    def _let_go(self) -> None:
        if not self._has_left:
            self._has_left, self._since = True, time.monotonic()
            self._running.close_input()
        elif time.monotonic() - self._since > LEAVE_S:
            self._running.stop()

    def _overdue(self) -> End | None:
        wait = self._reader.retry_after_s
        if wait is not None and wait >= LONG_WAIT_S:
            return End("rate_limited", f"the provider asks to wait {wait:.0f} s")
        overdue = self._scene.dog.check()
        return overdue.end() if overdue else None

    def end(self) -> End:
        """How the turn ended. The client is gone."""
        reason, detail = self._reason()
        waits = self._wait_s() if reason == "rate_limited" else None
        return End(reason, detail, self._reader.usage, waits)

    def _reason(self) -> tuple[EndReason, str | None]:
        why, result = self._why, self._reader.result
        if result is not None and (why is None or why.reason != "ungoverned"):
            reason, detail = end_of(result, self._reader.error)
            if reason != "interrupted" or why is None:
                return reason, detail
        if why is not None:
            return why.reason, why.detail
        return self._crash()

    def _crash(self) -> tuple[EndReason, str]:
        ended = self._running.ended
        assert ended is not None
        if ended.trouble and not self._running.received:
            return "error", f"Claude Code could not be started: {ended.trouble}"
        how = f"by {ended.signal}" if ended.signal else f"with exit code {ended.exit_code}"
        last = next((line for line in reversed(ended.output.splitlines()) if line.strip()), "")
        told = f"Claude Code ended {how} and without a result" + (f": {shortened(last)}" if last else "")
        is_refusal = not self._running.received and not ended.signal
        return ("error" if is_refusal else "crashed"), told

    def _wait_s(self) -> float | None:
        if self._reader.resets_at is not None:
            return max(0.0, self._reader.resets_at - time.time())
        return self._reader.retry_after_s


def _message(said: Line | None) -> dict[str, Any] | None:
    """What the line says, if it is one of the client's messages."""
    if said is None or said.left_out:
        return None
    try:
        message = json.loads(said.data)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None
