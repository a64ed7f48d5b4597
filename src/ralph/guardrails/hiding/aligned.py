"""Values that gofmt puts far to the right: those of a composite literal whose longest key is very long.

Blanks in a line are its doing where they stand between a key and a plain value, and the lines beside it have theirs in
the same column, down or up to the one with the longest key, which has but one blank. A call or a statement there is
nothing that only wants to stand in line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ralph.system.patterns import later

PLAIN = later(r"(?:\"[^\"\\]*\"|'[^'\\]*'|`[^`]*`|&?[\w.]+(?:\{\})?),?[ \t]*(?://.*)?\r?")
AT_MOST = 60
"""So many lines are looked at in each direction."""


def is_aligned(lines: Sequence[str], index: int, column: int) -> bool:
    """`column` counts characters from 0: the value's first."""
    if not PLAIN.fullmatch(lines[index][column:]) or not _has_value(lines[index], column):
        return False
    above = (lines[at] for at in range(index - 1, max(-1, index - 1 - AT_MOST), -1))
    below = (lines[at] for at in range(index + 1, min(len(lines), index + 1 + AT_MOST)))
    return _reaches_longest(above, column) or _reaches_longest(below, column)


def _reaches_longest(lines: Iterable[str], column: int) -> bool:
    for line in lines:
        if not _has_value(line, column):
            return False
        if line[column - 2] == ":":
            return True
    return False


def _has_value(line: str, column: int) -> bool:
    """The line has a key, blanks, and a value that begins in this column."""
    before, value = line[:column], line[column:]
    return bool(value) and not value[0].isspace() and before.endswith(" ") and before.rstrip(" ").endswith(":")
