"""Rust: lints that a new file silences as the one did that it was split off from (policy set v2, class G01).

Rule: where a good part of a new file was taken out of another one, and that silenced the same lints for all of its
lines, the new file may silence them, too: its lines were as silent where they stood. It may silence no more, and not
everything. What was copied, and still stands where it was, makes no split.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from ralph.guardrails.model import Change, FileChange, Hit
from ralph.guardrails.source import Source
from ralph.guardrails.texts import UnreadableError, decoded, one_line_end

Detector = Callable[[Source], Iterable[Hit]]
RULE = "rust.allow-crate"
PART, LINES = 0.25, 10
"""So much of a new file, and no fewer lines, must come from the other one."""
SHORT = 3
"""Lines of so few letters stand everywhere."""


def without_split_off(hits: Iterable[Hit], change: Change, attributes: Detector) -> Iterator[Hit]:
    """`attributes` finds the lints that a file silences."""
    files = {file.path: file for file in change.files if file.path.endswith(".rs")}
    for hit in hits:
        new = files.get(hit.path) if hit.rule == RULE else None
        if new is None or new.status != "A" or not _was_as_silent(hit, new, files.values(), change, attributes):
            yield hit


def _was_as_silent(
    hit: Hit, new: FileChange, files: Iterable[FileChange], change: Change, attributes: Detector
) -> bool:
    for file in files if hit.scope else ():
        if file.status != "A" and _gave(file, new):
            silenced = _silenced(file.path, change.blobs.before(file.path), attributes)
            if hit.scope is not None and hit.scope <= silenced:
                return True
    return False


def _silenced(path: str, data: bytes | None, attributes: Detector) -> frozenset[str]:
    """The lints that the file names for all of its lines; those of a module in it are indented."""
    try:
        source = Source(path, "rust", one_line_end("rust", decoded("rust", data or b"")))
    except UnreadableError:
        return frozenset()
    scopes = (found.scope for found in attributes(source) if found.rule == RULE and found.column == 1)
    return frozenset().union(*(scope for scope in scopes if scope))


def _gave(old: FileChange, new: FileChange) -> bool:
    taken = _words(line for hunk in old.hunks for line in hunk.removed)
    put = _words(line for hunk in old.hunks for line in hunk.added)
    held = _words(line for hunk in new.hunks for line in hunk.added)
    moved = ((taken - put) & held).total()
    return moved >= LINES and moved >= PART * held.total()


def _words(lines: Iterable[bytes]) -> Counter[bytes]:
    return Counter(bare for line in lines if len(bare := line.strip()) > SHORT)
