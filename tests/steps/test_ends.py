"""How a step's command ends, and the reports that a context names: fresh or not believed."""

from __future__ import annotations

import gzip
import os
import shlex
from pathlib import Path

import pytest

from ralph.steps.base import Requirement
from tests.processes import running
from tests.steps.workshop import Workshop

GOOD = '<testsuites><testsuite><testcase classname="a" name="b"/></testsuite></testsuites>'
BAD = GOOD.replace("/></testsuite>", "><failure/></testcase></testsuite>")
LCOV = "TN:\nSF:a.go\nDA:1,1\nDA:2,1\nDA:3,0\nDA:4,1\nDA:5,1\nend_of_record\n"


def written(content: str, path: str) -> str:
    return f"mkdir -p $(dirname {path}) && printf %s {shlex.quote(content)} > {path}"


ENDS = {
    "no command": (None, "error", "could not verify: build: no command"),
    "a blank command": ("  ", "error", "could not verify: build: no command"),
    "by itself": ("exit 0", "pass", None),
    "with an error": ("echo 'cannot link' && exit 3", "fail", "failed (exit code 3; its last words: cannot link"),
    "a missing tool": ("no-such-builder all", "error", "build: no-such-builder: command not found (exit 127)"),
    "a file that is no program": ("./data", "error", "Permission denied (exit 126)"),
    "by a signal": ("kill -9 $$", "error", "could not verify: build: it was ended by SIGKILL"),
    "a child by a signal": ("sh -c 'kill -11 $$'; exit $?", "error", "it was ended by SIGSEGV (exit 139)"),
    "a time limit": ("sleep 30", "error", "could not verify: build: it did not end within 0.5 s and was stopped"),
    "a broken line": ("if true; then", "fail", "build: the command failed (exit code"),
}  # fmt: skip


@pytest.mark.parametrize("case", ENDS)
def test_every_end_is_told_apart(tmp_path: Path, case: str) -> None:
    command, status, reason = ENDS[case]
    workshop = Workshop.at(tmp_path, {"data": "no program"})
    result = workshop.run("build", command, timeout_s=0.5 if case == "a time limit" else None)
    assert (result.status, reason is None or reason in (result.reason or "")) == (status, True), result.reason


def test_a_child_left_behind_is_ended(tmp_path: Path) -> None:
    left = f"6{os.getpid()}"
    result = Workshop.at(tmp_path, {}).run("build", f"setsid sleep {left} & echo done")
    assert result.status == "pass"
    assert running(f"sleep\0{left}".encode()) == []


def test_a_long_log_is_kept_whole_beside_its_head_and_tail(tmp_path: Path) -> None:
    workshop = Workshop.at(tmp_path, {})
    result = workshop.run("build", r"head -c 3000000 /dev/zero | tr '\0' x; printf '\xff\n'")
    log = workshop.evidence / "steps/build/output.log"
    assert (result.status, result.log) == ("pass", "steps/build/output.log")
    assert log.stat().st_size < 1_100_000
    assert gzip.decompress(log.with_name("output.log.gz").read_bytes()).endswith(b"xxx\xff\n")


REPORTS = {
    "fresh": (written(GOOD, "r.xml"), "pass", None),
    "fresh, with a failure": (written(BAD, "r.xml"), "fail", "tests: 1 of 1 failed: a::b, though"),
    "fresh, but the command failed": (
        written(GOOD, "r.xml") + "; (exit 1)",
        "fail",
        "another part of the command failed",
    ),
    "not written": ("python -c 1", "error", "the run did not write r.xml; the one that"),
    "touched, not written": ("touch r.xml", "error", "the test report r.xml is empty"),
    "cut off": (written(GOOD[:-9], "r.xml"), "error", "cut off or not XML"),
    "of another kind": (written(LCOV, "r.xml"), "error", "neither JUnit XML nor"),
    "without a test": (written("<testsuites/>", "r.xml"), "error", "no test ran"),
    "a link to another file": ("ln -s old.xml r.xml", "error", "no plain file"),
    "a pipe": ("mkfifo r.xml", "error", "no plain file"),
    "a device": ("ln -s /dev/zero r.xml", "error", "no plain file"),
}


@pytest.mark.parametrize("case", REPORTS)
def test_a_report_of_the_context_must_be_written_by_the_run(tmp_path: Path, case: str) -> None:
    command, status, reason = REPORTS[case]
    workshop = Workshop.at(tmp_path, {"r.xml": GOOD, "old.xml": GOOD})
    result = workshop.run("tests", command, report="r.xml")
    assert (result.status, reason is None or reason in (result.reason or "")) == (status, True), result.reason
    assert (workshop.root / "r.xml").read_text() == GOOD, "what stood there before is put back"


