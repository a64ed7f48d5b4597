"""What becomes of what a turn posted: words of tools, events, claims, verdicts, confessions, in their order."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ralph.events import tokens
from ralph.events.door import Emission, Measurement, Rules
from ralph.events.model import CheckState, GateDecision, Reading
from ralph.hats.loader import load
from ralph.hats.model import Topology
from ralph.loop.confessional import Confessional
from ralph.loop.inputs import Outcome
from ralph.loop.judging import (
    BLOCKED,
    FOR_A_PERSON,
    INHERITED,
    RETRY,
    SIGNAL,
    Completion,
    Hearing,
    Law,
    Posted,
    Standing,
)
from ralph.loop.measured import is_inherited
from ralph.loop.thrash import Standing as Refusals
from ralph.loop.thrash import Thrash
from ralph.permissions.sandbox.model import Level
from ralph.results import Finding
from ralph.system.git import open_repository
from ralph.verdict import Attribution, StepResult, Verdict
from tests.events.situation import BUILD
from tests.loop.phases.verdicts import PASS, failing, verdict
from tests.project import repository

BUILDER, CONFESSIONS = load("builder"), load("confession-loop")
TOKEN, SEAL = tokens.mint(3)
OLD_TOKEN, OLD_SEAL = tokens.mint(2)
BAD = BUILD.replace("lint: pass", "lint: fail")


def post(topic: str = "build.done", payload: str = BUILD, *, tool: str | None = None, **more: Any) -> Posted:
    seal = more.pop("seal", SEAL)
    said = {"origin": "agent", "hat": "builder", "task": "one", "iteration": 3, "token": TOKEN, **more}
    return Posted(Emission(topic=topic, payload=payload, tool=tool, **said), seal)


def word(tool: str, payload: str = "because", **more: Any) -> Posted:
    return post("build.blocked", payload, tool=tool, **more)


def hear(
    *posted: Posted,
    task: str | None = "one",
    hat: str = "builder",
    topology: Topology = BUILDER,
    standing: Standing | None = None,
    measured: Verdict | None = None,
    completion: Completion = Completion(),  # noqa: B008 - it is frozen
    confessional: Confessional | None = None,
    red: Sequence[str] = (),
) -> Hearing:
    """A hearing of these. `measured` is the verdict of every claim, None where claims are not measured."""

    def measure(emission: Emission, decision: GateDecision) -> Measurement:
        assert measured is not None
        readings = {step.name: Reading(state=CheckState.FAIL) for step in measured.steps if step.status == "fail"}
        return Measurement(
            holds=measured.is_terminal_pass(), readings=readings, message="It was measured.", verdict=measured
        )

    found = Hearing(
        law=Law(
            topology=topology,
            rules=Rules(hats=topology.hats, evidence="measured" if measured else "claimed"),
            measure=measure if measured else None,
            completion=lambda: completion,
            confessional=confessional,
            is_inherited=lambda verdict: is_inherited(verdict, red),
        ),
        hat=topology.hat(hat) if task else None,
        task=task,
        standing=standing or Standing(),
    )
    found.hear(posted)
    return found


SAID: Mapping[str, tuple[list[Posted], str | None, Outcome, str, str]] = {
    "a task cannot be done": ([word(BLOCKED)], "one", "gave up", "because", ""),
    "an attempt is given up": ([word(RETRY)], "one", "refused", "because", "gave the last attempt up: because"),
    "a phase is complete": ([word(SIGNAL)], None, "phase", "because", ""),
    "a phase, while a task is at work": ([word(SIGNAL)], "one", "open", "", "a task is; complete it first"),
    "a task, where there is none": ([word(BLOCKED)], None, "open", "", "no task is being worked on"),
    "an attempt, where there is none": ([word(RETRY)], None, "open", "", "no task is being worked on"),
    "with the token of another turn": ([word(BLOCKED, token=OLD_TOKEN)], "one", "open", "", "iteration 2"),
    "with no token": ([word(SIGNAL, token=None)], None, "open", "", "no token"),
    "an event, where there is no task": ([post()], None, "open", "", "build.done does not count here"),
    "an event with the token of another turn": ([post(token=OLD_TOKEN)], "one", "open", "", "iteration 2"),
    "a reserved topic": ([post("task.done")], "one", "open", "", "is reserved"),
    "a topic that the hat does not publish": ([post("review.done")], "one", "open", "", "may publish"),
    "a topic like a tool's name": ([post(BLOCKED)], "one", "open", "", "may publish"),
    "a call for a person": ([post("escalate.human", "Which?")], "one", "waits", "Which?", ""),
    "nothing": ([], "one", "open", "", ""),
}


@pytest.mark.parametrize("case", SAID)
def test_what_is_said(case: str) -> None:
    posted, task, outcome, reason, told = SAID[case]
    found = hear(*posted, task=task)
    assert (found.outcome, found.reason) == (outcome, reason)
    assert told in "\n".join(found.told)
    assert bool(found.told) == bool(told)


def test_what_a_turn_that_was_cut_off_had_posted_counts_with_its_own_seal() -> None:
    """The turn was played again, with a token of its own; what was posted before is not what a stranger posts."""
    found = hear(post(token=OLD_TOKEN, seal=OLD_SEAL))
    assert (found.outcome, len(found.events)) == ("complete", 1)


def test_the_first_that_ends_the_matter_ends_the_hearing() -> None:
    assert hear(word(BLOCKED, "no"), post()).outcome == "gave up"
    assert hear(post(), word(BLOCKED, "no")).outcome == "complete"
    found = hear(post(payload=BAD), post())
    assert (found.outcome, [event.topic for event in found.events]) == ("complete", ["build.blocked", "build.done"])


def test_a_default_of_a_hat_needs_no_token() -> None:
    assert hear(post("escalate.human", "", origin="default", token=None, seal=None)).outcome == "waits"


def test_only_what_an_agent_newly_achieved_is_accepted() -> None:
    assert hear(post()).accepted == 1
    assert hear(post(payload=BAD)).accepted == 0, "a refusal"
    assert hear(post("task.done")).accepted == 0, "an event that was not published"
    assert hear(word(RETRY)).accepted == 0


def finding(rule: str) -> Verdict:
    found = Finding(rule=rule, severity="block", reason="no", path="a.py", line=1, column=1, snippet="")
    steps = [StepResult(name="guardrail", status="fail", reason="one finding blocks")]
    return replace(verdict(guardrail=steps[0], blocks=True), findings=(found,))


TOO_LARGE = verdict(contract_check=StepResult(name="contract_check", status="fail", reason="501 lines"))
VERDICTS: Mapping[str, tuple[Verdict, Outcome]] = {
    "PASS": (PASS, "complete"),
    "a step fails": (verdict(lint=failing("lint")), "refused"),
    "a step could not be measured": (verdict(tests=failing("tests", "could not verify: x", "error")), "refused"),
    "a finding": (finding("v2.skip"), "blocked"),
    "a finding in what judges": (finding("tree.context"), "tampered"),
    "a weaker configuration": (finding("cfg.coverage"), "tampered"),
    "a weaker configuration, to the letter of v1": (finding("v1.config"), "tampered"),
}


@pytest.mark.parametrize("case", VERDICTS)
@pytest.mark.parametrize("way", ["the claim is measured", "the completion is"])
def test_a_verdict_decides_whatever_was_claimed(case: str, way: str) -> None:
    """Also where the topic of completion has no gate, so that only the completion itself is measured."""
    given, outcome = VERDICTS[case]
    if way == "the claim is measured":
        found = hear(post(), measured=given)
        assert [claim.topic for claim in found.claims] == ["build.done"]
    else:
        against = Completion("" if given.is_terminal_pass() else "It was measured.", given)
        handler = post("LOOP_COMPLETE", "done", hat="handler")
        found = hear(handler, topology=CONFESSIONS, hat="handler", completion=against)
        assert [claim.topic for claim in found.claims] == ["LOOP_COMPLETE"]
    assert found.outcome == outcome
    assert [event.topic for event in found.events if event.claimed is None] == (
        [] if outcome != "complete" else [claim.topic for claim in found.claims]
    )
    assert outcome == "complete" or "It was measured." in "\n".join(found.told)


def test_a_contract_that_is_exceeded_is_no_finding_that_a_second_try_removes() -> None:
    exceeded = replace(TOO_LARGE, type=finding("v2.skip").type, failed_step="contract_check", findings=())
    assert hear(post(), measured=exceeded).outcome == "tampered"


SAYS_NOTHING = "I am done."
HONEST: Mapping[str, tuple[str, Verdict | None, Completion, tuple[bool, bool] | None]] = {
    "all of it holds": (BUILD, PASS, Completion(verdict=PASS, criteria=CheckState.PASS), (True, False)),
    "a criterion does not": (BUILD, PASS, Completion("no", criteria=CheckState.FAIL), (False, True)),
    "a criterion cannot be measured": (BUILD, PASS, Completion("no", criteria=CheckState.INVALID), (False, False)),
    "no criterion is a command": (BUILD, PASS, Completion(verdict=PASS), (True, False)),
    "said in words alone": (SAYS_NOTHING, PASS, Completion("no", criteria=CheckState.FAIL), (False, True)),
    "said in words alone, and tests fail": (SAYS_NOTHING, VERDICTS["a step fails"][0], Completion(), (False, True)),
    "said in words alone, and a finding": (SAYS_NOTHING, VERDICTS["a finding"][0], Completion(), (False, True)),
    "nothing fails, and something cannot be measured": (
        SAYS_NOTHING,
        VERDICTS["a step could not be measured"][0],
        Completion(),
        (False, False),
    ),
    "evidence is claimed, and a criterion holds": (
        BUILD,
        None,
        Completion(criteria=CheckState.PASS),
        (True, False),
    ),
    "evidence is claimed, and a criterion does not hold": (
        BUILD,
        None,
        Completion("no", criteria=CheckState.FAIL),
        (False, True),
    ),
    "nothing is measured": (BUILD, None, Completion(), None),
}


@pytest.mark.parametrize("case", HONEST)
def test_who_says_that_a_task_is_done_is_held_to_all_that_was_measured(case: str) -> None:
    """A claim that the verdict bears out is still no true one if the task's own criterion says otherwise."""
    payload, measured, completion, expected = HONEST[case]
    found = hear(post(payload=payload, tool="ralph_mark_task_complete"), measured=measured, completion=completion)
    assert [(claim.true, claim.contradiction) for claim in found.claims] == ([expected] if expected else [])
    assert [claim.task for claim in found.claims] == (["one"] if expected else [])


