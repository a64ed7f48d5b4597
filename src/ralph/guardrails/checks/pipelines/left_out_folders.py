"""A run of all tests that became one for each folder of them, but for one (policy set v2, class G09).

    - run: rake test        matrix: { suite: [models, services, jobs] }
                            - run: rake test:${{ matrix.suite }}

Rule: the values of an axis, two at least, are names of folders that lie side by side and hold tests; another folder
beside them holds tests on both sides, and no file of CI names it, nor runs the old command: nothing runs its tests any
more. A folder that its framework leaves to a run of its own (`system`, `e2e`) was not in the old one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.reach import Reach
from ralph.guardrails.checks.readers.copies import Run, copies, is_told
from ralph.guardrails.checks.removed.left_to_none import left_to_none
from ralph.guardrails.checks.scope.narrowed import Narrowed
from ralph.guardrails.checks.scope.others_tree import is_of_others
from ralph.guardrails.config.command_files.scripts import is_ci_file
from ralph.guardrails.config.patterns import is_test
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

NAME = later(r"[A-Za-z][\w-]*")
APART = later(
    r"(?i)system|e2e|end[-_]?to[-_]?end|acceptance|browser|perf\w*|bench\w*|load|smoke|manual|fixtures?|support|helpers?|data"
)
FEWEST = 2


def left_to_nobody(was: Gate, now: Gate, before: Reach, after: Reach) -> str:
    """Tests that the old check ran, and that neither the new one nor another one runs."""
    return left_to_none(was, now, before, after) or left_out_folder(was, now, before.side, after.side)


def is_certain(less: Narrowed, was: Gate, now: Gate, before: Reach, after: Reach) -> bool:
    """Whether what a check no longer looks at is looked at by nobody."""
    if is_of_others(was, now, before.side, after.side):
        return False
    return less.certain or left_out_folder(was, now, before.side, after.side) != ""


def left_out_folder(was: Gate, now: Gate, before: Side, after: Side) -> str:
    """The folder whose tests nothing runs any more; empty if there is none."""
    node = after.node(now.path) if now.place == "ci" and is_told(now.path) else None
    texts = [after.text(path) or "" for path in sorted(after.paths) if is_ci_file(path)] if node is not None else []
    if node is None or any(_runs(was.text, text) for text in texts):
        return ""
    for _, _, runs in copies(now.path, node):
        for names in _axes(runs):
            for folder, beside in _folders_of(names, after).items():
                for other in sorted(beside - names):
                    whole = f"{folder}/{other}/"
                    there = any(path.startswith(whole) and is_test(path) for path in before.paths)
                    if there and not APART.fullmatch(other) and not any(_says(other, text) for text in texts):
                        return whole.rstrip("/")
    return ""


def _axes(runs: Sequence[Run]) -> Iterator[frozenset[str]]:
    values: dict[str, set[str]] = defaultdict(set)
    for run in runs:
        for name, value in run.items():
            values[name].add(value)
    for found in values.values():
        if len(found) >= FEWEST and all(map(NAME.fullmatch, found)):
            yield frozenset(found)


def _folders_of(names: frozenset[str], side: Side) -> dict[str, set[str]]:
    """Folders that have all of these below them, each with tests, and all that hold tests there."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in side.paths:
        parts = path.split("/")
        if is_test(path):
            for at in range(1, len(parts) - 1):
                found["/".join(parts[:at])].add(parts[at])
    return {folder: beside for folder, beside in found.items() if names <= beside}


def _runs(command: str, text: str) -> bool:
    """As it was, with nothing behind it."""
    return re.search(rf"(?m)(?<![\w./-]){re.escape(command)}[ \t]*(?:$|[;&|\"'\]])", text) is not None


def _says(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w:-])", text) is not None
