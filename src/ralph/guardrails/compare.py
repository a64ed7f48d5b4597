"""What got worse: the hits of the head tree that the base tree does not answer for.

Rules (design decision 4; a change is judged against its base, never for what was there before):

1. Per rule, an equal hit (same key, same scope) of the base answers for one of the head: first inside the same
   file, then anywhere in the change. Moved lines, split files and renamed files cost nothing.
2. Of several equal hits in a file, those on lines that the change did not add are the old ones.
3. What is left may be a narrowing: a hit that took the place of a wider one of the same rule or of what that is a
   milder form of, on the same
   changed lines, on the same unchanged line, behind the same code or in the file it moved to. It costs nothing.
   Removing something elsewhere earns no credit. So does one of a rule that only has another name now (`renamed`).
4. A suppression of a whole file that is gone answers for narrower ones in that file (`wholes`), and a test that was
   skipped outright for a skip of it in other words (`reskipped`). That of a file that became several answers for the
   like in each of them (`split_files`), and that of a line that was split for the like behind parts of it (`wrapped`).
5. Everything else is new. A wider hit in the place of a narrower one is new.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby

from ralph.guardrails.model import FileChange, Hit, Hunk
from ralph.guardrails.renamed import TRANSLATED, is_renamed
from ralph.guardrails.reskipped import without_reskipped
from ralph.guardrails.split_files import without_split
from ralph.guardrails.wholes import MILDER, UNENDED, answered
from ralph.guardrails.wrapped import without_wrapped
from ralph.system.patterns import later

COMMENT = later(r"(?:#|//|/\*|<!--).*")
"""At most: the sign may stand in a text."""
TELLING = 12
"""A shorter line of code may stand anywhere."""
MOVED_SHARE = 0.5
"""A deleted and an added file are one that moved when they share this much of the longer one's lines."""


def new_hits(before: Iterable[Hit], after: Iterable[Hit], files: Sequence[FileChange]) -> list[Hit]:
    """The hits of `after` (all hits of the head's files) that none of `before` (the same of the base) answers for."""
    places = Places(files)
    was = list(before)
    gone, left = _match(was, after, places, across_files=False)
    gone, left = _match(gone, left, places, across_files=True)
    left = without_split(was, without_reskipped(gone, left, files), files)
    left = without_wrapped(was, left, files)
    unended = {(hit.path, hit.line) for hit in was if hit.rule in UNENDED}
    new = (
        hit
        for hit in _without_narrowings(gone, left, places)
        if not answered(hit, places.was_at(hit.path, hit.line), gone, unended)
    )
    return sorted(new, key=_position)


class Places:
    """Where a change touches its files: which lines it added, and which lines stand in the place of which."""

    def __init__(self, files: Sequence[FileChange]) -> None:
        self._files = {file.path: file for file in files}
        self._added: dict[str, frozenset[int]] = {}

    def added(self, path: str, line: int) -> bool:
        """True if the change added this line of the head's file."""
        file = self._files.get(path)
        if file is None or file.binary:
            return file is not None
        if path not in self._added:
            self._added[path] = frozenset(
                number for hunk in file.hunks for number in range(hunk.new_start, hunk.new_start + len(hunk.added))
            )
        return line in self._added[path]

    def was_at(self, path: str, line: int) -> int:
        """The line of the base that the head's line is, or in whose place it stands."""
        file = self._files.get(path)
        for hunk in reversed(file.hunks if file is not None else ()):
            if line >= hunk.new_start + len(hunk.added):
                return line + hunk.old_start + len(hunk.removed) - hunk.new_start - len(hunk.added)
            if line >= hunk.new_start:
                return hunk.old_start
        return line

    def stayed(self, old: Hit, new: Hit) -> bool:
        """True if both stand on one line that the change left alone."""
        file = self._files.get(new.path)
        return file is not None and old.path == new.path and not file.binary and _untouched(file, old.line, new.line)

    def replaced(self, old: Hit, new: Hit) -> bool:
        """True if `new` stands where `old` stood: in the same run of changed lines, or in the file it moved to."""
        old_file, new_file = self._files.get(old.path), self._files.get(new.path)
        if old_file is None or new_file is None:
            return False
        if old_file is new_file:
            return _untouched(new_file, old.line, new.line) or any(
                _holds(hunk, old.line, new.line) for hunk in new_file.hunks
            )
        return old_file.status == "D" and new_file.status == "A" and _moved(old_file, new_file)


