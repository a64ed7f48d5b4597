"""Tries faults in copies of the head's tree, several at once, until the time is used up (`controls.mutants`)."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from ralph.controls.faults import Fault
from ralph.engine.control_runs import ControlRuns
from ralph.engine.elsewhere import copy_of
from ralph.engine.measure import step
from ralph.record import record
from ralph.steps.base import Workplace
from ralph.steps.tools.recipe import Manner

UP_TO_A_FAILURE = Manner(to_the_first=True)
LEAST_S = 10.0
TIMES_LONGER = 3


@record
class Tried:
    number: int
    survived: tuple[Fault, ...]


def try_faults(
    runs: ControlRuns, faults: Sequence[Fault], *, budget_s: float, usual_s: float, jobs: int, agrees: bool
) -> Tried | None:
    """`usual_s` is how long the tests take by themselves; a fault that makes them take far longer is found.

    `agrees`: the tests are known to pass in a copy. None if they do not: there, every fault would seem to be found.
    """
    deadline = time.monotonic() + budget_s
    waiting, lock = iter(faults), threading.Lock()
    limit_s = max(LEAST_S, TIMES_LONGER * usual_s)

    if not (agrees or _passes_unchanged(runs, limit_s)):
        return None

    def share() -> Iterator[Fault]:
        """Faults for one worker, as long as there is time for one more."""
        while not runs.leash.pulled and time.monotonic() + usual_s < deadline:
            with lock:
                fault = next(waiting, None)
            if fault is None:
                return
            yield fault

    def work(_: int) -> list[tuple[Fault, bool]]:
        with copy_of(runs.case, runs.case.snapshot.tree, timeout_s=limit_s, leash=runs.leash) as place:
            return [(fault, _survives(fault, runs, place)) for fault in share()]

    workers = min(jobs, len(faults))
    with ThreadPoolExecutor(max_workers=workers) as pool:
        outcomes = [each for done in pool.map(work, range(workers)) for each in done]
    order = {fault: index for index, fault in enumerate(faults)}
    survived = sorted((fault for fault, survives in outcomes if survives), key=order.__getitem__)
    return Tried(len(outcomes), tuple(survived))


def _passes_unchanged(runs: ControlRuns, limit_s: float) -> bool:
    with copy_of(runs.case, runs.case.snapshot.tree, timeout_s=limit_s, leash=runs.leash) as place:
        return step(runs.case, "tests", place, manner=UP_TO_A_FAILURE).passed


def _survives(fault: Fault, runs: ControlRuns, place: Workplace) -> bool:
    path = place.root / fault.path
    data = path.read_bytes()
    path.write_bytes(fault.put_into(data))
    try:
        return step(runs.case, "tests", place, manner=UP_TO_A_FAILURE).passed
    finally:
        path.write_bytes(data)
