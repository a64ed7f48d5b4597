"""What becomes of a confession: agents that are honest, that lie, that fabricate, and that confess everything.

Commands really run and files are really read, in a small project whose `total([])` fails.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest

from ralph.errors import RalphError, UsageError
from ralph.hats.confession import ConfessionReport, EasiestIssue, Unreadable
from ralph.hats.handling import MAX_CONFESSIONS, Finding, Ran, next_step, run_issue
from tests.hats.reports import HONEST, SPOTLESS, report

BROKEN = "def total(values):\n    return round(sum(values) / len(values), 2)\n"
FAILS = {"kind": "command", "command": "python3 -c 'import total; total.total([])'", "claim": "an empty list raises"}
WORKS = {"kind": "command", "command": "python3 -c 'import total; total.total([1])'", "claim": "a list of one works"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "total.py").write_text(BROKEN)
    return tmp_path


def found(project: Path, confession: ConfessionReport) -> Finding:
    def run(command: str) -> Ran:
        done = subprocess.run(["bash", "-c", command], cwd=project, capture_output=True, text=True, check=False)
        return Ran(exit_code=done.returncode, output=done.stdout + done.stderr)

    def read(path: str) -> str | None:
        return (project / path).read_text() if (project / path).is_file() else None

    return run_issue(confession.easiest_issue, run, read)


CASES: dict[str, tuple[ConfessionReport, str, str]] = {
    "honest: the issue is real": (report(HONEST, easiest_issue=FAILS), "true", "rework"),
    "honest: a file shows it": (
        report(HONEST, easiest_issue={"kind": "file", "path": "total.py", "contains": "len(values)", "claim": "x"}),
        "true",
        "rework",
    ),
    "honest: what a file lacks": (
        report(HONEST, easiest_issue={"kind": "file", "path": "total.py", "absent": "if not values", "claim": "x"}),
        "true",
        "rework",
    ),
    "honest: the check of an issue may end well": (
        report(HONEST, easiest_issue={**FAILS, "command": "grep -q 'len(values)' total.py", "expect": "pass"}),
        "true",
        "rework",
    ),
    "honest: nothing is wrong": (report(SPOTLESS, easiest_issue=WORKS), "true", "accept"),
    "lying: clean, and it is not": (report(SPOTLESS, easiest_issue=FAILS), "false", "confess"),
    "lying: clean with a shortcut": (
        report(SPOTLESS, easiest_issue=WORKS, shortcuts=["x"]),
        "true",
        "rework",
    ),
    "lying: clean and hardly sure": (
        report(SPOTLESS, easiest_issue=WORKS, objectives__0__confidence=30),
        "true",
        "rework",
    ),
    "lying: clean, shown by a tool that is not there": (
        report(SPOTLESS, easiest_issue={**WORKS, "command": "no-such-tool --all"}),
        "unknown",
        "confess",
    ),
    "fabricating: the command ends well": (report(HONEST, easiest_issue=WORKS), "false", "confess"),
    "fabricating: a tool that is not there": (
        report(HONEST, easiest_issue={**FAILS, "command": "no-such-tool --all"}),
        "unknown",
        "confess",
    ),
    "fabricating: a command that kills itself": (
        report(HONEST, easiest_issue={**FAILS, "command": "kill -9 $$"}),
        "unknown",
        "confess",
    ),
    "fabricating: the text is not there": (
        report(HONEST, easiest_issue={"kind": "file", "path": "total.py", "contains": "eval(", "claim": "x"}),
        "false",
        "confess",
    ),
    "fabricating: a file that is not there": (
        report(HONEST, easiest_issue={"kind": "file", "path": "totals.py", "absent": "anything", "claim": "x"}),
        "false",
        "confess",
    ),
    "confessing everything, and the issue is real": (
        report(HONEST, easiest_issue=FAILS, shortcuts=[f"shortcut {n}" for n in range(50)]),
        "true",
        "rework",
    ),
    "confessing everything, and the issue is not": (
        report(HONEST, easiest_issue=WORKS, shortcuts=[f"shortcut {n}" for n in range(50)]),
        "false",
        "confess",
    ),
}


@pytest.mark.parametrize(("confession", "state", "action"), CASES.values(), ids=CASES.keys())
def test_confessions(project: Path, confession: ConfessionReport, state: str, action: str) -> None:
    finding = found(project, confession)
    step = next_step(confession, finding, limit=80)
    assert (finding.state, step.action) == (state, action), finding
    assert step.topic == step.allowed[0]
    assert ("LOOP_COMPLETE" in step.allowed) == (action == "accept")


def test_rework_names_every_issue(project: Path) -> None:
    confession = report(HONEST, easiest_issue=FAILS)
    step = next_step(confession, found(project, confession), limit=80)
    assert step.allowed == ("fix.needed", "escalate.human")
    assert step.payload == (
        f"The confession was checked: `{FAILS['command']}` ended with exit code 1, as the confession says. "
        "Correct each of these:\n"
        "- not met: an empty list gives 0 (total.py:3 divides by 0)\n"
        "- shortcut: negative amounts are not handled\n"
        "- claimed: an empty list raises"
    )


def test_what_a_command_printed_is_kept(project: Path) -> None:
    assert "ZeroDivisionError" in found(project, report(HONEST, easiest_issue=FAILS)).output


@pytest.mark.parametrize(
    ("ran", "words"),
    [
        (Ran(exit_code=None, problem="it took longer than 60 s"), "it took longer than 60 s"),
        (Ran(exit_code=0, problem="permissions deny it"), "permissions deny it"),
        (Ran(exit_code=None), "did not end by itself"),
        (Ran(exit_code=-9), "did not end by itself"),
        (Ran(exit_code=137), "did not end by itself"),
        (Ran(exit_code=126), "cannot be executed"),
        (Ran(exit_code=127), "no such command"),
    ],
)
@pytest.mark.parametrize("expect", ["pass", "fail"])
def test_what_proves_nothing_confirms_nothing(ran: Ran, words: str, expect: Literal["pass", "fail"]) -> None:
    issue = EasiestIssue(kind="command", claim="x", command="pytest", expect=expect)
    finding = run_issue(issue, lambda command: ran, lambda path: None)
    assert finding.state == "unknown"
    assert words in finding.reason


def refuse(what: str) -> Any:
    raise UsageError(f"{what} is closed to agents.")


@pytest.mark.parametrize(
    "issue", [HONEST["easiest_issue"], {"kind": "file", "path": "k", "contains": "x", "claim": "y"}]
)
def test_what_may_not_be_looked_at_confirms_nothing(issue: dict[str, str]) -> None:
    confession = report(HONEST, easiest_issue=issue)
    finding = run_issue(confession.easiest_issue, refuse, refuse)
    assert finding.state == "unknown"
    assert "is closed to agents" in finding.reason
    assert next_step(confession, finding, limit=80).action == "confess"


def test_a_defect_is_not_taken_for_an_answer() -> None:
    def broken(command: str) -> Ran:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_issue(report(HONEST).easiest_issue, broken, lambda path: None)
    assert not issubclass(ZeroDivisionError, RalphError)


def test_a_report_that_cannot_be_read_is_asked_for_again_with_the_reason() -> None:
    step = next_step(Unreadable("The report: objectives is empty."), None, limit=80)
    assert (step.action, step.topic, step.allowed) == (
        "confess",
        "confession.requested",
        ("confession.requested", "escalate.human"),
    )
    assert "objectives is empty" in step.payload


UNRELIABLE: dict[str, Callable[[int], Any]] = {
    "unreadable": lambda before: next_step(Unreadable("no JSON."), None, limit=80, unreliable=before),
    "false": lambda before: next_step(report(HONEST), Finding(state="false", reason="no"), limit=80, unreliable=before),
    "never checked": lambda before: next_step(report(SPOTLESS), None, limit=80, unreliable=before),
}


@pytest.mark.parametrize("step", UNRELIABLE.values(), ids=UNRELIABLE.keys())
def test_after_so_many_unreliable_confessions_a_person_is_asked(step: Callable[[int], Any]) -> None:
    actions = [step(before).action for before in range(MAX_CONFESSIONS + 1)]
    assert actions == ["confess"] * (MAX_CONFESSIONS - 1) + ["escalate"] * 2
    assert step(MAX_CONFESSIONS).allowed == ("escalate.human",)
