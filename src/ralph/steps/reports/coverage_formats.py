"""The one way to read a coverage report: its content tells the format, never its name."""

from __future__ import annotations

from ralph.steps.reports import coverage_json, coverage_text, coverage_xml
from ralph.steps.reports.coverage import Coverage
from ralph.steps.reports.values import ReportError, json_object, local_name, opening, text, xml_root

XML_READERS = {"coverage": coverage_xml.cobertura, "report": coverage_xml.jacoco}
"""Root element -> reader."""

TEXT_READERS = {
    "mode:": coverage_text.go,
    "TN:": coverage_text.lcov,
    "SF:": coverage_text.lcov,
    "#": coverage_text.lcov,
}
"""How the text begins -> reader."""


def read_coverage(path_name: str, data: bytes) -> Coverage:
    """What a report says; `path_name` is for messages. Raises ReportError."""
    what = f"the coverage report {path_name}"
    start = opening(data, what)
    if start.startswith("{"):
        return coverage_json.read(json_object(data, what), what)
    if start.startswith("<"):
        root = xml_root(data, what, doctype=True)
        if reader := XML_READERS.get(local_name(root)):
            return reader(root, what)
    for sign, read in TEXT_READERS.items():
        if start.startswith(sign):
            return read(text(data, what), what)
    raise ReportError(
        f"{what} is of no known format (coverage.py or Istanbul JSON, LCOV, Cobertura, JaCoCo, Go cover profile)"
    )
