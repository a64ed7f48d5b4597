"""What a coverage report comes down to, in whatever format: lines that were run, of lines that were measured.

Rules (design decisions 1 and 2): the percentage is computed here from what the report says of each file, and
compared with the report's own totals where the format's totals are reliable; a report that measured no line
proves nothing. A line that several records name is one line, covered when any of them covered it. Go counts
statements, as `go tool cover` does. LF, LH and the rates that LCOV and Cobertura write are never believed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from ralph.record import record
from ralph.steps.reports.values import ReportError

Format = Literal["coverage.py", "istanbul", "lcov", "cobertura", "jacoco", "go"]


@record(kw_only=True)
class Coverage:
    """How many of the measured lines were run. `total` is never 0."""

    format: Format
    covered: int
    total: int
    files: int

    @property
    def percent(self) -> float:
        return 100 * self.covered / self.total

    def reaches(self, minimum: float) -> bool:
        """Without rounding: 79.99 does not reach 80."""
        return 100 * self.covered >= minimum * self.total

    def counts(self) -> dict[str, float]:
        return {"percent": self.percent, "covered": self.covered, "lines": self.total, "files": self.files}


def measured(what: str, kind: Format, files: Iterable[tuple[int, int]]) -> Coverage:
    """The sum over files of (covered, total). Raises ReportError when nothing was measured."""
    listed = list(files)
    covered, total = sum(pair[0] for pair in listed), sum(pair[1] for pair in listed)
    if not total:
        raise ReportError(f"{what} measured no line")
    return Coverage(format=kind, covered=covered, total=total, files=len(listed))


Lines = dict[str, dict[object, bool]]
"""file -> line (or block) -> was it run"""


def note(lines: Lines, file: str, line: object, run: bool) -> None:
    known = lines.setdefault(file, {})
    known[line] = known.get(line, False) or run


def tally(lines: Lines) -> list[tuple[int, int]]:
    return [(sum(found.values()), len(found)) for found in lines.values()]
