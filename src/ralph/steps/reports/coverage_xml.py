"""Coverage in XML: Cobertura (coverage.py, gcovr, coverlet, PHPUnit) and JaCoCo."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from ralph.steps.reports.coverage import Coverage, Lines, measured, note, tally
from ralph.steps.reports.values import ReportError, elements, local_name, whole


def cobertura(root: Element, what: str) -> Coverage:
    """From the lines of classes; those of methods are the same ones again. Raises ReportError."""
    lines: Lines = {}
    for owner in elements(root, "class"):
        file = owner.get("filename") or owner.get("name")
        if not file:
            raise ReportError(f"{what} has a class without a file name")
        lines.setdefault(file, {})
        for line in (line for child in owner if local_name(child) == "lines" for line in child):
            place = whole(line.get("number"), f"a line number of {file} in {what}")
            note(lines, file, place, whole(line.get("hits"), f"the hits of line {place} of {file} in {what}") > 0)
    return measured(what, "cobertura", tally(lines))


def jacoco(root: Element, what: str) -> Coverage:
    """From the lines of source files: one with a covered instruction is covered. Raises ReportError."""
    lines: Lines = {}
    for group in [root, *elements(root, "group")]:
        for package in (child for child in group if local_name(child) == "package"):
            for source in (child for child in package if local_name(child) == "sourcefile"):
                file = "/".join((group.get("name", ""), package.get("name", ""), source.get("name", "")))
                lines.setdefault(file, {})
                for line in (child for child in source if local_name(child) == "line"):
                    place = whole(line.get("nr"), f"a line number of {file} in {what}")
                    whole(line.get("mi"), f"missed instructions of line {place} of {file} in {what}")
                    run = whole(line.get("ci"), f"covered instructions of line {place} of {file} in {what}")
                    note(lines, file, place, run > 0)
    return measured(what, "jacoco", tally(lines))
