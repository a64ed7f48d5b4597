"""Tasks that a job runs by the values of its matrix: `make ${{ matrix.target }}` of `target: [lint, cover]`.

Rule: a line that is one call of a task runner, whose task is a value of the matrix, is read as the calls for all
entries, one after the other. So what these tasks run is run, and a value that is gone took its task along. A matrix
that only running could tell leaves the line as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.checks.readers.matrix import Entry, entries
from ralph.guardrails.config.node import Node
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

CALL = later(
    r"(?P<before>[ \t]*(?:\w+=\S+[ \t]+)*(?:g?make|just|task|mage|(?:bundle[ \t]+exec[ \t]+)?rake|poe|inv(?:oke)?"
    r"|yarn|pnpm|composer(?:[ \t]+run(?:-script)?)?|(?:npm|pnpm|yarn|bun|pdm|hatch|deno|mise)[ \t]+(?:run|task))"
    r"(?:[ \t]+-[\w-]+)*[ \t]+)"
    r"\"?(?P<task>[\w.:-]*\$\{\{[ \t]*matrix\.(?P<name>[\w-]+)[ \t]*\}\}[\w.:-]*)\"?(?P<behind>[^\n;|&\\]*)"
)
HOLE = later(r"\$\{\{[^}\n]*\}\}")
TASK = later(r"[\w.:/-]+")
MATRIX = "${{"


def with_tasks(text: str, job: Node | None) -> str:
    """A script of a job, with the tasks of its matrix by their names."""
    if job is None or MATRIX not in text:
        return text
    found = entries(job) if any(CALL.fullmatch(line) for line in text.split("\n")) else None
    if not found:
        return text
    return "\n".join(_spelled(line, found) for line in text.split("\n"))


def still_calls_tasks(was: Gate, before: Side, after: Side) -> bool:
    """The line calls tasks by the matrix on both sides: what the matrix lost is told of its axes."""
    if "/workflows/" not in was.path:
        return False
    old, new = ([line.strip() for line in (side.text(was.path) or "").splitlines()] for side in (before, after))
    line = old[was.line - 1].removeprefix("- ").removeprefix("run:").strip() if 0 < was.line <= len(old) else ""
    return CALL.fullmatch(line) is not None and any(each.endswith(line) for each in new)


def _spelled(line: str, found: list[Entry]) -> str:
    match = CALL.fullmatch(line)
    if match is None:
        return line
    names = list(dict.fromkeys(_tasks(match, found)))
    if not names or not all(TASK.fullmatch(name) for name in names):
        return line
    return "; ".join(f"{match['before'].strip()} {name}{match['behind']}" for name in names)


def _tasks(match: re.Match[str], found: list[Entry]) -> Iterator[str]:
    for entry in found:
        value = entry.get(match["name"].lower())
        named = value if isinstance(value, str) and TASK.fullmatch(value) else None
        yield "" if named is None else HOLE.sub(named, match["task"])
