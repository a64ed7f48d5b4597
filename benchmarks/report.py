"""Prints rows as they are measured."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


class Table:
    """A Markdown table on standard output: what, figure, goal, beside what."""

    def __init__(self) -> None:
        print("| what | measured | goal | beside it |")
        print("|---|---|---|---|")

    def row(self, what: str, measured: str, goal: str = "", beside: str = "") -> None:
        print(f"| {what} | {measured} | {goal} | {beside} |", flush=True)


def median_ms(action: Callable[[], object], times: int) -> float:
    """The median wall time of `times` calls, in milliseconds."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        action()
        taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken)


def best_s(action: Callable[[], object], times: int) -> float:
    """The shortest wall time of `times` calls, in seconds."""
    return median_ms(action, 1) / 1000 if times == 1 else min(median_ms(action, 1) for _ in range(times)) / 1000
