"""Coverage in JSON: coverage.py's own report and Istanbul's summary (vitest, jest, nyc, c8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ralph.steps.reports.coverage import Coverage, measured
from ralph.steps.reports.values import ReportError, items, mapping, whole


def read(document: Mapping[str, Any], what: str) -> Coverage:
    """Raises ReportError when it is neither of the two, or contradicts itself."""
    if "files" in document and "totals" in document:
        return _coverage_py(document, what)
    if "total" in document:
        return _istanbul(document, what)
    raise ReportError(f"{what} is JSON, but neither of coverage.py (files, totals) nor an Istanbul summary (total)")


def _coverage_py(document: Mapping[str, Any], what: str) -> Coverage:
    files = []
    for name, value in mapping(document["files"], f"files of {what}").items():
        fields = mapping(value, f"{name} in {what}")
        run = _lines(fields.get("executed_lines"), f"executed_lines of {name} in {what}")
        missing = _lines(fields.get("missing_lines"), f"missing_lines of {name} in {what}")
        if run & missing:
            raise ReportError(f"{what} says of line {min(run & missing)} of {name} that it was run and that it was not")
        files.append((len(run), len(run) + len(missing)))
    totals = mapping(document["totals"], f"totals of {what}")
    coverage = measured(what, "coverage.py", files)
    stated = tuple(whole(totals.get(key), f"{key} of {what}") for key in ("covered_lines", "num_statements"))
    return _agreed(coverage, stated, what)


def _lines(value: object, what: str) -> set[int]:
    return {whole(line, f"an entry of {what}") for line in items(value, what)}


def _istanbul(document: Mapping[str, Any], what: str) -> Coverage:
    def pair(name: str) -> tuple[int, int]:
        lines = mapping(mapping(document[name], f"{name} in {what}").get("lines"), f"lines of {name} in {what}")
        covered, total = (whole(lines.get(key), f"{key} of {name} in {what}") for key in ("covered", "total"))
        if covered > total:
            raise ReportError(f"{what} covers more lines of {name} than there are ({covered} of {total})")
        return covered, total

    coverage = measured(what, "istanbul", [pair(name) for name in document if name != "total"])
    return _agreed(coverage, pair("total"), what)


def _agreed(coverage: Coverage, stated: tuple[int, ...], what: str) -> Coverage:
    if (coverage.covered, coverage.total) != stated:
        raise ReportError(
            f"{what} contradicts itself: its files give {coverage.covered} of {coverage.total} lines, "
            f"its totals {stated[0]} of {stated[1]}"
        )
    return coverage
