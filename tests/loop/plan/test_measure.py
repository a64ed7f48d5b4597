"""Criteria run for real: in a real repository, with real processes, in the sandbox of this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from ralph.loop.plan.green import finder, green_before
from ralph.loop.plan.measure import CriterionResult, met, proved, run_criteria
from ralph.permissions.model import Permissions
from tests.gates.workplace import Workplace
from tests.loop.plan.making import allowing, task
from tests.project import write


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    return Workplace.at(tmp_path)


def run(place: Workplace, *criteria: str, law: Permissions | None = None) -> tuple[CriterionResult, ...]:
    return run_criteria(
        task("a", verification_criteria=criteria), place.bench(law=law), logs=place.root / ".ralph/logs"
    )


@pytest.mark.parametrize(
    ("criterion", "state", "reason"),
    [
        pytest.param("grep -q one a.txt passes", "pass", "", id="exit 0"),
        pytest.param("grep -q two a.txt passes", "fail", "exit code 1", id="exit 1"),
        pytest.param('verify:"grep -q two a.txt"', "fail", "exit code 1", id="a verify gate"),
        pytest.param("the file says one", "claimed", "", id="words"),
        pytest.param("verify: grep -q one a.txt", "error", "no command in quotes", id="almost a verify gate"),
        pytest.param("`no-such-program` passes", "error", "command not found", id="a program that is not there"),
        pytest.param("`./a.txt` passes", "error", "cannot be run", id="a file that is no program"),
        pytest.param('verify:"true"', "error", "proves nothing", id="what cannot fail"),
        pytest.param("`test suite` passes", "error", "whatever it finds", id="prose that the shell finds true"),
        pytest.param('verify:"sleep 30; cat a.txt" timeout:1', "error", "did not end within 1 s", id="the time limit"),
        pytest.param("`kill -9 $$` passes", "error", "SIGKILL", id="a signal"),
        pytest.param('verify:"touch b.txt && grep -q one a.txt"', "error", "the tree is not the same", id="it writes"),
        pytest.param('verify:"rm a.txt"', "error", "the tree is not the same", id="it deletes"),
        pytest.param('verify:"grep -q one a.txt" cwd:"web"', "error", "no folder web", id="a folder that is missing"),
    ],
)
def test_one_criterion(place: Workplace, criterion: str, state: str, reason: str) -> None:
    (found,) = run(place, criterion)
    assert found.state == state, found
    assert reason in found.reason
    assert met([found]) == (state in ("pass", "claimed"))
    assert proved([found]) == (state == "pass")


def test_every_criterion_in_order_with_its_own_log(place: Workplace) -> None:
    found = run(place, 'verify:"cat a.txt; false"', "it is good", "grep -q one a.txt passes")
    assert [each.state for each in found] == ["fail", "claimed", "pass"]
    assert [Path(each.log).name for each in found] == ["criterion-1.log", "", "criterion-3.log"]
    assert (place.root / found[0].log).read_text() == "one\n"
    assert found[0].excerpt.strip() == "one"
    assert found[0].tree == place.tree()


def test_words_alone_prove_nothing(place: Workplace) -> None:
    """A task once passed with criteria that nobody had looked at, and so did an empty report."""
    for criteria in ([], ["it is good"]):
        found = run(place, *criteria)
        assert met(found)
        assert not proved(found)


def test_one_error_outweighs_every_pass(place: Workplace) -> None:
    found = run(place, "grep -q one a.txt passes", "`no-such-program` passes")
    assert not met(found)
    assert not proved(found)


def test_permissions(place: Workplace) -> None:
    found = run(place, "grep -q one a.txt passes", "make check passes", 'verify:"make check"', law=allowing("grep"))
    assert [each.state for each in found] == ["pass", "claimed", "error"]
    assert "the permissions do not allow 'make check'" in found[1].reason
    assert "the permissions deny it" in found[2].reason


def test_what_holds_before_the_work(place: Workplace) -> None:
    tasks = [
        task("vacuous", verification_criteria=("grep -q one a.txt passes", "it is good")),
        task("mixed", verification_criteria=("grep -q one a.txt passes", "grep -q two a.txt passes")),
        task("good", verification_criteria=("grep -q two a.txt passes",)),
        task("words", verification_criteria=("it is good",)),
    ]
    logs = place.root.parent / "logs"
    found = green_before(tasks, place.bench(), logs=logs)
    assert [(each.severity, each.code, each.task) for each in found] == [
        ("warn", "vacuous", "vacuous"),
        ("note", "green_before", "mixed"),
    ]
    assert all(each.advice for each in found)
    assert len(list(logs.iterdir())) == 2  # a command that several tasks have runs once


def test_programs_are_found_where_the_steps_find_them(place: Workplace) -> None:
    write(place.root, {"bin/check": "#!/bin/sh\n", "web/tool": "#!/bin/sh\n"})
    (place.root / "bin/check").chmod(0o755)
    finds = finder(place.root, place.bench().env)
    assert [finds(name, None) for name in ("grep", "cd", "bin/check", "./bin/check")] == [True] * 4
    assert [finds(name, None) for name in ("no-such-program", "bin/none", "web/tool")] == [False] * 3
    assert not finds("bin/check", "web")