def test_a_completion_without_a_verdict_is_refused_for_its_reason() -> None:
    found = hear(post(), completion=Completion("The criterion `x` does not hold."))
    assert (found.outcome, found.reason, found.events) == ("refused", "The criterion `x` does not hold.", [])
    assert found.told == ["build.done does not count: The criterion `x` does not hold."]


LINT = frozenset({"lint"})


def refused(times: int, *, abandoned: Sequence[str] = ()) -> Standing:
    tasks = {"one": Refusals(1, times)} if times else {}
    return Standing(thrash=Thrash(tasks=tasks, abandoned=tuple(abandoned)))


THRASHING: Mapping[str, tuple[Standing, str, Outcome, Thrash]] = {
    "the first": (refused(0), BAD, "open", Thrash(tasks={"one": Refusals(1, 1)})),
    "the second": (refused(1), BAD, "open", Thrash(tasks={"one": Refusals(1, 2)})),
    "the third": (refused(2), BAD, "abandoned", Thrash(abandoned=("one",))),
    "the third task": (refused(2, abandoned="ab"), BAD, "thrashing", Thrash(abandoned=("a", "b", "one"))),
    "one that holds": (refused(2), BUILD, "complete", refused(2).thrash),
    "progress": (
        Standing(thrash=Thrash(tasks={"one": Refusals(5, 2)})),
        BAD,
        "open",
        Thrash(tasks={"one": Refusals(1, 1)}),
    ),
}


