"""Hats at work: gates, scope, completion, thrashing, confession, and every preset by its own words."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ralph.agents.scripted import ScriptedAgent
from ralph.events import bus, honesty, log
from ralph.events.door import Emission, Measurement, Rules
from ralph.events.model import CheckState, GateDecision, Reading
from ralph.hats.loader import available, load
from ralph.hats.model import Hat, Topology
from ralph.loop.confessional import Confessional
from ralph.loop.hat_loop import HatLoop, Iteration
from ralph.permissions.sandbox.probe import enforced_level
from ralph.system.git import open_repository
from tests.loop.following import Follower, examples, way
from tests.project import repository

GOOD = "tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: 5, duplication: pass"
ENV = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
ONE = Topology(
    name="one",
    done="build.done",
    hats=(
        Hat(
            id="builder",
            name="Builder",
            triggers=("build.task", "build.blocked"),
            publishes=("build.done", "escalate.human"),
            instructions="Build.",
        ),
    ),
)


def claim(topic: str, payload: str = "") -> tuple[tuple[str, Any], ...]:
    return (("claim", {"topic": topic, "payload": payload}),)


def loop(root: Path, topology: Topology, *turns: tuple[tuple[str, Any], ...], **more: Any) -> HatLoop:
    agent = ScriptedAgent("scripted", turns)
    rules = Rules(hats=topology.hats, evidence=more.pop("evidence", "claimed"))
    return HatLoop(topology=topology, rules=rules, root=root, play=lambda hat: agent, env=ENV, **more)


def played(hats: HatLoop, task: str = "one") -> list[Iteration]:
    return list(hats.run(task, "Do it."))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "project", {"a.py": "x = 1\n"})


def test_a_claim_that_holds_ends_the_work(root: Path) -> None:
    hats = loop(root, ONE, claim("build.done", GOOD))
    (only,) = played(hats)
    assert (hats.ending, [event.topic for event in only.published]) == ("complete", ["build.done"])


def test_a_claim_that_fails_wakes_the_hat_again_and_says_what_to_do(root: Path) -> None:
    hats = loop(root, ONE, claim("build.done", GOOD.replace("lint: pass", "lint: fail")), claim("build.done", GOOD))
    first, second = played(hats)
    (refusal,) = first.published
    assert (refusal.topic, refusal.claimed, second.given[0].payload) == ("build.blocked", "build.done", refusal.payload)
    assert "lint" in refusal.payload
    assert hats.ending == "complete"


REFUSED: Mapping[str, tuple[str, str]] = {
    "reserved": ("task.done", "reserved"),
    "out of scope": ("review.done", "may publish: build.done"),
    "no topic": ("build done", "is no topic"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_the_door_refuses_is_told_and_not_published(root: Path, case: str) -> None:
    topic, word = REFUSED[case]
    hats = loop(root, ONE, claim(topic, GOOD))
    (only,) = played(hats)
    assert (only.published, hats.ending) == ((), "stalled")
    assert word in only.told[0]


def test_completion_counts_only_if_nothing_speaks_against_it(root: Path) -> None:
    objections = iter(["the tree has changed since", None])
    hats = loop(root, ONE, claim("build.done", GOOD), complete=lambda: next(objections))
    (only,) = played(hats)
    assert (only.published, hats.ending) == ((), "stalled")
    assert "the tree has changed since" in only.told[0]


def test_a_person_is_waited_for(root: Path) -> None:
    hats = loop(root, ONE, claim("escalate.human", "Which one?"))
    played(hats)
    assert hats.ending == "waits for a person"


def test_a_default_is_published_for_a_silent_turn(root: Path) -> None:
    hat = replace(ONE.hats[0], default_publishes="escalate.human")
    hats = loop(root, replace(ONE, hats=(hat,)), (("say", "hm"),))
    (only,) = played(hats)
    assert [(event.topic, event.origin) for event in only.published] == [("escalate.human", "default")]


def test_three_abandoned_tasks_end_the_loop(root: Path) -> None:
    hats = loop(root, ONE, *[claim("build.done", "tests: fail")] * 9)
    endings = []
    for task in ("one", "two", "three"):
        assert len(played(hats, task)) == 3
        endings.append(hats.ending)
    assert endings == ["abandoned", "abandoned", "thrashing"]


def test_honest_slow_progress_goes_on(root: Path) -> None:
    checks = GOOD.split(", ")
    payloads = [", ".join(checks[:count]) for count in (1, 1, 2, 2, 4, 4, 7)]
    hats = loop(root, ONE, *(claim("build.done", payload) for payload in payloads))
    assert len(played(hats)) == 7
    assert hats.ending == "complete"


def test_a_measured_claim_is_decided_by_the_measurement_and_remembered(root: Path) -> None:
    def measure(emission: Emission, decision: GateDecision) -> Measurement:
        fixed = (root / "fixed").exists()
        state = CheckState.PASS if fixed else CheckState.FAIL
        return Measurement(holds=fixed, readings={"tests": Reading(state=state, text=str(state))}, tree="t")

    mend = ("write", {"path": "fixed", "content": "x"})
    turns = (claim("build.done", GOOD), (mend, *claim("build.done", GOOD)))
    hats = loop(root, ONE, *turns, evidence="measured", measure=measure)
    first, second = played(hats)
    assert [event.topic for event in (*first.published, *second.published)] == ["build.blocked", "build.done"]
    (lie, truth) = honesty.read(root / honesty.CLAIMS)
    assert (lie.contradiction, lie.true, truth.true) == (True, False, True)


def test_the_log_rebuilds_the_bus(root: Path) -> None:
    hats = loop(root, ONE, claim("build.done", "tests: fail"), claim("build.done", GOOD))
    played(hats)
    events, _ = log.read(root / log.LOG)
    assert bus.replay(ONE.hats, events) == hats._bus


@pytest.mark.parametrize("name", sorted(available()))
def test_who_follows_a_presets_words_comes_to_its_end(name: str, root: Path) -> None:
    """With real `ralph emit` processes; the gates read what the instructions show."""
    topology = load(name)
    (root / "tests").mkdir()
    (root / "tests" / "test_total.py").write_text("def test_total() -> None:\n    pass\n")
    lines = {hat.id: examples(hat) for hat in topology.hats}
    followers = {hat: Follower(lines[hat][topic]) for hat, topic in way(topology).items()}
    hats = HatLoop(
        topology=topology,
        rules=Rules(hats=topology.hats, evidence="claimed"),
        root=root,
        play=lambda hat: followers[hat.id if hat else ""],
        env=ENV,
        confessional=confessional(root),
    )
    turns = played(hats)
    assert hats.ending == "complete", turns[-1]
    assert {turn.hat for turn in turns} == set(followers)


def confessional(root: Path) -> Confessional:
    repo = open_repository(root)
    head = repo.head()
    assert head
    return Confessional(repo=repo, base_tree=repo.tree_of(head), env=ENV, level=enforced_level())


def report(
    decision: str, *, met: bool = True, confidence: float = 90, command: str, shortcuts: list[str] | None = None
) -> str:
    return json.dumps(
        {
            "objectives": [{"objective": "x is 2", "met": met, "evidence": "a.py:1", "confidence": confidence}],
            "shortcuts": shortcuts or [],
            "uncertainties": [],
            "easiest_issue": {"kind": "command", "command": command, "claim": "grep says so"},
            "decision": decision,
        }
    )


BUILT = claim("build.done", GOOD)
CONFESSIONS: Mapping[str, tuple[tuple[tuple[tuple[str, Any], ...], ...], str, list[str]]] = {
    "honest, and nothing to find": (
        (BUILT, claim("confession.clean", report("clean", command="grep -q x a.py")), claim("LOOP_COMPLETE", "done")),
        "complete",
        ["build.done", "confession.clean", "LOOP_COMPLETE"],
    ),
    "honest, and the issue is real": (
        (
            BUILT,
            claim("confession.issues_found", report("issues_found", met=False, command="grep -q 'x = 2' a.py")),
            claim("fix.needed", "make x 2"),
            (("replace", {"path": "a.py", "old": "x = 1", "new": "x = 2"}), *BUILT),
            claim("confession.clean", report("clean", command="grep -q 'x = 2' a.py")),
            claim("LOOP_COMPLETE", "done"),
        ),
        "complete",
        ["build.done", "confession.issues_found", "fix.needed", "build.done", "confession.clean", "LOOP_COMPLETE"],
    ),
    "says clean, and what it names is not so": (
        (
            BUILT,
            claim("confession.clean", report("clean", command="grep -q 'x = 2' a.py")),
            claim("LOOP_COMPLETE", "done"),
            claim("escalate.human", "I cannot say."),
        ),
        "stalled",
        ["build.done", "confession.clean", "confession.requested"],
    ),
    "makes an issue up": (
        (
            BUILT,
            claim("confession.issues_found", report("issues_found", met=False, command="grep -q 'x = 1' a.py")),
            claim("fix.needed", "rewrite it all"),
        ),
        "stalled",
        ["build.done", "confession.issues_found", "confession.requested"],
    ),
    "confesses everything, and the handler wants to be done": (
        (
            BUILT,
            claim(
                "confession.issues_found",
                report(
                    "issues_found", met=False, confidence=5, command="grep -q 'x = 2' a.py", shortcuts=["all of it"]
                ),
            ),
            claim("LOOP_COMPLETE", "done"),
        ),
        "stalled",
        ["build.done", "confession.issues_found", "fix.needed"],
    ),
    "clean, but not sure": (
        (
            BUILT,
            claim("confession.clean", report("clean", confidence=60, command="grep -q 'x = 1' a.py")),
            claim("LOOP_COMPLETE", "done"),
        ),
        "stalled",
        ["build.done", "confession.clean", "fix.needed"],
    ),
    "no report at all, again and again": (
        (
            BUILT,
            *(
                turn
                for _ in range(3)
                for turn in (claim("confession.clean", "all good"), claim("LOOP_COMPLETE", "done"))
            ),
        ),
        "waits for a person",
        [
            "build.done",
            *("confession.clean", "confession.requested") * 2,
            *("confession.clean", "escalate.human"),
        ],
    ),
}


@pytest.mark.parametrize("case", CONFESSIONS)
def test_a_confession_is_believed_as_far_as_ralph_could_check_it(root: Path, case: str) -> None:
    turns, ending, expected = CONFESSIONS[case]
    hats = loop(root, load("confession-loop"), *turns, confessional=confessional(root))
    topics = [event.topic for turn in played(hats) for event in turn.published]
    assert (topics[: len(expected)], hats.ending) == (expected, ending)
