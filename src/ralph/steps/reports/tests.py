"""Test reports: JUnit XML and jest's JSON, as ids of what passed, failed, broke and was skipped.

Rules (design decision 1):

- Only test cases are counted. The totals that a suite writes about itself are never believed, except against
  the report: a suite that speaks of failures while no case has one is a contradiction.
- A test that was skipped (pytest's xfail too) did not run.
- Ids carry no line numbers: `path::Class::name` where the report tells the file, else `classname::name`.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any
from xml.etree.ElementTree import Element

from ralph.record import record
from ralph.steps.reports.values import (
    ReportError,
    elements,
    items,
    json_object,
    local_name,
    mapping,
    opening,
    string,
    xml_root,
)

_ERRED = re.compile(r"\s*(?:Type|Attribute|Name|Import|ModuleNotFound|Reference)Error\b")
"""How a test ends that calls what is not there."""


@record(kw_only=True)
class TestReport:
    """The ids of one run's tests. An id stands twice when two cases share it."""

    __test__ = False  # pytest would collect it by its name

    passed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    """Errors: what could not be collected, set up or torn down."""
    skipped: tuple[str, ...] = ()
    flaky: tuple[str, ...] = ()
    """Those of `passed` that failed before they passed, in the same run."""
    erred: tuple[str, ...] = ()
    """Those of `failed` that ended at a name or an argument that is not there, rather than at what they assert."""

    @property
    def ran(self) -> int:
        return len(self.ids)

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of all that ran, whatever came of it."""
        return self.passed + self.failed + self.broken

    @property
    def bad(self) -> tuple[str, ...]:
        """Ids that did not pass, once each, in the order of the report."""
        return tuple(dict.fromkeys(self.failed + self.broken))

    def counts(self) -> dict[str, float]:
        counts = {"tests": self.ran, "failures": len(self.failed), "errors": len(self.broken)}
        extra = {"skipped": len(self.skipped), "flaky": len(self.flaky)}
        return {**counts, **{name: number for name, number in extra.items() if number}}

    def __add__(self, other: TestReport) -> TestReport:
        return TestReport(
            passed=self.passed + other.passed,
            failed=self.failed + other.failed,
            broken=self.broken + other.broken,
            skipped=self.skipped + other.skipped,
            flaky=self.flaky + other.flaky,
            erred=self.erred + other.erred,
        )


def read_tests(data: bytes, what: str = "the test report", root: str = "") -> TestReport:
    """A JUnit XML or jest JSON report, told apart by content. `root` is cut off absolute paths. Raises ReportError."""
    start = opening(data, what)
    if start.startswith("<"):
        return _junit(data, what, root)
    if start.startswith("{"):
        return _jest(data, what, root)
    raise ReportError(f"{what} is neither JUnit XML nor the JSON of jest")


def _junit(data: bytes, what: str, root: str) -> TestReport:
    document = xml_root(data, what)
    if local_name(document) not in ("testsuites", "testsuite"):
        raise ReportError(f"{what} is XML, but no JUnit report (its root is <{local_name(document)[:40]}>)")
    ids: dict[str, list[str]] = {name: [] for name in ("passed", "failed", "broken", "skipped", "flaky", "erred")}
    for case in elements(document, "testcase"):
        outcome = {local_name(child) for child in case}
        name = _case_id(case, root)
        ids[_outcome(outcome)].append(name)
        if outcome & {"flakyFailure", "flakyError"} and not outcome & {"failure", "error"}:
            ids["flaky"].append(name)
        if any(_ERRED.match(f"{child.get('type', '')} {child.get('message', '')}") for child in case):
            ids["erred"].append(name)
    report = TestReport(**{name: tuple(found) for name, found in ids.items()})
    if not report.bad and _claims_failures(document):
        raise ReportError(f"{what} speaks of failures in its totals, but no test case of it has one")
    return report


def _outcome(children: set[str]) -> str:
    """The worst that a test case says of itself."""
    if "error" in children:
        return "broken"
    if "failure" in children:
        return "failed"
    return "skipped" if "skipped" in children else "passed"


def _case_id(case: Element, root: str) -> str:
    classname, name, file = (case.get(key, "").strip() for key in ("classname", "name", "file"))
    if not file:
        return f"{_relative(classname, root)}::{name}" if classname and classname != name else _relative(name, root)
    path = _relative(file, root)
    module = str(PurePosixPath(path).with_suffix("")).replace("/", ".")
    if not classname:
        return path if name in (module, path) else f"{path}::{name}"
    inner = classname.removeprefix(module).lstrip(".") if classname.startswith(module) else ""
    return "::".join(part for part in (path, inner.replace(".", "::"), name) if part)


def _claims_failures(document: Element) -> bool:
    suites = [element for element in document.iter() if local_name(element) in ("testsuites", "testsuite")]
    claims = (suite.get(key, "0").strip() for suite in suites for key in ("failures", "errors"))
    return any(claim.strip("0") for claim in claims)


_JEST_RAN = {"passed": "passed", "failed": "failed"}
_JEST_SKIPPED = frozenset({"pending", "todo", "skipped", "disabled", "focused"})


def _jest(data: bytes, what: str, root: str) -> TestReport:
    document = json_object(data, what)
    if "testResults" not in document:
        raise ReportError(f"{what} is JSON, but not that of jest (it has no testResults)")
    report = TestReport()
    for suite in items(document["testResults"], f"testResults of {what}"):
        report += _jest_suite(mapping(suite, f"a test file of {what}"), what, root)
    if document.get("wasInterrupted") is True:
        raise ReportError(f"{what} says that the run was interrupted")
    return report


def _jest_suite(suite: Any, what: str, root: str) -> TestReport:
    path = _relative(string(suite.get("name"), f"a file name in {what}"), root)
    ids: dict[str, list[str]] = {name: [] for name in ("passed", "failed", "skipped", "flaky", "erred")}
    for case in items(suite.get("assertionResults"), f"assertionResults of {what}"):
        fields = mapping(case, f"a test of {what}")
        titles = [*items(fields.get("ancestorTitles", []), f"ancestorTitles of {what}"), fields.get("title")]
        name = f"{path}::{' > '.join(string(title, f'a test name in {what}') for title in titles)}"
        status = fields.get("status")
        if status not in _JEST_RAN and status not in _JEST_SKIPPED:
            raise ReportError(f"{what} has a test with the unknown status {str(status)[:40]!r}")
        ids[_JEST_RAN.get(status, "skipped")].append(name)
        if status == "passed" and fields.get("retryReasons"):
            ids["flaky"].append(name)
        messages = fields.get("failureMessages")
        if status == "failed" and isinstance(messages, list) and any(_ERRED.match(str(each)) for each in messages):
            ids["erred"].append(name)
    unread = suite.get("status") == "failed" and not ids["failed"]
    return TestReport(broken=(path,) if unread else (), **{name: tuple(found) for name, found in ids.items()})


def _relative(path: str, root: str) -> str:
    return path.removeprefix(root.rstrip("/") + "/") if root else path
