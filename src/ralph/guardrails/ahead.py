"""Work on a very large change that several processes do at once, while this one goes on with other work.

Rules:

- The answers are those of doing it here, in the same order.
- What a process does not answer, because it ended before its time or could not be started, is done here: nothing is
  passed over.
- The processes are forks: they have read the change already, and load nothing from the project they look at. A program
  that runs threads is not forked.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple, TypeVar

Answer = TypeVar("Answer")

MOST = 3
"""So many processes at once: this one has work of its own."""


class _Process(NamedTuple):
    id: int
    answers: int
    """The end of a pipe from which its answers are read."""


def processes() -> int:
    """How many are worth starting here."""
    if sys.platform != "linux" or threading.active_count() > 1:
        return 0
    return min(MOST, len(os.sched_getaffinity(0)) - 1)


@contextmanager
def done_ahead(jobs: Sequence[Callable[[], Answer]], number: int) -> Iterator[Callable[[], list[Answer]]]:
    """Starts the jobs in so many processes; what it gives waits for them and returns all answers.

    A job reads nothing but memory, as pipes and files are shared with this process, and its answer can be pickled.
    """
    running = _started(jobs, number)
    try:
        yield lambda: _collected(jobs, running)
    finally:
        for each in running:
            _end(each)


def _started(jobs: Sequence[Callable[[], Answer]], number: int) -> list[_Process]:
    running: list[_Process] = []
    for first in range(number):
        reading, writing = os.pipe()
        try:
            child = os.fork()
        except OSError:  # no room for another process: its part is done here
            os.close(reading)
            os.close(writing)
            break
        if child == 0:
            _work(jobs, range(first, len(jobs), number), writing)
        os.close(writing)
        running.append(_Process(child, reading))
    return running


def _work(jobs: Sequence[Callable[[], Answer]], own: range, writing: int) -> None:
    """All that a process does. It never returns."""
    status = 1
    try:
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump({at: jobs[at]() for at in own}, pipe)
        status = 0
    finally:
        os._exit(status)


def _collected(jobs: Sequence[Callable[[], Answer]], running: Sequence[_Process]) -> list[Answer]:
    known: dict[int, Answer] = {}
    for each in running:
        known.update(_answers(each))
    return [known[at] if at in known else job() for at, job in enumerate(jobs)]


def _answers(process: _Process) -> Mapping[int, Answer]:
    """Nothing if it did not come to its end."""
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
