"""The door: one way in for every origin, and no way around it (research: the bypasses of the first implementation)."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.events import tokens
from ralph.events.bus import COORDINATOR
from ralph.events.door import LARGEST_PAYLOAD, Admitted, Emission, Measurement, Refused, Rules, admit, examine
from ralph.events.model import CheckState, GateDecision, Origin, Outcome, Reading
from ralph.events.topics import is_reserved, matches
from tests.events.situation import BUILD, HATS, QUALITY, REVIEW, SEAL, TOKEN, TURN, rules

CLAIMS = {"build.done": BUILD, "review.done": REVIEW, "verify.passed": QUALITY}
REFUSALS = {"build.done": "build.blocked", "review.done": "review.blocked", "verify.passed": "verify.failed"}
ORIGINS = get_args(Origin)
GOOD = Measurement(holds=True, readings={"tests": Reading(state=CheckState.PASS)}, tree="t" * 40)
BAD = Measurement(
    holds=False, readings={"tests": Reading(state=CheckState.FAIL, text="fail", reason="3 of 40 fail")}, tree="t" * 40
)


def emission(topic: str, payload: str = "", *, origin: Origin = "agent", hat: str | None = "builder") -> Emission:
    return replace(TURN.emission(topic, payload, TOKEN), origin=origin, hat=hat)


def admitted(found: Admitted | Refused) -> Admitted:
    assert isinstance(found, Admitted), found
    return found


def refused(found: Admitted | Refused) -> Refused:
    assert isinstance(found, Refused), found
    assert found.message.count("\n") == 0
    assert found.message.endswith(".")
    return found


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("topic", CLAIMS)
def test_a_good_claim_is_accepted_from_every_origin(topic: str, origin: Origin) -> None:
    found = admitted(admit(emission(topic, CLAIMS[topic], origin=origin), rules("claimed")))
    assert (found.event.topic, found.event.payload, found.event.claimed) == (topic, CLAIMS[topic], None)
    assert (found.event.origin, found.event.agent, found.event.model) == (origin, "scripted", "m-1")
    assert (found.event.task, found.event.iteration) == ("t1", 3)


@pytest.mark.parametrize("payload", ["it works", "tests: fail", '{"wave_id": "w-1", "tests": "fail"}'])
@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("topic", CLAIMS)
def test_no_origin_passes_the_gate_without_evidence(topic: str, origin: Origin, payload: str) -> None:
    for evidence in ("measured", "claimed"):
        found = admitted(admit(emission(topic, payload, origin=origin), rules(evidence), lambda *_: GOOD))
        assert (found.event.topic, found.event.claimed, found.rewritten) == (REFUSALS[topic], topic, True)
        assert found.event.payload == found.decision.message != ""


@pytest.mark.parametrize("topic", CLAIMS)
def test_a_silent_turn_is_success_only_where_evidence_is_claimed(topic: str) -> None:
    silent = emission(topic, " \n", origin="default")
    assert admitted(admit(silent, rules("claimed"))).event.topic == topic
    assert admitted(admit(silent, rules("measured"), lambda *_: GOOD)).event.topic == REFUSALS[topic]


@pytest.mark.parametrize("origin", [each for each in ORIGINS if each != "default"])
def test_only_a_default_may_be_silent(origin: Origin) -> None:
    assert admitted(admit(emission("build.done", "", origin=origin), rules("claimed"))).event.topic == "build.blocked"


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_measurement_outweighs_the_claim_from_every_origin(origin: Origin) -> None:
    claim = emission("build.done", BUILD, origin=origin)
    kept = admitted(admit(claim, rules("measured"), lambda *_: GOOD))
    assert (kept.event.topic, kept.measurement) == ("build.done", GOOD)
    lost = admitted(admit(claim, rules("measured"), lambda *_: BAD))
    assert (lost.event.topic, lost.event.claimed, lost.decision.outcome) == (
        "build.blocked",
        "build.done",
        Outcome.FAILED,
    )
    assert lost.decision.failed == ("tests",)
    assert lost.read.outcome is Outcome.ACCEPTED
    for word in ("tests", "claimed `pass`", "measured `fail`", "3 of 40 fail"):
        assert word in lost.event.payload


def test_bad_readings_outweigh_a_measurement_that_calls_itself_good() -> None:
    found = admitted(admit(emission("build.done", BUILD), rules("measured"), lambda *_: replace(BAD, holds=True)))
    assert found.event.topic == "build.blocked"


def test_a_verdict_can_refuse_what_no_check_names() -> None:
    blocked = Measurement(holds=False, message="A guardrail blocks: src/a.py:3 skips a test.")
    found = admitted(admit(emission("build.done", BUILD), rules("measured"), lambda *_: blocked))
    assert (found.event.topic, found.decision.outcome) == ("build.blocked", Outcome.FAILED)
    assert "src/a.py:3 skips a test." in found.event.payload
    bare = admitted(admit(emission("build.done", BUILD), rules("measured"), lambda *_: Measurement(holds=False)))
    assert "does not hold" in bare.event.payload


def test_without_a_way_to_measure_a_claim_is_not_believed() -> None:
    assert refused(admit(emission("build.done", BUILD), rules("measured"))).objection == "unmeasured"


def test_only_an_accepted_claim_is_measured() -> None:
    asked: list[GateDecision] = []

    def measure(_: Emission, decision: GateDecision) -> Measurement:
        asked.append(decision)
        return GOOD

    for topic, payload in (("build.done", "tests: fail"), ("build.blocked", "x"), ("docs.done", BUILD)):
        admit(emission(topic, payload), rules("measured"), measure)
    admit(emission("human.x"), rules("measured"), measure)
    assert asked == []


@pytest.mark.parametrize(
    "topic", ["human.guidance.ack", "human.response", "loop.handled", "task.close", "build.task", "Human.x"]
)
def test_reserved_topics(topic: str) -> None:
    for origin in ("agent", "default"):
        for hat in ("builder", "confessor", COORDINATOR):
            found = refused(admit(emission(topic, origin=origin, hat=hat), rules()))
            assert found.objection == "reserved"
            assert topic in found.message
    for origin in ("human", "ralph", "replay"):
        assert admitted(admit(emission(topic, origin=origin), rules())).event.topic == topic  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hat", "topic", "fits"),
    [
        ("builder", "build.blocked", True),
        ("builder", "docs.written", True),
        ("builder", "docs.a.b", False),
        ("builder", "confession.clean", False),
        ("builder", "LOOP_COMPLETE", False),
        ("confessor", "confession.clean", True),
        ("confessor", "build.done", False),
        ("confessor", "build.blocked", False),
        ("handler", "LOOP_COMPLETE", True),
        ("handler", "verify.failed", False),
        (COORDINATOR, "LOOP_COMPLETE", True),
        (COORDINATOR, "build.blocked", True),
        (COORDINATOR, "unheard.of", False),
        (None, "unheard.of", False),
        ("nobody", "build.done", False),
        ("Builder", "build.done", False),
    ],
)
def test_a_hat_publishes_only_what_it_declares(hat: str | None, topic: str, fits: bool) -> None:
    found = admit(emission(topic, hat=hat), rules())
    assert isinstance(found, Admitted) is fits
    if not fits:
        assert refused(found).objection == "scope"


def test_a_star_declares_nothing() -> None:
    found = refused(admit(emission("anything", hat="confessor"), rules()))
    assert found.message == (
        "The hat confessor does not publish anything; it may publish: confession.clean, confession.issues_found."
    )


@pytest.mark.parametrize(
    ("token", "word"),
    [
        (None, "no token"),
        ("", "no token"),
        (tokens.mint(2)[0], "that of iteration 2"),
        (tokens.mint(3)[0], "not that of this iteration"),
        (TOKEN + "x", "not that of this iteration"),
        (TOKEN.upper(), "not that of this iteration"),
        ("3." + "a" * 43, "not that of this iteration"),
        ("\udcff", "not that of this iteration"),
    ],
    ids=["none", "empty", "stale", "another", "longer", "upper case", "guessed", "no text"],
)
def test_tokens(token: str | None, word: str) -> None:
    found = refused(admit(replace(emission("build.done", BUILD), token=token), rules()))
    assert found.objection == "token"
    assert word in found.message
    assert token is None or len(token) < 5 or token not in repr(found)


def test_without_a_turn_no_token_is_good() -> None:
    assert refused(admit(emission("build.done", BUILD), Rules(hats=HATS))).objection == "token"


@pytest.mark.parametrize("topic", ["", "a b", "build.*", "*", "build.done\n", "ｂuild.done", "a" * 201, "\x1b[31m.x"])
def test_what_is_no_topic(topic: str) -> None:
    for origin in ORIGINS:
        found = refused(admit(emission(topic, origin=origin), rules()))
        assert found.objection == "topic"
        assert "\x1b" not in found.message


def test_the_size_of_a_payload_is_that_of_its_bytes() -> None:
    fits = "ü" * (LARGEST_PAYLOAD // 2)
    assert admitted(admit(emission("build.blocked", fits), rules())).event.payload == fits
    assert refused(admit(emission("build.blocked", fits + "x"), rules())).objection == "payload"


def test_bytes_that_are_no_text_are_written_out() -> None:
    assert admitted(admit(emission("build.blocked", "a\udcffb"), rules())).event.payload == "a\\udcffb"


def test_what_was_judged_is_what_is_published() -> None:
    """No text turns into another one between the gate and the event."""
    payload = BUILD.replace("tests: pass", "te\udcffsts: pass")
    found = admitted(admit(emission("build.done", payload), rules()))
    assert (found.event.topic, found.decision.checks["tests"].state) == ("build.blocked", CheckState.ABSENT)


@given(st.sampled_from(["build.done", "docs.x", "human.x", "x", "LOOP_COMPLETE", "build.task"]) | st.text(), st.text())
def test_whatever_an_agent_sends_what_comes_out_was_declared(topic: str, payload: str) -> None:
    found = examine(emission(topic, payload), rules())
    if isinstance(found, Admitted):
        assert not is_reserved(topic)
        assert any(matches(pattern, topic) for pattern in HATS[0].publishes)
        assert found.event.topic in (topic, REFUSALS.get(topic))


def test_a_seal_does_not_hold_its_token() -> None:
    assert TOKEN not in repr(SEAL)
    assert len({tokens.mint(1)[0] for _ in range(100)}) == 100


CALLED = "ralph_mark_task_complete"


@pytest.mark.parametrize("payload", ["", "all tests pass"])
def test_a_call_for_completion_needs_no_evidence_where_it_is_measured(payload: str) -> None:
    call = replace(emission("build.done", payload), tool=CALLED)
    assert admitted(admit(call, rules("measured"), lambda *_: GOOD)).event.topic == "build.done"
    assert admitted(admit(call, rules("measured"), lambda *_: BAD)).event.topic == "build.blocked"
    assert refused(admit(call, rules("measured"))).objection == "unmeasured"
    assert admitted(admit(call, rules("claimed"))).event.topic == "build.blocked"


def test_a_call_that_says_itself_that_something_fails_is_taken_at_its_word() -> None:
    call = replace(emission("build.done", "tests: fail"), tool=CALLED)
    assert admitted(admit(call, rules("measured"), lambda *_: GOOD)).event.topic == "build.blocked"


@pytest.mark.parametrize(
    ("topic", "tool"), [("review.done", CALLED), ("verify.passed", CALLED), ("build.done", "ralph_emit")]
)
def test_the_name_of_a_tool_is_no_evidence_for_what_is_not_measured_as_a_whole(topic: str, tool: str) -> None:
    """An agent can write the line of its inbox itself: with a tool's name, and without a mutation score."""
    forged = replace(emission(topic), tool=tool)
    found = admitted(admit(forged, rules("measured"), lambda *_: GOOD))
    assert (found.event.topic, found.rewritten) == (REFUSALS[topic], True)
