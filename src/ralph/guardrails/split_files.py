"""A file that became several, each of which says what it said for all of it (policy set v2, class G01).

Rules:

- A suppression that reaches over a whole file answers for the same one, or a milder one of its tool, in each new file
  that got at least half of its lines from there: the code was not checked before, either. So it does for single places
  in such a file.
- One that could be ended, and that nothing ended, is such a one for what stood below it.
- A new file of other lines is new code, and nothing that stands elsewhere answers for it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property

from ralph.guardrails.model import FileChange, Hit
from ralph.guardrails.wholes import FILES, RANGES, UNENDED, of_as_many

SHARE = 0.5
SHORT = 4
"""A shorter line says nothing about where it comes from."""


class _Moved:
    """Which new files got most of their lines from which files that lost them."""

    def __init__(self, files: Sequence[FileChange]) -> None:
        self._files = {file.path: file for file in files if not file.binary}
        self._known: dict[tuple[str, str, int], bool] = {}
        self._taken: dict[tuple[str, int], Counter[bytes]] = {}

    @cached_property
    def new(self) -> frozenset[str]:
        return frozenset(path for path, file in self._files.items() if file.status == "A")

    def came(self, path: str, other: str, below: int = 0) -> bool:
        """From the lines below that one of the other file."""
        if (path, other, below) not in self._known:
            came = Counter(line.strip() for hunk in self._files[path].hunks for line in hunk.added)
            came = Counter({line: number for line, number in came.items() if len(line) >= SHORT})
            enough = 0 < came.total() * SHARE <= (came & self._gone(other, below)).total()
            self._known[path, other, below] = enough
        return self._known[path, other, below]

    def _gone(self, path: str, below: int) -> Counter[bytes]:
        if (path, below) not in self._taken:
            hunks = self._files[path].hunks if path in self._files else ()
            self._taken[path, below] = Counter(
                line.strip() for hunk in hunks for line in hunk.removed[max(0, below + 1 - hunk.old_start) :]
            )
        return self._taken[path, below]


def without_split(was: Iterable[Hit], left: Sequence[Hit], files: Sequence[FileChange]) -> list[Hit]:
    """What is left of the head's hits; `was` are all of the base."""
    moved = _Moved(files)
    if not any(hit.path in moved.new for hit in left):
        return list(left)
    over: dict[tuple[str, str], list[Hit]] = defaultdict(list)
    known = list(was)
    unended = {(hit.path, hit.line) for hit in known if hit.rule in UNENDED}
    for hit in known:
        if hit.rule in FILES or (hit.rule in RANGES and (hit.path, hit.line) in unended):
            over[hit.path, hit.rule].append(hit)
    return [hit for hit in left if not _answered(hit, over, moved)] if over else list(left)


def _answered(hit: Hit, over: dict[tuple[str, str], list[Hit]], moved: _Moved) -> bool:
    if hit.path not in moved.new:
        return False
    return any(
        _holds(same, rule, hit) and moved.came(hit.path, path, max(old.line for old in same) if rule in RANGES else 0)
        for (path, rule), same in over.items()
    )


def _holds(same: Sequence[Hit], rule: str, hit: Hit) -> bool:
    """`same` are suppressions of one file by one rule."""
    milder = FILES[rule] if rule in FILES else RANGES[rule] | UNENDED
    if hit.rule != rule and hit.rule not in milder:
        return False
    return any((old.key, old.scope) == (hit.key, hit.scope) for old in same) or of_as_many(hit, same)
