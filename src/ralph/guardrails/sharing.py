"""Work on a very large change that several processes share.

Rules:

- The answers are those of doing it here, in the same order.
- What a process does not answer, because it ended before its time or could not be started, is done here: nothing is
  passed over.
- Each takes what comes next when it is ready for it; so what takes longest is best put first.
- The processes are forks: they have read the change already, and load nothing from the project they look at. A program
  that runs threads is not forked.
"""

from __future__ import annotations

import os
import signal
import struct
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeVar

Answer = TypeVar("Answer")

MOST = 3
"""So many processes beside this one."""

_NUMBER = struct.Struct("=I")
_MOST_PORTIONS = 8192
"""Their numbers fit into a pipe, from which each process takes them."""


class _Process(NamedTuple):
    id: int
    answers: int
    """The end of a pipe from which its answers are read."""


def processes() -> int:
    """How many are worth starting here."""
    if sys.platform != "linux" or threading.active_count() > 1:
        return 0
    return min(MOST, len(os.sched_getaffinity(0)) - 1)


def shared(jobs: Sequence[Callable[[], Answer]], number: int) -> list[Answer]:
    """The answers of all jobs, done by so many processes and this one. An answer must be one that can be pickled."""
    if not number:
        return [job() for job in jobs]
    todo = _portions(len(jobs))
    running: list[_Process] = []
    try:
        running += _started(jobs, number, todo)
        known = {at: jobs[at]() for at in _taken(todo, len(jobs))}
        for each in running:
            known.update(_answers(each))
    finally:
        os.close(todo)
        for each in running:
            _end(each)
    return [known[at] if at in known else job() for at, job in enumerate(jobs)]


def _portions(jobs: int) -> int:
    """The end of a pipe that holds the numbers of all portions of the work, each to be taken once."""
    reading, writing = os.pipe()
    os.write(writing, b"".join(_NUMBER.pack(each) for each in range(min(jobs, _MOST_PORTIONS))))
    os.close(writing)
    return reading


def _taken(todo: int, jobs: int) -> Iterator[int]:
    """The numbers of the jobs that fall to this process, until there are none left."""
    while portion := os.read(todo, _NUMBER.size):
        (first,) = _NUMBER.unpack(portion)
        yield from range(first, jobs, _MOST_PORTIONS)


def _started(jobs: Sequence[Callable[[], Answer]], number: int, todo: int) -> Iterator[_Process]:
    for _ in range(number):
        reading, writing = os.pipe()
        try:
            child = os.fork()
        except OSError:  # no room for another process: the others do its part
            os.close(reading)
            os.close(writing)
            return
        if child == 0:
            _work(jobs, todo, writing)
        os.close(writing)
        yield _Process(child, reading)


def _work(jobs: Sequence[Callable[[], Answer]], todo: int, writing: int) -> None:
    """All that a process does. It never returns."""
    import pickle  # few changes are so large

    status = 1
    try:
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump({at: jobs[at]() for at in _taken(todo, len(jobs))}, pipe)
        status = 0
    finally:
        os._exit(status)


def _answers(process: _Process) -> Mapping[int, Answer]:
    """Nothing if it did not come to its end."""
    import pickle

    with os.fdopen(process.answers, "rb", closefd=False) as pipe:
        told = pipe.read()
    try:
        answers: Mapping[int, Answer] = pickle.loads(told)
    except Exception:  # noqa: BLE001 (whatever is wrong with half an answer, it is none)
        return {}
    return answers


def _end(process: _Process) -> None:
    """It has answered, or nobody will ask any more."""
    os.close(process.answers)
    with suppress(ChildProcessError):  # something else waited for it
        if os.waitpid(process.id, os.WNOHANG)[0] == 0:
            os.kill(process.id, signal.SIGKILL)
            os.waitpid(process.id, 0)
