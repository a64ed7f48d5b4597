"""One turn of Codex, from its start to its end (research: agent clients, 2; design decisions 25, 29 and 30).

Rules:

- It runs behind the one door for clients, so nothing of it is alive when the turn is over. Its output is kept in the
  turn's folder, `messages.jsonl`, and its standard error in `client.log`.
- Codex lets tools run whose hook fails, or is missing. So the hook must have been called for this very session and turn
  before the first tool, and a tool that ran without a decision, or a command that is no ticket, ends the turn at once:
  `ungoverned`.
- What Codex said of its own end counts before the way in which its process ended. Exit code 0 with failed commands is a
  good end; how the work went is for others to measure.
- What was used counts up with each call of the model; a turn at its limit of tokens is ended there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from ralph.agents import codex_home
from ralph.agents.base import End, Record, Turn
from ralph.agents.codex_ends import reason_of, shortened, wait_of
from ralph.agents.codex_messages import Reader
from ralph.agents.watchdog import Watchdog
from ralph.hook import docket, seen
from ralph.hook.court import TurnCourt
from ralph.record import replace
from ralph.system.ends import mishap
from ralph.system.process import Command, Ended
from ralph.system.stream import Running, start

MESSAGES, LOG = "messages.jsonl", "client.log"


class Play:
    """A turn that is played: a context, so that what it opened is closed."""

    def __init__(self, turn: Turn, court: TurnCourt, folder: Path, home: Path) -> None:
        self._turn = turn
        self._folder = folder
        self._home = home
        self._reader = Reader(turn.model)
        self._running: Running | None = None
        self._decisions_at = 0
        self._torn = b""
        self._rollout: IO[bytes] | None = None
        limits = turn.limits
        if limits.stall_s is not None:  # a hook that waits for a person says nothing meanwhile
            limits = replace(limits, stall_s=limits.stall_s + court.wait_s)
        self.watchdog = Watchdog(replace(turn, limits=limits), pulse=self._pulse)

    def __enter__(self) -> Self:
        """Of a session that goes on, earlier turns were read in their time."""
        if self._turn.session and (place := codex_home.rollout(self._home, self._turn.session)):
            self._rollout = place.open("rb")
            self._rollout.seek(0, os.SEEK_END)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._rollout is not None:
            self._rollout.close()

    def records(self, command: Command) -> Iterator[Record]:
        """All records of the turn, its end included."""
        end: End | None = None
        with start(command) as running, (self._folder / MESSAGES).open("ab", buffering=0) as kept:
            self._running = running
            for line in running.lines():
                if line is not None:
                    kept.write(line.data + b"\n")
                    self.watchdog.alive()
                yield from self._heard(None if line is None else line.data)
                if self._ungoverned(over=False):
                    break
                if end is None and (end := self._overdue()):
                    running.stop()
            running.close()
            yield from self._heard(None)
        self._reader.ended()
        assert running.ended is not None
        last = self._ungoverned(over=end is None) or end or self._end(running.ended)
        yield replace(last, usage=self._reader.usage)

    def _heard(self, line: bytes | None) -> Iterator[Record]:
        """A line of output, and all that was written down until then: decisions before what follows from them."""
        if line is not None:
            yield from self._reader.said(line)
        entries = self._entries()
        noted, self._decisions_at = docket.read(self._folder, self._decisions_at)
        yield from self._reader.decided(noted)
        for entry in entries:
            yield from self._reader.kept(entry)

    def _entries(self) -> list[bytes]:
        """What Codex wrote down since, in whole lines."""
        if self._rollout is None and self._reader.session:
            place = codex_home.rollout(self._home, self._reader.session)
            self._rollout = place.open("rb") if place else None
        if self._rollout is None:
            return []
        *lines, self._torn = (self._torn + self._rollout.read()).split(b"\n")
        return lines

    def _pulse(self) -> tuple[int, int]:
        """Codex works as long as its output or what it writes down grows."""
        size = 0
        with suppress(OSError):
            size = os.fstat(self._rollout.fileno()).st_size if self._rollout else 0
        return (self._running.received if self._running else 0), size

    def _overdue(self) -> End | None:
        """Why the turn has to end now."""
        most, usage = self._turn.limits.tokens, self._reader.usage
        if overdue := self.watchdog.check():
            return overdue.end()
        if most is not None and usage is not None and usage.tokens >= most:
            return End("budget", f"the turn used {usage.tokens} tokens, and may use {most}")
        return None

    def _ungoverned(self, *, over: bool) -> End | None:
        """Why what Codex does is not what Ralph allowed; `over` if the turn came to its own end."""
        reader = self._reader
        needs_proof = reader.session is not None and (reader.calls or (over and reader.completed))
        if needs_proof and not seen.mark(self._folder, "codex", str(reader.session)).exists():
            return End("ungoverned", "Codex did not call Ralph's hook when its session began, so it asks nobody.")
        return End("ungoverned", f"{reader.trouble}.") if reader.trouble else None

    def _end(self, ended: Ended) -> End:
        """How a turn ended that nobody cut short."""
        reader = self._reader
        if reader.completed:
            return End("completed")
        if reader.failure and ended.exit_code is not None:
            failure = reader.failure
            return End(reason_of(failure), shortened(failure), retry_after_s=wait_of(failure))
        said = shortened(ended.output.strip().rpartition("\n")[2])
        if why := mishap(ended, 0.0, said):
            never_ran = ended.exit_code in (126, 127) or (ended.exit_code is None and ended.signal is None)
            return End("error" if never_ran else "crashed", why)
        reason = reason_of(said)
        told = f"Codex ended with exit code {ended.exit_code}: {said}"
        return End("error" if reason == "api_error" else reason, told)
