"""What became of each test, kept beside the step's log."""

from __future__ import annotations

from pathlib import Path

import pytest

from ralph.steps import outcomes
from ralph.steps.reports.tests import TestReport
from tests.steps.workshop import Workshop

REPORT = TestReport(passed=("a", "a"), failed=("b",), broken=("c",), skipped=("d",), flaky=("a",))


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    outcomes.keep(REPORT, tmp_path)
    assert outcomes.kept(tmp_path) == REPORT


@pytest.mark.parametrize("what", ["file", "link", "folder"])
def test_what_the_command_left_there_gives_way(tmp_path: Path, what: str) -> None:
    outside, place = tmp_path / "outside", tmp_path / "folder"
    outside.write_text("mine\n")
    place.mkdir()
    name = place / outcomes.NAME
    if what == "file":
        name.write_text('{"passed": ["forged"]}')
    elif what == "link":
        name.symlink_to(outside)
    else:
        (name / "deep").mkdir(parents=True)
    outcomes.keep(REPORT, place)
    assert outcomes.kept(place) == REPORT
    assert outside.read_text() == "mine\n"


@pytest.mark.parametrize("text", ["", "[]", "{", '{"passed": 1}', '{"other": []}', '{"passed": ["a"], "passed": []}'])
def test_what_is_damaged_says_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / outcomes.NAME).write_text(text)
    assert outcomes.kept(tmp_path) == TestReport()
    assert outcomes.kept(tmp_path / "missing") == TestReport()


def test_a_step_keeps_them(tmp_path: Path) -> None:
    bodies = {"a": "pass", "b": "assert 0", "c": "pytest.skip()"}
    tests = "import pytest\n" + "".join(f"\n\ndef test_{name}():\n    {body}\n" for name, body in bodies.items())
    workshop = Workshop.at(tmp_path, {"test_x.py": tests})
    workshop.run("tests", "pytest -q")
    assert outcomes.kept(workshop.evidence / "steps/tests") == TestReport(
        passed=("test_x.py::test_a",), failed=("test_x.py::test_b",), skipped=("test_x.py::test_c",)
    )
