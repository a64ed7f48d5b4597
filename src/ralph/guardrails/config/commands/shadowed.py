"""Options for every call of pytest in a file that is no longer read, as one of higher rank stands beside it now.

pytest reads one configuration of a folder, the first in a fixed order. A `pytest.ini` is one whatever it holds: where
it is new, `addopts` of the pyproject.toml beside it is gone, although no line of that was touched.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from ralph.guardrails.config.command_files.scripts import Commands, Run, read_commands
from ralph.guardrails.config.node import Node
from ralph.guardrails.config.side import Side
from ralph.record import replace

RANKED = (
    *((name, ()) for name in ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini")),
    ("pyproject.toml", ("tool", "pytest")),
    ("tox.ini", ("pytest",)),
    ("setup.cfg", ("tool:pytest",)),
)
"""The files that pytest looks for in a folder, and the part of each that makes it one of its own."""
NAMES = frozenset(name for name, _ in RANKED)

Read = dict[str, Commands]


def as_read(old: Read, new: Read, before: Side, after: Side, changed: Iterable[str]) -> None:
    """Puts into both sides what pytest reads of the folders in which the file that it reads is another one now."""
    for folder in {posixpath.dirname(path) for path in changed if posixpath.basename(path) in NAMES}:
        was, now = _first(before, folder), _first(after, folder)
        if was == now or was is None or now is None:
            continue
        for side, read, first in ((before, old, was), (after, new, now)):
            read.setdefault(first, Commands(tuple(filter(_is_of_pytest, read_commands(side, first).runs)), {}))
            for other in [path for path in read if posixpath.dirname(path) == folder and path != first]:
                left = (run for run in read[other].runs if not _is_of_pytest(run))
                read[other] = replace(read[other], runs=tuple(left))
        if any(map(_is_of_pytest, old[was].runs)) and not any(map(_is_of_pytest, new[now].runs)):
            nothing = Run(("pytest",), Node("", now, 1, 1), "addopts", implied=True)
            new[now] = replace(new[now], runs=(*new[now].runs, nothing))


def _first(side: Side, folder: str) -> str | None:
    for name, part in RANKED:
        path = posixpath.join(folder, name)
        if path in side.paths and (not part or ((node := side.node(path)) is not None and node.at(*part) is not None)):
            return path
    return None


def _is_of_pytest(run: Run) -> bool:
    return run.implied and run.slot.rpartition("/")[2] == "addopts"