def _match(
    before: Iterable[Hit], after: Iterable[Hit], places: Places, *, across_files: bool
) -> tuple[list[Hit], list[Hit]]:
    """Strikes out equal hits pair by pair; returns what is left of both sides."""

    def identity(hit: Hit) -> tuple[object, ...]:
        return (hit.rule, hit.key, hit.scope, None if across_files else hit.path)

    old: dict[tuple[object, ...], list[Hit]] = defaultdict(list)
    for hit in sorted(before, key=_position):
        old[identity(hit)].append(hit)
    left = []
    for hit in sorted(after, key=lambda hit: (places.added(hit.path, hit.line), _position(hit))):
        if same := old.get(identity(hit)):
            same.pop(next((index for index, each in enumerate(same) if places.stayed(each, hit)), -1))
        else:
            left.append(hit)
    return [hit for hits in old.values() for hit in hits], left


def _without_narrowings(gone: list[Hit], left: list[Hit], places: Places) -> Iterable[Hit]:
    """Widest first takes the narrowest place that holds it, so that one narrowing does not spoil another."""
    by_rule: dict[str, list[Hit]] = defaultdict(list)
    for hit in sorted(gone, key=lambda hit: (_width(hit), _position(hit))):
        by_rule[hit.rule].append(hit)
    left = sorted(left, key=lambda hit: (hit.rule, -_width(hit), _position(hit)))
    for rule, hits in groupby(left, key=lambda hit: hit.rule):
        wider = [*by_rule[rule], *by_rule[MILDER.get(rule, "")]]
        wider += [hit for other in TRANSLATED.get(rule, ()) if other != MILDER.get(rule) for hit in by_rule[other]]
        for hit in hits:
            held = (old for old in wider if _within(hit, old) or is_renamed(hit, old))
            place = next((old for old in held if places.replaced(old, hit) or _same_code(old, hit)), None)
            if place is None:
                yield hit
            else:
                wider.remove(place)


def _same_code(old: Hit, new: Hit) -> bool:
    """Both are comments that name codes, and the line of code that they stand behind went from one place to the
    other."""
    if not old.scope or not new.scope or not COMMENT.search(old.snippet):
        return False
    code = COMMENT.sub("", new.snippet).strip()
    return TELLING <= len(code) < len(new.snippet.strip()) and code == COMMENT.sub("", old.snippet).strip()


def _within(new: Hit, old: Hit) -> bool:
    """An empty scope says nothing about extent, so that only an equal key can answer for it. What holds a whole
    department (`Metrics`) holds its rules (`Metrics/MethodLength`)."""
    if old.scope is None:
        return new.scope is None or bool(new.scope)
    held = old.scope
    return bool(new.scope) and all(each in held or each.rpartition("/")[0] in held for each in new.scope or ())


def _width(hit: Hit) -> float:
    return float("inf") if hit.scope is None else len(hit.scope)


def _holds(hunk: Hunk, old_line: int, new_line: int) -> bool:
    return hunk.old_start <= old_line < hunk.old_start + len(
        hunk.removed
    ) and hunk.new_start <= new_line < hunk.new_start + len(hunk.added)


def _untouched(file: FileChange, old_line: int, new_line: int) -> bool:
    """True if both are one line that the change left alone: what begins there may have changed further down."""
    above = [hunk for hunk in file.hunks if hunk.new_start <= new_line]
    if any(new_line < hunk.new_start + len(hunk.added) for hunk in above):
        return False
    return new_line - sum(len(hunk.added) - len(hunk.removed) for hunk in above) == old_line


def _moved(old: FileChange, new: FileChange) -> bool:
    removed = Counter(line for hunk in old.hunks for line in hunk.removed)
    added = Counter(line for hunk in new.hunks for line in hunk.added)
    longer = max(removed.total(), added.total())
    return longer > 0 and (removed & added).total() >= MOVED_SHARE * longer


def _position(hit: Hit) -> tuple[str, int, int, str, str, bool, tuple[str, ...]]:
    """A total order, so that the order in which hits were found changes nothing."""
    return (hit.path, hit.line, hit.column, hit.rule, hit.key, hit.scope is None, tuple(sorted(hit.scope or ())))
