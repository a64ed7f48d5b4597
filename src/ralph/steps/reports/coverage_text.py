"""Coverage in lines of text: LCOV tracefiles and Go cover profiles."""

from __future__ import annotations

import re

from ralph.steps.reports.coverage import Coverage, Lines, measured, note, tally
from ralph.steps.reports.values import ReportError, whole

_GO_BLOCK = re.compile(r"(?P<file>.+):(?P<place>\d+\.\d+,\d+\.\d+) (?P<statements>\d+) (?P<count>\d+)", re.ASCII)


def lcov(content: str, what: str) -> Coverage:
    """From the DA records alone. Raises ReportError, also when the last record is cut off."""
    lines: Lines = {}
    file: str | None = None
    for number, line in enumerate(content.splitlines(), start=1):
        record, _, value = line.strip().partition(":")
        if record == "SF":
            if file is not None:
                raise ReportError(f"{what} is cut off: a file begins in line {number} before the last one ended")
            file = value
            lines.setdefault(file, {})
        elif record == "end_of_record":
            file = None
        elif record == "DA":
            if file is None:
                raise ReportError(f"{what} counts a line that belongs to no file (line {number})")
            place, comma, count = value.partition(",")
            hits = whole(count.partition(",")[0], f"line {number} of {what}") if comma else None
            if hits is None:
                raise ReportError(f"{what} is cut off in line {number}")
            note(lines, file, whole(place, f"line {number} of {what}"), hits > 0)
    if file is not None:
        raise ReportError(f"{what} is cut off: the last file has no end_of_record")
    return measured(what, "lcov", tally(lines))


def go(content: str, what: str) -> Coverage:
    """Statements of blocks; a block that several packages' tests measured counts once. Raises ReportError."""
    first, *rest = content.splitlines()
    if first.removeprefix("mode:").strip() not in ("set", "count", "atomic"):
        raise ReportError(f"{what} has an unknown mode: {first[:40]!r}")
    if not content.endswith("\n"):
        raise ReportError(f"{what} is cut off: its last line has no end")
    blocks: dict[tuple[str, str], tuple[int, bool]] = {}
    for number, line in enumerate(rest, start=2):
        found = _GO_BLOCK.fullmatch(line)
        if not found:
            raise ReportError(f"line {number} of {what} is no block of a Go cover profile")
        statements, count = (whole(found[key], f"line {number} of {what}") for key in ("statements", "count"))
        key = (found["file"], found["place"])
        blocks[key] = (statements, count > 0 or blocks.get(key, (0, False))[1])
    files: dict[str, tuple[int, int]] = {}
    for (file, _), (statements, run) in blocks.items():
        covered, total = files.get(file, (0, 0))
        files[file] = (covered + statements * run, total + statements)
    return measured(what, "go", files.values())
