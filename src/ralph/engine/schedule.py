"""Runs steps, some of them at the same time; what comes back does not depend on how many.

Lint, type check and tests are independent. Coverage waits for the tests, since both write the same data files;
the optional commands follow one by one. `fail_fast` runs one step at a time and skips the rest after the first
that is not good. An interruption ends what is running at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

from ralph.engine.unrun import Progress
from ralph.system import process
from ralph.verdict import STEP_ORDER, StepResult

INDEPENDENT = ("lint", "typecheck", "tests")

Runner = Callable[[str], StepResult]


def run_steps(names: Sequence[str], run: Runner, *, jobs: int, fail_fast: bool, progress: Progress) -> list[StepResult]:
    """The results of `names`, in the order of `STEP_ORDER`."""
    ordered = sorted(names, key=STEP_ORDER.index)

    def one(name: str) -> StepResult:
        progress(name, None)
        result = run(name)
        progress(name, result)
        return result

    if jobs <= 1 or fail_fast:
        return _one_by_one(ordered, one, fail_fast)
    first = [name for name in ordered if name in INDEPENDENT]
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        running = [pool.submit(one, name) for name in first]
        try:
            results = [each.result() for each in running]
        except (KeyboardInterrupt, SystemExit):
            stop(running)
            raise
    return results + [one(name) for name in ordered if name not in INDEPENDENT]


def stop(running: Sequence[Future[Any]]) -> None:
    """End the commands, so that the pool ends; again and again, since a thread may be about to start one."""
    for each in running:
        each.cancel()
    while not all(each.done() for each in running):
        process.stop_all()
        wait(running, timeout=0.02)


def _one_by_one(names: Sequence[str], one: Runner, fail_fast: bool) -> list[StepResult]:
    results: list[StepResult] = []
    for name in names:
        failed = next((result for result in results if not result.good), None)
        if fail_fast and failed:
            reason = f"skipped after {failed.name} ({failed.status})"
            results.append(StepResult(name=name, status="skipped", reason=reason))
        else:
            results.append(one(name))
    return results
