"""Reading hunks of a unified diff, by the line counts in their headers (spec: governance engine 1.4).

Counting is what makes the reader hard to fool: inside a hunk a line that looks like a header (`--- a/x`, `+++ b/x`,
`@@ -1 +1 @@`) is a changed line like any other. Each run of changed lines becomes one `Hunk`; lines lose their mark
and nothing else. Where a run removes (or adds) nothing, `old_start` (`new_start`) is the line before which it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ralph.guardrails.model import Hunk
from ralph.system.patterns import later

_HEADER = later(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_POINTER = later(rb"Subproject commit [0-9a-f]{40,64}")
_NO_NEWLINE = b"\\ "

Context = Callable[[int, int, bytes], None]
"""Told of every context line: its line number in the old and in the new file, and its text."""


class MalformedError(ValueError):
    """The lines are no hunk; `at` is the index of the first one that does not fit."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


def is_header(line: bytes) -> bool:
    return line.startswith(b"@@ -")


def read_hunk(lines: Sequence[bytes], at: int, context: Context | None = None) -> tuple[list[Hunk], int]:
    """The runs of the hunk whose header is `lines[at]`, and the index after it. Raises MalformedError."""
    header = _HEADER.match(lines[at])
    if header is None:
        raise MalformedError("is no hunk header", at)
    old_start, old_count, new_start, new_count = (1 if each is None else int(each) for each in header.groups())
    # A side of no lines is counted from the line before it.
    old_start += old_count == 0
    new_start += new_count == 0
    middle = at + 1 + old_count
    removed = _unmarked(lines[at + 1 : middle], b"-", old_count)
    middle += _markers(lines, middle) if old_count else 0
    end = middle + new_count
    added = _unmarked(lines[middle:end], b"+", new_count)
    if removed is not None and added is not None:
        return [Hunk(old_start, removed, new_start, added)], end + _markers(lines, end)
    return _with_context(lines, at + 1, (old_start, old_count), (new_start, new_count), context)


def without_pointers(hunks: Sequence[Hunk]) -> tuple[Hunk, ...]:
    """The hunks of a gitlink without the lines in which git shows its commit: they are in no file."""
    return tuple(each for each in hunks if not all(map(_POINTER.fullmatch, (*each.removed, *each.added))))


def _with_context(
    lines: Sequence[bytes], at: int, old: tuple[int, int], new: tuple[int, int], context: Context | None
) -> tuple[list[Hunk], int]:
    """Line by line, for hunks whose changed lines are mixed with others."""
    (old_line, old_left), (new_line, new_left) = old, new
    runs: list[Hunk] = []
    removed: list[bytes] = []
    added: list[bytes] = []

    def close_run() -> None:
        if removed or added:
            runs.append(Hunk(old_line - len(removed), tuple(removed), new_line - len(added), tuple(added)))
            removed.clear()
            added.clear()

    while old_left or new_left:
        if at >= len(lines) or (at == len(lines) - 1 and not lines[at]):  # what follows the last line end is no line
            raise MalformedError("ends inside a hunk", at)
        line = lines[at]
        mark = line[:1] or b" "  # mailers strip the blank of an empty context line
        if mark == b"-" and old_left:
            if added:
                close_run()
            removed.append(line[1:])
            old_line, old_left = old_line + 1, old_left - 1
        elif mark == b"+" and new_left:
            added.append(line[1:])
            new_line, new_left = new_line + 1, new_left - 1
        elif mark == b" " and old_left and new_left:
            close_run()
            if context is not None:
                context(old_line, new_line, line[1:])
            old_line, old_left = old_line + 1, old_left - 1
            new_line, new_left = new_line + 1, new_left - 1
        elif not line.startswith(_NO_NEWLINE):
            raise MalformedError("does not fit the line counts of its hunk", at)
        at += 1
    close_run()
    return runs, at + _markers(lines, at)


def _markers(lines: Sequence[bytes], at: int) -> int:
    """1 if the line at `at` says that the one before it has no line end."""
    return int(at < len(lines) and lines[at].startswith(_NO_NEWLINE))


def _unmarked(lines: Sequence[bytes], mark: bytes, count: int) -> tuple[bytes, ...] | None:
    """The lines without their mark; None unless there are `count` and each has it."""
    if len(lines) != count:
        return None
    # The least and the greatest line begin with the mark only if all do: half the time of looking at each.
    if count and (min(lines)[:1] != mark or max(lines)[:1] != mark):
        return None
    return tuple([line[1:] for line in lines])
