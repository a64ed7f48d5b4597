"""Test runners that write a report where Ralph says: pytest, vitest and jest.

pytest is asked by arguments where its command line can be seen, else by PYTEST_ADDOPTS. One report per run is kept, so
a runner that is started twice behind make writes over the first; its own last lines are compared with the report.
"""

from __future__ import annotations

import re

from ralph.steps.reports.tests import read_tests
from ralph.steps.reports.values import ReportError
from ralph.steps.tools.recipe import Evidence, Reading, Recipe

_PYTEST_END = re.compile(r"^=* ?((?:\d+ [a-z]+, )*\d+ [a-z]+) in \d+\.\d\ds(?: \([\d:]+\))? ?=*$", re.MULTILINE)
_PYTEST_BAD = re.compile(r"(\d+) (?:failed|errors?)\b")


def read(evidence: Evidence) -> Reading:
    """The report that the runner wrote, whichever of the two formats it is."""
    if evidence.report is None:
        return Reading(problem="the test runner wrote no report")
    try:
        report = read_tests(evidence.report, root=str(evidence.root))
    except ReportError as error:
        return Reading(problem=str(error))
    return Reading(counts=report.counts(), failures=report.bad, tests=report)


def read_pytest(evidence: Evidence) -> Reading:
    reading = read(evidence)
    told = sum(int(number) for end in _PYTEST_END.findall(evidence.output) for number in _PYTEST_BAD.findall(end))
    if evidence.invocations == 0 and not reading.problem and told and not reading.failures:
        return Reading(problem=f"pytest spoke of {told} failures, its last report of none: it ran more than once")
    return reading


# xunit1 names the file of each test, which xunit2 leaves out: the id is then the one that pytest itself shows.
PYTEST = Recipe(
    tool="pytest",
    kind="tests",
    names=frozenset({"pytest", "py.test"}),
    report="junit.xml",
    arguments=("--junitxml={report}", "-o", "junit_family=xunit1"),
    environment={"PYTEST_ADDOPTS": "--junitxml={quoted} -o junit_family=xunit1 {more}"},
    to_the_end=("--maxfail=0",),
    to_the_first=("--maxfail=1",),
    read=read_pytest,
)

VITEST = Recipe(
    tool="vitest",
    kind="tests",
    names=frozenset({"vitest"}),
    report="junit.xml",
    arguments=("--reporter=default", "--reporter=junit", "--outputFile.junit={report}"),
    to_the_end=("--bail=0",),
    to_the_first=("--bail=1",),
    read=read,
)

JEST = Recipe(
    tool="jest",
    kind="tests",
    names=frozenset({"jest"}),
    report="jest.json",
    arguments=("--json", "--outputFile={report}"),
    to_the_end=("--bail=0",),
    to_the_first=("--bail=1",),
    by_path=("--runTestsByPath",),
    read=read,
)
