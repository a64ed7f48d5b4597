"""A change as tools read it that skip a byte order mark (EF BB BF) at the start of a source file.

The mark says nothing: without it, what asks how a file begins, or what stands at the start of a line, sees the same
file that Python, Node and the compilers see. A second one behind it is no mark, but a character that does not show:
such a file is left as it is.
"""

from __future__ import annotations

from codecs import BOM_UTF8

from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Blobs, Change, FileChange, Hunk
from ralph.record import record, replace


@record(slots=False)
class Unmarked:
    """The same files; those in a language of programs without their mark."""

    blobs: Blobs

    def before(self, path: str) -> bytes | None:
        return _without(path, self.blobs.before(path))

    def after(self, path: str) -> bytes | None:
        return _without(path, self.blobs.after(path))

    def paths_before(self) -> frozenset[str]:
        return self.blobs.paths_before()

    def paths_after(self) -> frozenset[str]:
        return self.blobs.paths_after()


def unmarked(change: Change) -> Change:
    return replace(change, files=tuple(map(_file, change.files)), blobs=Unmarked(change.blobs))


def _file(file: FileChange) -> FileChange:
    if not file.hunks or not _is_marked(file.hunks[0]) or language_of(file.path) is None:
        return file
    first = file.hunks[0]
    sides = (first.removed, first.added)
    starts = (first.old_start, first.new_start)
    removed, added = (_lines(lines) if start == 1 else lines for lines, start in zip(sides, starts, strict=True))
    return replace(file, hunks=(replace(first, removed=removed, added=added), *file.hunks[1:]))


def _is_marked(hunk: Hunk) -> bool:
    return any(_has_mark(lines[0]) for lines in (hunk.removed, hunk.added) if lines)


def _lines(lines: tuple[bytes, ...]) -> tuple[bytes, ...]:
    return (lines[0].removeprefix(BOM_UTF8), *lines[1:]) if lines and _has_mark(lines[0]) else lines


def _without(path: str, data: bytes | None) -> bytes | None:
    marked = data is not None and _has_mark(data) and language_of(path) is not None
    return data.removeprefix(BOM_UTF8) if marked and data is not None else data


def _has_mark(data: bytes) -> bool:
    return data.startswith(BOM_UTF8) and not data.startswith(BOM_UTF8 * 2)