@pytest.mark.parametrize("case", THRASHING)
def test_claim_after_claim_without_progress(case: str) -> None:
    standing, payload, outcome, after = THRASHING[case]
    found = hear(post(payload=payload), standing=standing)
    assert (found.outcome, found.standing.thrash) == (outcome, after)
    assert bool(found.told) == (outcome != "complete"), "a refusal is told, whatever follows from it"


@pytest.mark.parametrize("case", ["a finding", "a finding in what judges"])
def test_a_blocked_verdict_is_not_hidden_behind_a_task_that_is_abandoned(case: str) -> None:
    given, outcome = VERDICTS[case]
    found = hear(post(), measured=given, standing=refused(2))
    assert (found.outcome, found.standing.thrash) == (outcome, refused(2).thrash)


def test_a_third_refusal_by_measuring_abandons_the_task() -> None:
    assert hear(post(), measured=verdict(lint=failing("lint")), standing=refused(2)).outcome == "abandoned"


def with_failing_tests(*names: str, **attribution: tuple[str, ...]) -> Verdict:
    """A verdict in which tests fail, and what the base's own result says of them."""
    step = StepResult(name="tests", status="fail", reason="tests: some failed", failures=names)
    return verdict(attribution=Attribution(**attribution), tests=step)


OLD = with_failing_tests("test_a", pre_existing=("tests: test_a",))
NEW_TOO = with_failing_tests("test_a", "test_b", pre_existing=("tests: test_a",), regressions=("tests: test_b",))
NO_TOOL = verdict(lint=failing("lint", "could not verify lint: no ruff", "error"))
INHERITANCE: Mapping[str, tuple[Verdict, Sequence[str], Outcome]] = {
    "the base fails in the same way": (OLD, (), "inherited"),
    "something new fails as well": (NEW_TOO, (), "refused"),
    "the same failed before anything was built": (NO_TOOL, ("lint: could not verify lint: no ruff",), "inherited"),
    "it could not be measured now, and could before": (NO_TOOL, (), "refused"),
    "another step": (NO_TOOL, ("tests: could not verify lint: no ruff",), "refused"),
    "a finding, in a base that fails": (replace(OLD, type=finding("v2.skip").type), (), "blocked"),
}


