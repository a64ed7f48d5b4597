"""Notes in a claim, and the commas that part it (design section 8, rules 2, 4 and 6).

A note is one balanced pair of parentheses on one line, with others nested in it or not, after at most one blank. An
unclosed `(` opens none. Commas part a line, except between two digits and inside a note.
"""

from __future__ import annotations

import re

_PAREN = re.compile(r"[()]")
_COMMA = re.compile(r"(?<!\d),|,(?!\d)")


def notes(line: str) -> list[tuple[int, int]]:
    """Where the outermost notes begin and end."""
    opened: list[int] = []
    pairs = []
    for match in _PAREN.finditer(line):
        if match[0] == "(":
            opened.append(match.start())
        elif opened:
            pairs.append((opened.pop(), match.end()))
    found, end = [], 0
    for start, stop in sorted(pairs):
        if start >= end and line[max(start - 2, 0) : start] != "  ":
            found.append((start, stop))
            end = stop
    return found


def parts(line: str) -> list[str]:
    """The line, cut at the commas that part it."""
    if "," not in line:
        return [line]
    if "(" not in line:
        return _COMMA.split(line)
    found, begin, within = [], 0, iter(notes(line))
    start, stop = next(within, (len(line), len(line)))
    for match in _COMMA.finditer(line):
        at = match.start()
        while stop <= at and stop < len(line):
            start, stop = next(within, (len(line), len(line)))
        if not start < at < stop:
            found.append(line[begin:at])
            begin = at + 1
    return [*found, line[begin:]]


def before_note(value: str) -> str:
    """The value without the note at its end, and without the blank before that."""
    if not value.endswith(")"):
        return value
    last = next(reversed(notes(value)), None)
    if last is None or last[1] != len(value):
        return value
    return value[: last[0]].removesuffix(" ")


def instead_of_notes(value: str, mark: str) -> str:
    """The value with `mark` in the place of each note."""
    if "(" not in value:
        return value
    found, begin = [], 0
    for start, stop in notes(value):
        found += [value[begin:start], mark]
        begin = stop
    return "".join([*found, value[begin:]])
