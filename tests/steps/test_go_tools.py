"""go test: what is made of its events, as they were recorded, and of a real run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.steps.reports.tests import TestReport
from ralph.steps.tools.golang import read
from ralph.steps.tools.recipe import Evidence, Manner
from ralph.steps.tools.registry import RECIPES
from tests.project import write
from tests.steps.workshop import Workshop

P = "shop.example/shop"
TREE = {
    "go.mod": "module shop.example/shop\n\ngo 1.21\n",
    "a_test.go": 'package shop\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\n',
    "inner/b_test.go": "package inner\n\nfunc TestB(t *testing.T) {}\n",
    "other/go.mod": 'module "other.example/x"\n',
    "other/sub/c_test.go": "package sub\n\nfunc TestC(t *testing.T) {}\n",
}


def events(*texts: str) -> str:
    """`action package test` in short: `pass / TestA`, where `/` is the module's own package."""
    lines = []
    for text in texts:
        action, package, *test = text.split()
        name = P if package == "/" else package.replace("./", f"{P}/")
        lines.append(json.dumps({"Action": action, "Package": name, **({"Test": test[0]} if test else {})}))
    return "\n".join(lines) + "\n"


A = "a_test.go::TestA"
READ = {
    "passes": (events("start /", "run / TestA", "pass / TestA", "pass /"), TestReport(passed=(A,))),
    "fails": (events("run / TestA", "fail / TestA", "fail /"), TestReport(failed=(A,))),
    "skips": (events("run / TestA", "skip / TestA", "pass /"), TestReport(skipped=(A,))),
    "cases": (
        events("run / TestA", "run / TestA/x/y", "pass / TestA/x/y", "pass / TestA", "pass /"),
        TestReport(passed=(A, f"{A}/x/y")),
    ),
    "other packages and modules": (
        events("run ./inner TestB", "pass ./inner TestB", "pass ./inner")
        + events("run other.example/x/sub TestC", "pass other.example/x/sub TestC", "pass other.example/x/sub"),
        TestReport(passed=("inner/b_test.go::TestB", "other/sub/c_test.go::TestC")),
    ),
    "a test that nobody finds": (
        events("run / TestZ", "pass / TestZ", "pass /"),
        TestReport(passed=(f"{P}::TestZ",)),
    ),
    "a package that does not build": (events("start /", "fail /"), TestReport(broken=(P,))),
    "a panic": (events("run / TestA", "fail /"), TestReport(broken=(A,))),
    "a package that fails after its tests": (
        events("run / TestA", "pass / TestA", "fail /"),
        TestReport(passed=(A,), broken=(P,)),
    ),
    "no test files": (events("start /", "skip /"), TestReport()),
    "among other lines": ("# building\n{ no json\n" + events("pass /"), TestReport()),
}


def reading(folder: Path, output: str) -> tuple[TestReport, str | None]:
    found = read(Evidence(output=output, report=None, exit_code=0, root=folder, invocations=1))
    assert found.counts.get("tests", 0) == found.tests.ran
    return found.tests, found.problem


@pytest.mark.parametrize("name", READ)
def test_events(tmp_path: Path, name: str) -> None:
    write(tmp_path, TREE)
    output, expected = READ[name]
    assert reading(tmp_path, output) == (expected, None)


UNREAD = {
    "nothing": "",
    "not asked for events": "ok  \tshop.example/shop\t0.080s\n",
    "a package without an end": events("start /", "run / TestA", "pass / TestA"),
}


@pytest.mark.parametrize("name", UNREAD)
def test_what_is_not_believed(tmp_path: Path, name: str) -> None:
    assert reading(tmp_path, UNREAD[name])[1] is not None


@given(st.lists(st.recursive(st.none() | st.booleans() | st.text(max_size=6), lambda x: st.lists(x, max_size=2))))
def test_any_json_is_taken(values: list[object]) -> None:
    fields = ("Action", "Package", "Test")
    lines = [json.dumps(dict.fromkeys(fields, value)) for value in values] + [json.dumps(value) for value in values]
    read(Evidence(output="\n".join(lines), report=None, exit_code=0, root=Path("/nowhere"), invocations=1))


def test_files_are_not_named_to_go() -> None:
    asked = RECIPES["go"].arguments_for(("go", "test"), None, Manner(to_the_end=True, only=("a_test.go",)))
    assert asked == ("-json", "-count=1", "-failfast=false")


GOOD = 'package shop\n\nimport "testing"\n\nfunc TestA(t *testing.T) {\n\tif %s {\n\t\tt.Error()\n\t}\n}\n'
RUN = {
    "pass": ({"a_test.go": GOOD % "1 > 2"}, "go test ./...", "pass", None),
    "fail": ({"a_test.go": GOOD % "1 < 2"}, "go test ./... || true", "fail", "a_test.go::TestA"),
    "it does not build": ({"a_test.go": GOOD % "1 <"}, "go test ./...", "fail", P),
    "no tests": ({"a.go": "package shop\n"}, "go test ./...", "error", "no test ran"),
    "only listed": ({"a_test.go": GOOD % "1 > 2"}, "go test -list . ./...", "error", "no test ran"),
}


@pytest.mark.parametrize("name", RUN)
def test_a_real_run(tmp_path: Path, name: str) -> None:
    files, command, status, reason = RUN[name]
    result = Workshop.at(tmp_path, {"go.mod": TREE["go.mod"], **files}).run("tests", command)
    assert (result.status, reason is None or reason in (result.reason or "")) == (status, True), result.reason