def test_a_directory_of_reports_counts_only_what_the_run_wrote(tmp_path: Path) -> None:
    workshop = Workshop.at(tmp_path, {"target/reports/TEST-old.xml": BAD, "target/reports/TEST-again.xml": BAD})
    command = written(GOOD, "target/reports/TEST-new.xml") + " && " + written(GOOD, "target/reports/TEST-again.xml")
    result = workshop.run("tests", command, report="target/reports")
    assert (result.status, result.counts["tests"]) == ("pass", 2), result.reason
    assert (workshop.root / "target/reports/TEST-again.xml").read_text() == BAD


def test_a_directory_of_reports_may_be_new(tmp_path: Path) -> None:
    workshop = Workshop.at(tmp_path, {})
    result = workshop.run("tests", written(GOOD, "target/reports/TEST-new.xml"), report="target/reports")
    assert (result.status, result.counts["tests"]) == ("pass", 1), result.reason


COVERAGE = {
    "enough": (written(LCOV, "c.info"), "c.info", "pass", None),
    "not enough": (written(LCOV.replace("5,1", "5,0"), "c.info"), "c.info", "fail", "60.0 % of lines is below 80 %"),
    "enough, but the command failed": (written(LCOV, "c.info") + "; (exit 2)", "c.info", "error", "says 80.0 %, but"),
    "not written": ("python -c 1", "c.info", "error", "the run did not write c.info; the one that stands there"),
    "unreadable": (written("SF:a", "c.info"), "c.info", "error", "cut off"),
    "no path": ("python -c 1", None, "error", "the context names no report (paths.coverage_report)"),
    "above the repository": ("python -c 1", "../c.info", "error", "leaves the repository"),
    "an absolute path": ("python -c 1", "/tmp/c.info", "error", "leaves the repository"),
    "through a link": ("python -c 1", "away/c.info", "error", "leaves the repository"),
    "the repository itself": ("python -c 1", ".", "error", "leaves the repository"),
    "the git directory": ("python -c 1", ".git/config", "error", "lies in the git directory"),
}


@pytest.mark.parametrize("case", COVERAGE)
def test_coverage(tmp_path: Path, case: str) -> None:
    command, report, status, reason = COVERAGE[case]
    workshop = Workshop.at(tmp_path, {"c.info": LCOV, ".git/config": ""})
    (workshop.root / "away").symlink_to(tmp_path)
    result = workshop.run("coverage", command, report=report)
    assert (result.status, reason is None or reason in (result.reason or "")) == (status, True), result.reason


def test_just_below_the_minimum_is_below_it_and_shown_so(tmp_path: Path) -> None:
    lines = "".join(f"DA:{number},{int(number > 2001)}\n" for number in range(1, 10_001))
    workshop = Workshop.at(tmp_path, {"new": f"TN:\nSF:a\n{lines}end_of_record\n"})
    result = workshop.run("coverage", "cp new c.info", report="c.info", requirement=Requirement(min_percent=80))
    assert result.reason == "coverage: 79.99 % of lines is below 80 %"


def test_a_report_of_another_step_is_kept_as_it_was(tmp_path: Path) -> None:
    workshop = Workshop.at(tmp_path, {"r.xml": GOOD, "c.info": LCOV})
    result = workshop.run("tests", written(GOOD, "r.xml") + " && echo > c.info", report="r.xml", keep=("c.info",))
    assert result.status == "pass"
    assert (workshop.root / "c.info").read_text() == LCOV


def test_what_an_earlier_attempt_left_in_the_evidence_is_not_evidence(tmp_path: Path) -> None:
    workshop = Workshop.at(tmp_path, {})
    assert workshop.run("coverage", written(LCOV, "c.info"), report="c.info").status == "pass"
    assert workshop.run("coverage", "python -c 1", report="c.info").status == "error"


def test_reasons_and_ids_are_safe_to_show(tmp_path: Path) -> None:
    evil = BAD.replace('name="b"', 'name="b&#10;\x7f &#x85;"')
    result = Workshop.at(tmp_path, {}).run("tests", written(evil, "r.xml"), report="r.xml")
    assert result.failures == ("a::b",)
    assert (result.reason or "").isprintable()
