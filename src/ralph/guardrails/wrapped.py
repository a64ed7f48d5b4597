"""Comments that silence each part of a line that was split, where one silenced the whole (policy set v2, class G01).

Rules, for a comment that names what it silences, in a run of changed lines that had one of its rule for as much:

- The code before the new comment is a part of the code before the old one, and no other comment's part is the same.
- Of what ruff says of unused parameters, a parameter of the same name is the same, whatever type it has now.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence

from ralph.guardrails.model import FileChange, Hit
from ralph.guardrails.wholes import of_as_many
from ralph.system.patterns import later

CODE = later(r"(?:[^#\"'/]|/(?![/*])|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')*")
UNUSED = later(r"ARG\d+")
PARAMETER = later(r"\*{0,2}(?P<name>\w+)\s*(?=[:=]|$)")
HEAD = later(r"(?:async\s+)?def\s")
SHORTEST = 4
MOST = 50
"""More suppressions than that in one run of lines are not compared with each other."""

Run = tuple[str, int, str]
"""A file, a run of changed lines in it, and a rule."""


def without_wrapped(was: Iterable[Hit], left: Sequence[Hit], files: Sequence[FileChange]) -> list[Hit]:
    """What is left without what the comment of a line that is gone silenced already; `was` are all of the base."""
    rules = {(hit.path, hit.rule) for hit in left if hit.scope and hit.line}
    paths = {path for path, _ in rules}
    edited = [file for file in files if file.path in paths and file.status == "M" and not file.binary]
    if not edited:
        return list(left)
    old_runs = {file.path: _Runs((hunk.old_start, len(hunk.removed)) for hunk in file.hunks) for file in edited}
    new_runs = {file.path: _Runs((hunk.new_start, len(hunk.added)) for hunk in file.hunks) for file in edited}
    held: dict[Run, list[Hit]] = defaultdict(list)
    for old in was:
        run = old_runs[old.path].of(old.line) if old.path in old_runs and (old.path, old.rule) in rules else None
        if run is not None and old.scope:
            held[old.path, run, old.rule].append(old)
    parts: set[tuple[Run, str]] = set()
    kept = []
    for hit in left:
        run = new_runs[hit.path].of(hit.line) if held and hit.path in new_runs else None
        place = (hit.path, -1 if run is None else run, hit.rule)
        part = _code(hit) if place in held else ""
        if (place, part) in parts or not _was_silenced(hit, part, held.get(place, ())):
            kept.append(hit)
        parts.add((place, part))
    return kept


class _Runs:
    """The runs of changed lines of one side of a file."""

    def __init__(self, runs: Iterable[tuple[int, int]]) -> None:
        self._runs = list(runs)

    def of(self, line: int) -> int | None:
        """The number of the run that holds the line."""
        number = bisect_right(self._runs, (line, sys.maxsize)) - 1
        if number < 0:
            return None
        start, length = self._runs[number]
        return number if start <= line < start + length else None


def _was_silenced(hit: Hit, part: str, olds: Sequence[Hit]) -> bool:
    if not hit.scope or len(olds) > MOST:
        return False
    return any(of_as_many(hit, (old,)) and _is_part(part, _code(old), hit) for old in olds)


def _is_part(part: str, whole: str, hit: Hit) -> bool:
    if len(part) >= SHORTEST and part != whole and part in whole:
        return True
    name = PARAMETER.match(part) if part and all(map(UNUSED.fullmatch, hit.scope or ())) else None
    if name is None or not HEAD.match(whole):
        return False
    return re.search(rf"[(,]\s*\*{{0,2}}{name['name']}\s*[:=,)]", whole) is not None


def _code(hit: Hit) -> str:
    """What stands before a comment; nothing where there is none, as an annotation belongs to what stands below it."""
    line = hit.snippet.strip()
    found = CODE.match(line)
    if found is None or found.end() == len(line):
        return ""
    return found[0].strip().removesuffix(",").strip()
