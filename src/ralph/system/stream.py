"""The one door to processes whose output is read while they run: agent clients.

Rules (design decisions 2, 7; research: agent clients, 1.4 and 6):

- The command, its environment, its limits and its end are those of `process`: the same warden holds it, so nothing that
  it started is alive when the `with` is left: not after `setsid`, a double fork or with SIGTERM ignored, and not when
  Ralph itself was killed. `adopted.py` does the same for a client that somebody else starts.
- Its standard output comes line by line (`lines.py`); standard error goes to the command's log. Nobody reads ahead: a
  client that writes faster than it is read waits.
- Reading never hangs. It ends with the client, whoever else holds the pipe open; and a client that closed its output
  and stays is waited for, with the same ticks of silence as one that says nothing.
- `stop` asks the client to end and gives it its grace; leaving the `with` does not ask.
"""

from __future__ import annotations

import os
import select
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress

from ralph.system import wardens
from ralph.system.lines import LONGEST, Line, Lines
from ralph.system.process import Command, Ended, ended, input_file, log_file, request_for

TICK_S = 0.25
WAKE_S = 1.0
MOST_WAITING = 64 << 20
"""Bytes of lines that wait while input is written."""
MOST_LEFT = 64 << 20
"""More than a pipe can hold: nobody is there any more who would fill it."""
_LINE_COSTS = 100
_PIECE = 1 << 16
_READABLE = select.POLLIN | select.POLLHUP | select.POLLERR


