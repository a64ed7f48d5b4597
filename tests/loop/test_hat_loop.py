"""Hats at work in a run: gates, scope, completion, thrashing, confession, and every preset by its own words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ralph.agents.base import Agent
from ralph.events import bus, log
from ralph.hats.loader import available, load
from ralph.hats.model import Hat, Topology
from ralph.loop.breaker import BreakerSettings
from ralph.loop.budget import Limits
from ralph.loop.inputs import Settings
from ralph.loop.plan.model import Task, TaskStatus
from tests.loop.following import Follower, examples, way
from tests.loop.workshop import TASK, Workshop, claim, scripted
from tests.project import repository

GOOD = "tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: 5, duplication: pass"
SHORT = Settings(limits=Limits(iterations=20), breaker=BreakerSettings(stagnation=2))
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


def at_work(root: Path, topology: Topology, *turns: tuple[tuple[str, Any], ...], **more: Any) -> Workshop:
    made = Workshop(root, more.pop("play", scripted(*turns)), topology=topology, settings=SHORT, **more)
    made.plan(TASK)
    return made


def topics(shop: Workshop) -> list[str]:
    """What was published after the task was given out."""
    return [event.topic for event in shop.published][1:]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "project", {"a.py": "x = 1\n"})


def test_a_claim_that_holds_ends_the_work(root: Path) -> None:
    shop = at_work(root, ONE, claim("build.done", GOOD))
    shop.begin()
    assert (topics(shop), shop.tasks["one"].status) == (["build.done"], TaskStatus.COMPLETE)


def test_a_claim_that_fails_wakes_the_hat_again_and_says_what_to_do(root: Path) -> None:
    shop = at_work(root, ONE, claim("build.done", GOOD.replace("lint: pass", "lint: fail")), claim("build.done", GOOD))
    shop.begin()
    assert topics(shop) == ["build.blocked", "build.done"]
    refusal = shop.published[1]
    assert (refusal.claimed, "lint" in refusal.payload) == ("build.done", True)
    assert shop.tasks["one"].status is TaskStatus.COMPLETE


REFUSED: Mapping[str, tuple[str, str]] = {
    "reserved": ("task.done", "reserved"),
    "out of scope": ("review.done", "may publish: build.done"),
    "no topic": ("build done", "is no topic"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_the_door_refuses_is_told_and_not_published(root: Path, case: str) -> None:
    topic, word = REFUSED[case]
    shop = at_work(root, ONE, claim(topic, GOOD))
    state = shop.begin()
    assert (topics(shop), state.end) == ([], "limit")
    assert word in shop.view.told()[0]


def test_completion_counts_only_if_nothing_speaks_against_it(root: Path) -> None:
    """A criterion that is measured outweighs a claim that reads well."""
    shop = Workshop(root, scripted(claim("build.done", GOOD), (MEND, *claim("build.done", GOOD))), topology=ONE)
    shop.plan(replace(TASK, verification_criteria=('verify:"grep -q 2 a.py"',)))
    shop.begin()
    assert (topics(shop), shop.tasks["one"].retry_count) == (["build.done"], 1)
    assert "grep -q 2 a.py" in shop.view.told()[0]


MEND = ("replace", {"path": "a.py", "old": "x = 1", "new": "x = 2"})


def test_a_person_is_waited_for(root: Path) -> None:
    shop = at_work(root, ONE, claim("escalate.human", "Which one?"))
    state = shop.begin()
    assert (state.end, state.why) == ("waits", "Which one?")


def test_a_default_is_published_for_a_silent_turn(root: Path) -> None:
    hat = replace(ONE.hats[0], default_publishes="escalate.human")
    shop = at_work(root, replace(ONE, hats=(hat,)), (("say", "hm"),))
    assert shop.begin().end == "waits"
    assert [(event.topic, event.origin) for event in shop.published[1:]] == [("escalate.human", "default")]


def test_three_abandoned_tasks_end_the_loop(root: Path) -> None:
    shop = Workshop(root, scripted(*[claim("build.done", "tests: fail")] * 9), topology=ONE)
    shop.plan(*(Task(id=name, description=name) for name in ("one", "two", "three", "four")))
    state = shop.begin()
    assert (state.end, state.iteration) == ("limit", 9)
    assert [task.status for task in shop.tasks.values()] == [TaskStatus.BLOCKED] * 3 + [TaskStatus.PENDING]


def test_honest_slow_progress_goes_on(root: Path) -> None:
    checks = GOOD.split(", ")
    payloads = [", ".join(checks[:count]) for count in (1, 1, 2, 2, 4, 4, 7)]
    shop = Workshop(
        root,
        scripted(*(claim("build.done", payload) for payload in payloads)),
        topology=ONE,
        settings=replace(SHORT, breaker=BreakerSettings(stagnation=20)),
    )
    shop.plan(TASK)
    shop.begin()
    assert shop.tasks["one"].status is TaskStatus.COMPLETE
    assert len(topics(shop)) == 7


def test_the_log_rebuilds_the_bus(root: Path) -> None:
    shop = at_work(root, ONE, claim("build.done", "tests: fail"), claim("build.done", GOOD))
    site = shop.site
    shop.begin()
    events, _ = log.read(root / log.LOG)
    assert bus.replay(ONE.hats, events) == site.published.bus()


@pytest.mark.parametrize("name", sorted(available()))
def test_who_follows_a_presets_words_comes_to_its_end(name: str, root: Path) -> None:
    """With real `ralph emit` processes; the gates read what the instructions show."""
    topology = load(name)
    (root / "tests").mkdir()
    (root / "tests" / "test_total.py").write_text("def test_total() -> None:\n    pass\n")
    playing = way(topology)
    hats = tuple(replace(hat, agent=hat.id) for hat in topology.hats)
    followers = {hat.id: Follower(examples(hat)[playing[hat.id]]) for hat in hats if hat.id in playing}

    def play(who: str) -> Agent:
        return followers[who if who in followers else next(iter(followers))]

    shop = at_work(root, replace(topology, hats=hats), play=play)
    shop.begin()
    assert shop.tasks["one"].status is TaskStatus.COMPLETE, shop.view.told()
    assert all(follower.prompts for follower in followers.values())


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
    shop = at_work(root, load("confession-loop"), *turns)
    state = shop.begin()
    found = "complete" if shop.tasks["one"].status is TaskStatus.COMPLETE else ENDS[state.end or ""]
    assert (topics(shop)[: len(expected)], found) == (expected, ending)


ENDS = {"limit": "stalled", "waits": "waits for a person"}
