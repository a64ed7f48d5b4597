"""A program as a filter: bytes in, bytes out, within a limit of time. For what is too small for `process`.

`process` holds whatever a program starts and keeps its log, and takes 10 ms only to be loaded. Here one trusted program
is started that starts nothing itself. It gets the environment that is given and nothing else; what it says on standard
error is dropped. Whatever goes wrong, an end with another code than 0 included, gives no result.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

_CHUNK = 1 << 16
_KILL = 9


def filtered(command: Sequence[str], data: bytes, *, env: Mapping[str, str], timeout_s: float) -> bytes | None:
    """What the program at the absolute path `command[0]` makes of the data; None if it fails or takes too long."""
    until = time.monotonic() + timeout_s
    try:
        pid, into, out = _start(list(command), env)
    except OSError:
        return None
    ended = None
    try:
        written = _exchange(into, out, data, until)
        if written is not None:
            ended = _ended(pid, until)
    finally:
        os.close(out)
        if ended is None:
            os.kill(pid, _KILL)
            os.waitpid(pid, 0)
    return written if ended == 0 else None


def _start(command: list[str], env: Mapping[str, str]) -> tuple[int, int, int]:
    """The process, where its input is written and its output read. No other descriptor is passed on."""
    its_input, into = os.pipe()
    out, its_output = os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, its_input, 0),
        (os.POSIX_SPAWN_DUP2, its_output, 1),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    try:
        return os.posix_spawn(command[0], command, env, file_actions=actions), into, out
    except BaseException:
        os.close(into)
        os.close(out)
        raise
    finally:
        os.close(its_input)
        os.close(its_output)


def _exchange(into: int, out: int, data: bytes, until: float) -> bytes | None:
    """Write everything and read everything, whichever goes on; closes `into`. None when the time is up."""
    os.set_blocking(into, False)
    waiting = select.poll()
    waiting.register(out, select.POLLIN)
    waiting.register(into, select.POLLOUT)
    left, read, writing = memoryview(data), [], True
    try:
        while (rest := until - time.monotonic()) > 0:
            for descriptor, _ in waiting.poll(rest * 1000):
                if descriptor == into:
                    with suppress(BrokenPipeError, BlockingIOError):  # its exit code tells
                        left = left[os.write(into, left[:_CHUNK]) :]
                        if left:
                            continue
                    waiting.unregister(into)
                    os.close(into)
                    writing = False
                elif chunk := os.read(out, _CHUNK):
                    read.append(chunk)
                else:
                    return b"".join(read)
        return None
    finally:
        if writing:
            os.close(into)


def _ended(pid: int, until: float) -> int | None:
    """The status of the process that closed its output; None if it does not end in time."""
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        if time.monotonic() > until:
            return None
        time.sleep(0.0002)