class Running:
    """A client at work. `received` counts the bytes of its output so far; `ended` says how it ended, once it has.

    One thread reads and writes; `stop` and `nudge` may come from any other.
    """

    def __init__(
        self,
        command: Command,
        charge: wardens.Charge,
        *,
        log: int,
        output: int | None,
        stdin: int | None,
        longest_line: int = LONGEST,
        judge: Callable[[Ended], Ended] = lambda ended: ended,
    ) -> None:
        self._command = command
        self._charge = charge
        self._log = log
        self._judge = judge
        self._output = output
        self._input = stdin
        self._lines = Lines(longest_line)
        self._waiting: deque[Line] = deque()
        self._held = 0
        self._stop_asked_at: float | None = None
        self._next_wake = time.monotonic() + WAKE_S
        self._bell = _Bell()
        self.received = 0
        self.ended: Ended | None = None

    def lines(self, tick_s: float = TICK_S) -> Iterator[Line | None]:
        """Each line as it comes, and None whenever no line was completed for `tick_s`; ends with the client."""
        next_tick = time.monotonic() + tick_s
        while True:
            while self._waiting:
                line = self._waiting.popleft()
                self._held -= len(line.data) + _LINE_COSTS
                yield line
                next_tick = time.monotonic() + tick_s
            if self.ended is not None:
                return
            left = next_tick - time.monotonic()
            if left > 0 and not self._bell.rang():
                self._pump(left)
            else:
                yield None
                next_tick = time.monotonic() + tick_s

    def write(self, data: bytes, timeout_s: float = 30.0) -> bool:
        """Give the client input; False if it does not take it. Its output is read meanwhile, so that both go on."""
        rest, deadline = memoryview(data), time.monotonic() + timeout_s
        while rest and self._input is not None and self.ended is None:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            if not self._pump(left, writing=True):
                continue
            try:
                rest = rest[os.write(self._input, rest) :]
            except BlockingIOError:
                continue
            except OSError:
                self.close_input()
        return not rest

    def close_input(self) -> None:
        """The client sees the end of its input."""
        if self._input is not None:
            os.close(self._input)
            self._input = None

    def stop(self) -> None:
        """Ask the client to end: TERM to everything, its grace, KILL. The lines go on until it has ended."""
        if self._stop_asked_at is None:
            self._stop_asked_at = time.monotonic()
            self._charge.ask_to_stop()

    def nudge(self) -> None:
        """Have `lines` give a None at once: there is something to write."""
        self._bell.ring()

    def close(self) -> None:
        """End whatever is alive, at once; `ended` is known afterwards."""
        if self.ended is None:
            self._charge.let_go()
            self._conclude()
        self.close_input()
        self._close_output()
        self._bell.close()

    def _pump(self, seconds: float, *, writing: bool = False) -> bool:
        """Wait for output, for the end, or, when `writing`, for room in the input; True for the latter."""
        poll = select.poll()
        poll.register(self._charge, _READABLE)
        if not writing:
            poll.register(self._bell, _READABLE)
        if self._output is not None and not (writing and self._held > MOST_WAITING):
            poll.register(self._output, _READABLE)
        if writing and self._input is not None:
            poll.register(self._input, select.POLLOUT)
        ready = {number for number, _ in poll.poll(min(seconds, WAKE_S) * 1000)}
        if time.monotonic() > self._next_wake:  # also while it talks: the client may have stopped its warden
            self._charge.wake()
            self._next_wake = time.monotonic() + WAKE_S
        if self._is_overdue():
            self._conclude()
        elif self._output in ready:
            self._read()
        elif self._charge.fileno() in ready:
            self._conclude()
        return self._input in ready

    def _read(self) -> bool:
        """Take what is there; False if there is nothing, or nothing more can come."""
        if self._output is None:
            return False
        try:
            piece = os.read(self._output, _PIECE)
        except BlockingIOError:
            return False
        if not piece:
            self._close_output()
            return False
        self.received += len(piece)
        self._keep(self._lines.feed(piece))
        return True

    def _keep(self, lines: Iterable[Line]) -> None:
        for line in lines:
            self._waiting.append(line)
            self._held += len(line.data) + _LINE_COSTS

    def _is_overdue(self) -> bool:
        asked = self._stop_asked_at
        return asked is not None and time.monotonic() - asked > self._command.grace_s + wardens.SLACK_S

    def _conclude(self) -> None:
        """The warden has ended everything (or is gone, and this process does it): read what is left."""
        answer = self._charge.answer(0.0 if self._is_overdue() else self._command.grace_s + wardens.SLACK_S)
        for _ in range(MOST_LEFT // _PIECE):
            if not self._read():
                break
        if last := self._lines.rest():
            self._keep([last])
        self.ended = self._judge(ended(answer, self._log, self._command))

    def _close_output(self) -> None:
        if self._output is not None:
            os.close(self._output)
            self._output = None


class _Bell:
    """Wakes the thread that reads; any thread may ring it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._heard, self._rung = os.pipe()
        os.set_blocking(self._heard, False)
        os.set_blocking(self._rung, False)
        self._is_open = True

    def fileno(self) -> int:
        return self._heard

    def ring(self) -> None:
        with self._lock, suppress(BlockingIOError):  # full: it rings already
            if self._is_open:
                os.write(self._rung, b".")

    def rang(self) -> bool:
        try:
            return bool(os.read(self._heard, _PIECE))
        except BlockingIOError:
            return False

    def close(self) -> None:
        with self._lock:
            if self._is_open:
                os.close(self._heard)
                os.close(self._rung)
            self._is_open = False


@contextmanager
def start(
    command: Command,
    *,
    interactive: bool = False,
    to_log: bool = False,
    longest_line: int = LONGEST,
    judge: Callable[[Ended], Ended] = lambda ended: ended,
) -> Iterator[Running]:
    """Start a client; it has ended, with all that it started, when the `with` is left.

    An `interactive` one takes `write` instead of `command.stdin`. With `to_log` its output goes to the log as well, and
    the lines are ticks alone. `judge` makes of the end what is known of it elsewhere. A client that cannot be started
    ends at once, with trouble. Raises StorageError if the log cannot be written.
    """
    if command.set_aside:
        raise ValueError("a client that is watched while it runs sets no files aside")
    with ExitStack() as stack:
        log = stack.enter_context(log_file(command.log))
        given, stdin = _pipe(to_client=True) if interactive else (stack.enter_context(input_file(command.stdin)), None)
        given_output, output = (None, None) if to_log else _pipe(to_client=False)
        try:
            charge = wardens.Charge(request_for(command, log=log, stdin=given, stdout=given_output))
        except OSError:
            for end in (stdin, output):
                if end is not None:
                    os.close(end)
            raise
        finally:
            for end in (given if interactive else None, given_output):
                if end is not None:
                    os.close(end)
        stack.callback(charge.close)
        running = Running(command, charge, log=log, output=output, stdin=stdin, longest_line=longest_line, judge=judge)
        stack.callback(running.close)
        yield running


def _pipe(*, to_client: bool) -> tuple[int, int]:
    """The client's end, and ours, which never blocks."""
    reader, writer = os.pipe()
    os.set_blocking(writer if to_client else reader, False)
    return (reader, writer) if to_client else (writer, reader)
