"""Test reports: which tests passed, failed, broke and were skipped, and what is refused."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.steps.reports.tests import TestReport, read_tests
from ralph.steps.reports.values import ReportError

PYTEST = """<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="0"
failures="0" skipped="0" tests="99">
<testcase classname="tests.test_a.TestX" name="test_m[a/b]" file="tests/test_a.py" line="3" time="0.1"/>
<testcase classname="tests.test_a" name="test_bad" file="tests/test_a.py"><failure message="x">E</failure></testcase>
<testcase classname="tests.test_a" name="test_s" file="tests/test_a.py"><skipped type="pytest.skip"/></testcase>
<testcase classname="tests.test_a" name="test_xf" file="tests/test_a.py"><skipped type="pytest.xfail"/></testcase>
<testcase classname="tests.test_a" name="test_lost" file="tests/test_a.py"><failure message="TypeError: f"/>
</testcase>
<testcase classname="" name="tests.test_b" file="tests/test_b.py"><error message="collection failure"/></testcase>
</testsuite></testsuites>"""
VITEST = """<testsuites name="vitest tests"><testsuite name="test/a.test.ts">
<testcase classname="test/a.test.ts" name="group &gt; one"/><testcase classname="test/a.test.ts" name="two"><skipped/>
</testcase></testsuite></testsuites>"""
SUREFIRE = """<testsuite xmlns="urn:x" name="p.ATest" tests="2"><properties/>
<testcase name="flaky" classname="p.ATest"><flakyFailure message="m"/></testcase>
<testcase name="bad" classname="p.ATest"><failure/><rerunFailure/></testcase></testsuite>"""
JEST = json.dumps(
    {
        "numFailedTests": 0,
        "success": True,
        "wasInterrupted": False,
        "testResults": [
            {
                "name": "/repo/test/a.test.js",
                "status": "failed",
                "assertionResults": [
                    {"ancestorTitles": ["g"], "title": "one", "status": "passed"},
                    {"ancestorTitles": ["g"], "title": "bad", "status": "failed"},
                    {"ancestorTitles": [], "title": "later", "status": "todo"},
                ],
            },
            {"name": "/repo/test/b.test.js", "status": "failed", "assertionResults": []},
        ],
    }
)

READ = {
    "pytest": (
        PYTEST,
        TestReport(
            passed=("tests/test_a.py::TestX::test_m[a/b]",),
            failed=("tests/test_a.py::test_bad", "tests/test_a.py::test_lost"),
            erred=("tests/test_a.py::test_lost",),
            broken=("tests/test_b.py",),
            skipped=("tests/test_a.py::test_s", "tests/test_a.py::test_xf"),
        ),
    ),
    "vitest": (VITEST, TestReport(passed=("test/a.test.ts::group > one",), skipped=("test/a.test.ts::two",))),
    "Maven, with a namespace and reruns": (
        SUREFIRE,
        TestReport(passed=("p.ATest::flaky",), failed=("p.ATest::bad",), flaky=("p.ATest::flaky",)),
    ),
    "jest": (
        JEST,
        TestReport(
            passed=("test/a.test.js::g > one",),
            failed=("test/a.test.js::g > bad",),
            broken=("test/b.test.js",),
            skipped=("test/a.test.js::later",),
        ),
    ),
    "an empty suite": ("<testsuites/>", TestReport()),
}


@pytest.mark.parametrize("case", READ)
def test_cases_are_counted_and_totals_are_not_believed(case: str) -> None:
    content, expected = READ[case]
    assert read_tests(content.encode(), root="/repo") == expected


def test_counts_tell_what_ran_from_what_was_skipped() -> None:
    assert read_tests(PYTEST.encode()).counts() == {"tests": 4, "failures": 2, "errors": 1, "skipped": 2}
    assert read_tests(SUREFIRE.encode()).counts() == {"tests": 2, "failures": 1, "errors": 0, "flaky": 1}


REFUSED = {
    "empty": ("", "empty"),
    "cut off": (PYTEST[:-40], "cut off"),
    "a coverage report": ("<coverage/>", "root is <coverage>"),
    "prose": ("5 passed", "neither"),
    "JSON of something else": ('{"tests": []}', "not that of jest"),
    "JSON cut off": (JEST[:-20], "cut off"),
    "a document type": ("<!DOCTYPE testsuites><testsuites/>", "refused"),
    "entities": ('<!DOCTYPE t [<!ENTITY a "x">]><testsuites>&a;</testsuites>', "refused"),
    "a suite that failed without a test that did": (
        '<testsuite failures="1"><testcase classname="a" name="b"/></testsuite>',
        "speaks of failures",
    ),
    "an unknown status": (JEST.replace('"todo"', '"great"'), "unknown status"),
    "a run that was interrupted": (JEST.replace('"wasInterrupted": false', '"wasInterrupted": true'), "interrupted"),
    "results that are no list": ('{"testResults": {"a": 1}}', "no JSON list"),
    "a title that is no text": (JEST.replace('"title": "one"', '"title": 1'), "no text"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    content, reason = REFUSED[case]
    with pytest.raises(ReportError, match=reason):
        read_tests(content.encode())


_OUTCOME = st.sampled_from(["", "<skipped/>", "<failure/>", "<error/>", "<system-out/>"])


@given(st.lists(_OUTCOME, max_size=30))
def test_every_case_is_counted_once(outcomes: list[str]) -> None:
    cases = "".join(f'<testcase classname="c" name="n{n}">{outcome}</testcase>' for n, outcome in enumerate(outcomes))
    report = read_tests(f"<testsuites><testsuite>{cases}</testsuite></testsuites>".encode())
    assert len(report.skipped) == outcomes.count("<skipped/>")
    assert len(report.bad) == outcomes.count("<failure/>") + outcomes.count("<error/>")
    assert report.ran + len(report.skipped) == len(outcomes)


@given(st.sampled_from([PYTEST, VITEST, JEST]), st.integers(0, 400), st.integers(0, 30), st.binary(max_size=12))
def test_nothing_but_a_report_error_comes_out_of_damage(content: str, at: int, cut: int, junk: bytes) -> None:
    data = content.encode()
    with contextlib.suppress(ReportError):
        read_tests(data[:at] + junk + data[at + cut :])
