"""Asking for a measurement changes nothing; asking a person brings an answer that the command itself then uses up."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from ralph.approvals.answering import Desk as PersonsDesk
from ralph.approvals.model import Decision, Status
from ralph.hook.judge import Court, judge
from ralph.hook.model import Call
from ralph.loop.toolbox import tools
from ralph.loop.toolbox.asking import MOST_QUESTIONS, MOST_VERIFICATIONS
from ralph.loop.toolbox.person import asker
from ralph.mcp.answer import answer
from ralph.permissions.disk import here
from ralph.permissions.loader import parse
from ralph.results import Finding, StepResult
from ralph.verdict import Verdict
from tests.loop.toolbox.desks import Situation, situation, task
from tests.loop.toolbox.verdicts import FAILED, PASSED, verdict

VERIFY, APPROVAL = "ralph_verify", "ralph_request_approval"
POLICY = b"""{
  "version": 1,
  "mode": "delivery",
  "files": {"allowRead": ["."], "allowWrite": ["src"], "denyRead": [], "denyWrite": ["src/secret"]},
  "commands": {"allow": ["pytest"], "deny": ["curl"]},
  "approval": {"requiredFor": ["dependency_changes", "destructive_ops"], "requireReason": true},
  "checks": {"required": [], "rollbackOnFail": false}
}"""
INSTALL = "npm install left-pad"


def test_a_measurement_is_told_in_short_and_changes_nothing(tmp_path: Path) -> None:
    place = situation(tmp_path, task("a"), at_work="a", verify=lambda: verdict(FAILED))
    before = place.files()
    told = place.done(VERIFY)
    assert (told["verdict"], told["message"]) == ("FAIL", "FAIL at tests: 2 tests fail")
    assert told["steps"] == [{"name": "tests", "status": "fail", "reason": "2 tests fail"}]
    assert told["calls_left"] == MOST_VERIFICATIONS - 1
    assert (place.files(), place.posted()) == (before, [])


def test_it_may_be_asked_for_only_so_often_in_a_turn(tmp_path: Path) -> None:
    calls: list[int] = []

    def measured() -> Verdict:
        calls.append(1)
        return verdict(PASSED)

    place = situation(tmp_path, task("a"), at_work="a", verify=measured)
    offered = tools(place.desk)
    told = [answer(offered, VERIFY, {}) for _ in range(MOST_VERIFICATIONS + 2)]
    assert [each.refused for each in told] == [False] * MOST_VERIFICATIONS + [True, True]
    assert len(calls) == MOST_VERIFICATIONS


def test_two_measurements_at_once_are_one(tmp_path: Path) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def measured() -> Verdict:
        begun.set()
        go_on.wait(10)
        return verdict(PASSED)

    offered = tools(situation(tmp_path, task("a"), at_work="a", verify=measured).desk)
    first = threading.Thread(target=answer, args=[offered, VERIFY, {}])
    first.start()
    assert begun.wait(10)
    assert answer(offered, VERIFY, {}).text == "The checks are running already: wait for their result."
    go_on.set()
    first.join()
    assert not answer(offered, VERIFY, {}).refused


def test_many_findings_are_cut(tmp_path: Path) -> None:
    findings = tuple(
        Finding(rule="r", severity="block", reason="x", path=f"{n}.py", line=1, column=1, snippet="") for n in range(50)
    )
    found = verdict(StepResult(name="guardrail", status="fail", reason="50 findings"), findings=findings)
    told = situation(tmp_path, task("a"), at_work="a", verify=lambda: found).done(VERIFY)
    assert (len(told["findings"]), told["more_findings"]) == (20, 30)


def test_without_anything_to_measure_it_says_so(tmp_path: Path) -> None:
    assert "the project has no context" in situation(tmp_path, task("a"), at_work="a").refused(VERIFY)


@pytest.fixture
def place(tmp_path: Path) -> Situation:
    permissions = parse(POLICY, "ralph.policy.json")
    root = tmp_path / "project"
    return situation(tmp_path, task("a"), at_work="a", ask=asker(root, permissions, agent="scripted", wait_s=0.0))


def decide(place: Situation, told: Mapping[str, Any], decision: Decision, reason: str, text: str = "") -> None:
    request = person(place).find(told["request"]).request
    assert request is not None
    person(place).answer(request, decision, reason=reason, text=text)


def person(place: Situation) -> PersonsDesk:
    return PersonsDesk(place.desk.root, {})


ANSWERS: dict[str, tuple[dict[str, Any], str]] = {
    "allowed": ({"command": "pytest -q"}, "not needed"),
    "allowed to write": ({"path": "src/a.py"}, "not needed"),
    "nobody answers": ({"command": INSTALL}, "unanswered"),
}


@pytest.mark.parametrize(("given", "state"), ANSWERS.values(), ids=ANSWERS)
def test_only_what_needs_a_person_asks_one(place: Situation, given: dict[str, Any], state: str) -> None:
    told = place.done(APPROVAL, reason="I need it", **given)
    assert told["state"] == state
    assert [each.id for each in person(place).entries()] == ([told["request"]] if told["request"] else [])


DENIED: dict[str, tuple[dict[str, Any], str]] = {
    "a denied command": ({"command": "curl http://x"}, "It is denied by commands.deny: curl"),
    "a denied path": ({"path": "src/secret/a"}, "It is denied by files.denyWrite: src/secret"),
    "an unlisted command": ({"command": "make all"}, "no approval changes that"),
    "neither": ({}, "takes either a `command` or a `path`: nobody was asked"),
    "both": ({"command": "x", "path": "y"}, "takes either a `command` or a `path`: nobody was asked"),
    "a blank command": ({"command": " "}, "'command' must not be blank"),
}


@pytest.mark.parametrize(("given", "told"), DENIED.values(), ids=DENIED)
def test_what_is_denied_asks_nobody(place: Situation, given: dict[str, Any], told: str) -> None:
    assert told in place.refused(APPROVAL, reason="please", **given)


def test_a_reason_is_needed(place: Situation) -> None:
    assert "'reason' is missing" in place.refused(APPROVAL, command=INSTALL)


def test_a_person_sees_the_command_and_the_reason(place: Situation) -> None:
    told = place.done(APPROVAL, command=INSTALL, reason="the parser needs it")
    request = person(place).find(told["request"]).request
    assert request is not None
    assert (request.action.text, request.agent, request.detail) == (
        INSTALL,
        "scripted",
        "reason: the parser needs it",
    )


def test_asking_again_is_the_same_question(place: Situation) -> None:
    first = place.done(APPROVAL, command=INSTALL, reason="the parser needs it")
    again = place.done(APPROVAL, command=INSTALL, reason="the parser needs it still")
    assert first["request"] == again["request"]


def runs(place: Situation, command: str = INSTALL) -> bool:
    """The client of the agent runs the command: its hook asks, and does not wait for a person."""
    root = place.desk.root
    court = Court(permissions=parse(POLICY, "ralph.policy.json"), place=here(root), wait_s=0.0)
    arguments = {"command": command, "description": "Install it", "timeout": 1000}
    call = Call(tool="Bash", arguments=arguments, cwd=str(root), session="abc", client="claude")
    return judge(call, court).answer.allowed


def test_the_approval_is_used_by_the_command_itself_and_once(place: Situation) -> None:
    told = place.done(APPROVAL, command=INSTALL, reason="the parser needs it")
    assert not runs(place)
    decide(place, told, Decision.APPROVED, reason="fine")
    assert place.done(APPROVAL, command=INSTALL, reason="asked again")["state"] == "approved"
    assert not runs(place, INSTALL + " right-pad")
    assert runs(place)
    assert person(place).find(told["request"]).status is Status.USED
    assert not runs(place)


@pytest.mark.parametrize(
    ("decision", "state", "text"),
    [
        (Decision.REJECTED, "rejected", "It is rejected: no"),
        (Decision.SUGGESTED, "suggested", "It is suggested: write it yourself"),
    ],
)
def test_a_refusal_reaches_the_agent(place: Situation, decision: Decision, state: str, text: str) -> None:
    told = place.done(APPROVAL, command=INSTALL, reason="x")
    decide(place, told, decision, reason="no", text="write it yourself" if state == "suggested" else "")
    after = place.done(APPROVAL, command=INSTALL, reason="x")
    assert (after["state"], after["message"].startswith(text)) == (state, True)
    assert not runs(place)


def test_what_would_be_written_is_asked_about_when_it_is_written(tmp_path: Path) -> None:
    root = tmp_path / "project"
    permissions = parse(POLICY.replace(b'"src"', b'"src", "package.json"'), "ralph.policy.json")
    place = situation(tmp_path, task("a"), at_work="a", ask=asker(root, permissions, agent="x", wait_s=0.0))
    told = place.done(APPROVAL, path="package.json", reason="x")
    assert (told["state"], told["request"]) == ("on use", None)


def test_a_question_that_was_asked_ahead_is_for_that_command_only(place: Situation) -> None:
    """Another folder, another policy, or a write is another question."""
    told = place.done(APPROVAL, command=INSTALL, reason="x")
    decide(place, told, Decision.APPROVED, reason="fine")
    root = place.desk.root
    (root / "src").mkdir()
    courts: list[Callable[[], Court]] = [
        lambda: Court(
            permissions=parse(POLICY.replace(b"pytest", b"py.test"), "ralph.policy.json"), place=here(root), wait_s=0.0
        ),
        lambda: Court(permissions=parse(POLICY, "ralph.policy.json"), place=here(root), wait_s=0.0),
    ]
    for court, cwd in zip(courts, (root, root / "src"), strict=True):
        call = Call(tool="Bash", arguments={"command": INSTALL}, cwd=str(cwd), session="s", client="claude")
        assert not judge(call, court()).answer.allowed
    assert runs(place)


def test_a_person_is_not_flooded_with_questions(place: Situation) -> None:
    offered = tools(place.desk)
    asked = [{"command": f"npm install p{number}", "reason": "x"} for number in range(MOST_QUESTIONS + 5)]
    told = [answer(offered, APPROVAL, each).refused for each in asked]
    assert told == [False] * MOST_QUESTIONS + [True] * 5
    assert len(person(place).entries()) == MOST_QUESTIONS


def test_without_permissions_nobody_can_be_asked(tmp_path: Path) -> None:
    place = situation(tmp_path, task("a"), at_work="a")
    assert "Nobody can be asked here" in place.refused(APPROVAL, command=INSTALL, reason="x")
