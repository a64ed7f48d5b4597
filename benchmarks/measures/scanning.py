"""Scan speed in added lines per second: a generated change, and real code added in one change.

Processes share the work on changes as large as these; what one core does stands beside it.

The real code is that of the packages installed beside Ralph: Python as people write it.
"""

from __future__ import annotations

import os
import random
import shutil
import statistics
import sysconfig
import time
from pathlib import Path

from report import Table

from measures.projects import repository
from ralph.guardrails.change import read_change
from ralph.guardrails.model import Change
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.registry import family
from ralph.guardrails.scan import scan
from ralph.policy import registry
from ralph.policy.model import PolicySet
from ralph.system.git import Repository, open_repository
from ralph.system.places import shadow_dir
from ralph.system.tree import snapshot

LINES_PER_FILE = 400
ONE_IN = 100
"""One file in so many holds a suppression."""


def measure(table: Table, work: Path, *, quick: bool) -> None:
    lines = 20_000 if quick else 200_000
    generated = repository(work / "generated", {})
    _generate(generated, lines)
    _measure(table, f"generated change of {lines:,} lines", generated)
    real = repository(work / "real", {})
    copy_packages(real, 20_000 if quick else 300_000)
    _measure(table, "real change (installed packages, added at once)", real)
    _thousands(table, work, 5 if quick else 40)


def _measure(table: Table, what: str, root: Path) -> None:
    repo = open_repository(root)
    head = snapshot(repo, shadow_dir(root)).tree
    policies = {version: registry.load(version) for version in registry.available()}
    scan(read_change(repo, head, head), policies["v2"])  # imports and compiled patterns are start-up, not speed
    began = time.perf_counter()
    change = read_change(repo, repo.empty_tree, head)
    read_s = time.perf_counter() - began
    added = change.lines_added
    table.row(
        f"{what}: git and patch parsing", _speed(added, read_s), "", f"{added:,} lines, {change.files_changed} files"
    )
    table.row(f"{what}: filter stage alone", _speed(added, _filter_s(change)), "3,000,000 lines/s")
    for version, policy in policies.items():
        found = len(scan(read_change(repo, repo.empty_tree, head), policy))
        alone = _speed(added, _on_one_core(repo, head, policy))
        table.row(
            f"{what}: end to end, {version}",
            _speed(added, _seconds(repo, head, policy)),
            "150,000, wished 250,000 lines/s",
            f"{found} findings; on one core {alone}",
        )


def _thousands(table: Table, work: Path, number: int) -> None:
    """Changes as large as people review: files of packages by chance, a thousand lines of them."""
    chance, policy = random.Random(7), registry.load("v2")
    packages = Path(sysconfig.get_paths()["purelib"])
    files = [path for path in sorted(packages.rglob("*.py")) if 5 < _lines(path) < 900]
    taken = []
    for sample in range(number):
        root, lines = repository(work / f"thousand-{sample}", {}), 0
        for path in chance.sample(files, 60):
            if lines + _lines(path) <= 1050:
                target = root / path.relative_to(packages)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
                lines += _lines(path)
        repo = open_repository(root)
        head = snapshot(repo, shadow_dir(root)).tree
        taken.append(min(_seconds(repo, head, policy) for _ in range(3)) * 1000)
    taken.sort()
    table.row(
        f"{number} changes of 1,000 lines each (installed packages, by chance), the scan in the process",
        f"median {statistics.median(taken):.0f} ms, 90 % within {taken[len(taken) * 9 // 10]:.0f} ms",
        "under 30 ms",
    )


def _on_one_core(repo: Repository, head: str, policy: PolicySet) -> float:
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        return _seconds(repo, head, policy)
    finally:
        os.sched_setaffinity(0, cores)


def _seconds(repo: Repository, head: str, policy: PolicySet) -> float:
    began = time.perf_counter()
    scan(read_change(repo, repo.empty_tree, head), policy)
    return time.perf_counter() - began


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


def _filter_s(change: Change) -> float:
    words = prefilter(tuple(family("python").words))
    blobs = [b"\n".join(line for hunk in file.hunks for line in hunk.added) for file in change.files]
    words.matches(b" " * 200_000)  # tables are made once enough was asked
    began = time.perf_counter()
    for blob in blobs:
        words.matches(blob)
    return time.perf_counter() - began


def _speed(lines: int, seconds: float) -> str:
    return f"{lines / seconds:,.0f} lines/s"


def _generate(root: Path, lines: int) -> None:
    chosen = random.Random(1)
    names = [f"value_{n}" for n in range(200)]
    for number in range(lines // LINES_PER_FILE):
        body = [f"def work_{number}(first: int, second: int) -> int:"]
        body += [
            f"    {chosen.choice(names)} = first * {n} + second  # {chosen.choice(names)} of the {n}th item"
            for n in range(LINES_PER_FILE - 2)
        ]
        body.append("    return first" + ("  # type: ignore" if number % ONE_IN == 0 else ""))
        path = root / f"src/pkg_{number % 20}/module_{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(body) + "\n")


def copy_packages(root: Path, most_lines: int) -> None:
    packages, copied = Path(sysconfig.get_paths()["purelib"]), 0
    for path in sorted(packages.rglob("*.py")):
        if copied >= most_lines:
            return
        target = root / path.relative_to(packages)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        copied += _lines(path)
