"""What the engine below keeps durable: a run, and pieces of work.

Rules:

- A run's course depends on nothing but its arguments and what its pieces answered. A piece of work is one workflow
  without steps: begun again, it learns from our own records what is done already.
- A verification is one piece of work (`leg`), a run is a workflow that has one piece after the other done, each a child
  workflow with a name of its own: asked for twice, it is the same one.
- A run that waits for a person or a breaker waits here, as a message that has not come: it holds no place at a worker.
  The message only wakes it, and each wait has its own topic; what was said stands in our own records (`jobs`), so it is
  heard once, and a message that comes too late loses nothing.
- Arguments and answers are small, and JSON.
"""

from __future__ import annotations

import threading
import time
from typing import Any

from ralph.errors import StorageError
from ralph.fleet import parts
from ralph.fleet.performing import Ending, Hands

AGAIN_S = 1.0


def leg_name(job: str, round_number: int, number: int) -> str:
    return f"{job}.{round_number}.{number}"


def run_name(job: str, round_number: int) -> str:
    return f"{job}.{round_number}"


def topic(number: int) -> str:
    return f"go on {number}"


def register(hands: Hands) -> None:
    """Make the workflows known to the engine, done by these hands."""
    dbos: Any = parts.loaded().DBOS

    @dbos.workflow(name=parts.LEG)  # type: ignore[untyped-decorator]
    def leg(job: str, round_number: int, number: int) -> dict[str, Any]:
        return _performed(hands, job, round_number, number)

    @dbos.workflow(name=parts.RUN)  # type: ignore[untyped-decorator]
    async def run(job: str, round_number: int, partition: str, home: str | None) -> str:
        number = 0
        while True:
            queue = parts.at(home) if home else parts.WORK
            name = leg_name(job, round_number, number)
            wanted = parts.options(parts.LEG, queue, name, partition=partition)
            handle = await dbos.enqueue_workflow_with_options_async(wanted, job, round_number, number)
            told = await handle.get_result()
            if told["then"] == "over":
                return str(told["state"])
            number, home = number + 1, told["home"]
            if told["then"] == "wait":
                await dbos.recv_async(topic(number), timeout_seconds=told["timeout_s"])


def _performed(hands: Hands, job: str, round_number: int, number: int) -> dict[str, Any]:
    """Answers only what is to be kept for ever: a worker that ends leaves the piece open, and so does one whose
    database is away for long."""
    while True:
        try:
            return hands.work(job, round_number, number)
        except Ending:
            threading.Event().wait()  # the process ends before anything follows from this
        except StorageError:
            time.sleep(AGAIN_S)