@pytest.mark.parametrize("case", INHERITANCE)
@pytest.mark.parametrize("way", ["the claim is measured", "the completion is"])
def test_failures_that_are_older_than_the_work_use_up_no_attempt(case: str, way: str) -> None:
    """A base that is red already is a person's matter, and not the agent's fault."""
    given, red, outcome = INHERITANCE[case]
    if way == "the claim is measured":
        found = hear(post(), measured=given, red=red)
    else:
        found = hear(post(), completion=Completion("It was measured.", given), red=red)
    assert found.outcome == outcome
    assert (INHERITED in found.told) == (outcome == "inherited")
    assert "It was measured." in found.told[0]


def test_a_person_is_waited_for_when_claim_after_claim_does_not_change_them() -> None:
    found = hear(post(), measured=OLD, standing=refused(2, abandoned="ab"))
    assert (found.outcome, found.reason.startswith(FOR_A_PERSON)) == ("waits", True)
    assert found.standing.thrash == Thrash(abandoned=("a", "b")), "it is no task that was abandoned"


def report(*, command: str, met: bool = True) -> str:
    return json.dumps(
        {
            "objectives": [{"objective": "x is 1", "met": met, "evidence": "a.py:1", "confidence": 90}],
            "shortcuts": [],
            "uncertainties": [],
            "easiest_issue": {"kind": "command", "command": command, "claim": "grep says so"},
            "decision": "clean" if met else "issues_found",
        }
    )


@pytest.fixture
def room(tmp_path: Path) -> Confessional:
    """Where confessions are really checked, on a file that says that x is 1."""
    root = repository(tmp_path / "project", {"a.py": "x = 1\n"})
    return Confessional(
        repo=open_repository(root), base_tree="HEAD", env={"PATH": "/usr/bin:/bin"}, level=Level.NONE, limit=80
    )


TRUE, FALSE = "grep -q 'x = 1' a.py", "grep -q 'x = 2' a.py"


def confessed(room: Confessional, payload: str, unreliable: int = 0) -> Hearing:
    said = post("confession.clean", payload, hat="confessor")
    standing = Standing(unreliable=unreliable)
    return hear(said, topology=CONFESSIONS, hat="confessor", confessional=room, standing=standing)


CHECKED: Mapping[str, tuple[str, int, str, int]] = {
    "what it names is so": (report(command=TRUE), 0, "LOOP_COMPLETE", 0),
    "what it names is not so": (report(command=FALSE), 0, "confession.requested", 1),
    "it is no report": ("all good", 1, "confession.requested", 2),
    "again and again": ("all good", 2, "escalate.human", 0),
    "a reliable one, at last": (report(command=TRUE), 2, "LOOP_COMPLETE", 0),
}


@pytest.mark.parametrize("case", CHECKED)
def test_what_a_confession_leads_to(case: str, room: Confessional) -> None:
    payload, unreliable, follows, after = CHECKED[case]
    found = confessed(room, payload, unreliable)
    assert found.standing.expected is not None
    assert (found.standing.expected.topic, found.standing.unreliable) == (follows, after)
    assert (found.outcome, [event.topic for event in found.events]) == ("open", ["confession.clean"])
    assert f"`{follows}`" in found.told[0]


def handled(room: Confessional, confession: str, *posted: Posted) -> Hearing:
    """What the handler makes of a confession."""
    standing = confessed(room, confession).standing
    return hear(*posted, topology=CONFESSIONS, hat="handler", confessional=room, standing=standing)


def test_who_handles_a_confession_publishes_what_follows_from_it(room: Confessional) -> None:
    done, again = post("LOOP_COMPLETE", "done", hat="handler"), post("fix.needed", "no", hat="handler")
    assert handled(room, report(command=TRUE), done).outcome == "complete"
    assert [event.topic for event in handled(room, report(command=TRUE), again).events] == ["fix.needed"], "stricter"
    found = handled(room, report(command=FALSE), done)
    assert (found.outcome, [event.topic for event in found.events]) == ("open", ["confession.requested"])
    assert "LOOP_COMPLETE does not follow from what Ralph found" in found.told[0]


def test_what_follows_is_published_for_a_handler_who_says_nothing(room: Confessional) -> None:
    (event,) = handled(room, report(command=FALSE)).events
    assert (event.topic, event.origin) == ("confession.requested", "ralph")


def test_a_handler_may_always_give_the_task_up(room: Confessional) -> None:
    assert handled(room, report(command=FALSE), word(BLOCKED, "I cannot.", hat="handler")).outcome == "gave up"


def test_what_is_expected_waits_for_the_hat_that_handles_it(room: Confessional) -> None:
    standing = confessed(room, report(command=FALSE)).standing
    found = hear(post(), topology=CONFESSIONS, hat="builder", standing=standing)
    assert found.standing.expected == standing.expected
