"""The plan: selecting from 10,000 tasks, saving it durably, and adding tasks one by one.

Beside it what an indenting `json.dumps` and a synced write of the same tasks take.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from report import Table, median_ms

from ralph.loop.plan import transitions
from ralph.loop.plan.files import PlanStore
from ralph.loop.plan.model import ImplementationPlan, Task, TaskStatus
from ralph.loop.plan.selection import check, next_task

RALPH = Path(sys.executable).with_name("ralph")
SHAPES = ("no dependencies", "each after the one before", "each after five")


def measure(table: Table, work: Path, *, quick: bool) -> None:
    count, times = (1_000, 5) if quick else (10_000, 15)
    for shape, needs in zip(SHAPES, (0, 1, 5), strict=True):
        plan = ImplementationPlan(tasks=tuple(_task(number, needs, count) for number in range(count)))
        taken = median_ms(lambda plan=plan: next_task(plan), times)  # type: ignore[misc]
        table.row(f"next of {count:,} tasks, half complete, {shape}", f"{taken:.2f} ms", "under 1 ms")
    table.row(f"cycles and unknown dependencies in {count:,} tasks", f"{median_ms(lambda: check(plan), times):.0f} ms")
    _saving(table, work, plan, times)
    _adding(table, work, 100 if quick else 1_000)


def _saving(table: Table, work: Path, plan: ImplementationPlan, times: int) -> None:
    count = len(plan.tasks)
    root = work / "plan"
    store = PlanStore(root)
    store.change(lambda _: plan)
    one = f"t{count // 2:05}"
    switch = (lambda found: transitions.start(found, one), transitions.reset_stale)
    number = iter(range(10**6))
    plain = median_ms(lambda: _plain(work / "plain.json", plan), 3)
    changed = median_ms(lambda: store.change(switch[next(number) % 2]), times)
    table.row(
        f"one change of {count:,} tasks, durably, with the version before as .bak",
        f"{changed:.0f} ms",
        "under 100 ms",
        f"indented `json.dumps` and a synced write: {plain:.0f} ms",
    )
    first = median_ms(lambda: PlanStore(root).change(switch[next(number) % 2]), 5)
    table.row("the same in a process that has not read the plan before", f"{first:.0f} ms")
    table.row(f"reading {count:,} tasks strictly", f"{median_ms(lambda: PlanStore(root).load(), 5):.0f} ms")
    table.row("reading them again, nothing changed", f"{median_ms(store.load, times):.1f} ms")
    for command in (["plan", "next"], ["tasks"]):
        taken = median_ms(lambda command=command: _ralph(root, command), 5)  # type: ignore[misc]
        table.row(f"`ralph {' '.join(command)}` with {count:,} tasks", f"{taken:.0f} ms")


def _adding(table: Table, work: Path, count: int) -> None:
    store = PlanStore(work / "growing")
    began = time.perf_counter()
    for number in range(count):
        store.change(lambda plan, number=number: transitions.add(plan, _task(number, 1, 0)))  # type: ignore[misc]
    table.row(f"{count:,} tasks added one by one, each durably", f"{time.perf_counter() - began:.1f} s", "under 5 s")


def _task(number: int, needs: int, count: int) -> Task:
    return Task(
        id=f"t{number:05}",
        description=f"Implement part {number} of the whole, with its tests and its documentation",
        priority=number % 50 + 1,
        status=TaskStatus.COMPLETE if number < count // 2 else TaskStatus.PENDING,
        dependencies=tuple(f"t{each:05}" for each in range(max(0, number - needs), number)),
        verification_criteria=("it is documented", f"uv run pytest tests/test_{number}.py passes"),
    )


def _plain(path: Path, plan: ImplementationPlan) -> None:
    text = json.dumps([dataclasses.asdict(task) for task in plan.tasks], indent=2)
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _ralph(root: Path, command: list[str]) -> None:
    subprocess.run([RALPH, *command, "-C", root], check=False, capture_output=True)
