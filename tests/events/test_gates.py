"""The three gates, what they tell an agent that they refuse, and what a measurement changes (spec: events)."""

from __future__ import annotations

import pytest

from ralph.events.gates import BUILTIN, decide, refused
from ralph.events.model import CheckState, GateDecision, Outcome, Reading

BUILD = "tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: 5, duplication: pass"
REVIEW = "tests: pass, build: pass"
QUALITY = (
    "quality.tests: pass, quality.lint: pass, quality.audit: pass, quality.coverage: 85, quality.mutation: 75, "
    "quality.complexity: 6"
)
PAYLOADS = {"build.done": BUILD, "review.done": REVIEW, "verify.passed": QUALITY}
REFUSALS = {"build.done": "build.blocked", "review.done": "review.blocked", "verify.passed": "verify.failed"}
FAIL = Reading(state=CheckState.FAIL, text="2 of 40 tests fail")


@pytest.mark.parametrize("topic", PAYLOADS)
def test_a_full_claim_is_accepted(topic: str) -> None:
    for payload in (PAYLOADS[topic], PAYLOADS[topic].replace(", ", "\n")):
        decision = decide(topic, payload)
        assert (decision.outcome, decision.publishes, decision.failed) == (Outcome.ACCEPTED, topic, ())


@pytest.mark.parametrize(
    ("topic", "pair"), [(topic, pair) for topic, payload in PAYLOADS.items() for pair in payload.split(", ")]
)
def test_each_required_check_refuses_when_it_is_absent_invalid_or_bad(topic: str, pair: str) -> None:
    name, value = pair.split(": ")
    bad = "fail" if value == "pass" else "1000" if "complexity" in name else "3"
    states = {"": "absent", f"{name}: great": "invalid", f"{name}: {bad}": "fail"}
    for written, state in states.items():
        decision = decide(topic, PAYLOADS[topic].replace(pair, written))
        assert (decision.outcome, decision.publishes) == (Outcome.FAILED, REFUSALS[topic])
        assert decision.failed == (name,)
        assert decision.checks[name].state == state


@pytest.mark.parametrize(
    ("topic", "line", "outcome"),
    [
        ("build.done", "performance: pass", "accepted"),
        ("build.done", "performance: regression", "failed"),
        ("build.done", "specs: pass", "accepted"),
        ("build.done", "specs: fail", "failed"),
        ("build.done", "specs: not met", "failed"),
        ("build.done", "mutants: pass (82%)", "accepted"),
        ("build.done", "mutants: fail", "accepted"),
        ("build.done", "quality.tests: fail", "accepted"),
        ("review.done", "lint: fail", "accepted"),
        ("verify.passed", "quality.specs: pass", "accepted"),
        ("verify.passed", "quality.specs: fail", "failed"),
        ("verify.passed", "quality.typecheck: fail", "accepted"),
    ],
)
def test_optional_and_unknown_checks(topic: str, line: str, outcome: str) -> None:
    assert decide(topic, f"{PAYLOADS[topic]}\n{line}").outcome == outcome


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [("coverage", "80", "79.99"), ("mutation", "70%", "69.99%"), ("complexity", "10.0", "10.01")],
)
def test_floors(check: str, good: str, bad: str) -> None:
    def claim(value: str) -> GateDecision:
        pairs = dict(pair.split(": ") for pair in QUALITY.split(", ")) | {f"quality.{check}": value}
        return decide("verify.passed", "\n".join(f"{name}: {value}" for name, value in pairs.items()))

    assert claim(good).outcome == "accepted"
    assert claim(bad).failed == (f"quality.{check}",)


@pytest.mark.parametrize(
    "topic", ["build.complete", "BUILD.DONE", "build.done ", "verify.pass", "confession.clean", ""]
)
def test_only_exact_topics_are_gated(topic: str) -> None:
    decision = decide(topic, "tests: fail")
    assert (decision.outcome, decision.publishes, decision.checks) == (Outcome.UNGATED, topic, {})
    assert "build.done, review.done, verify.passed" in decision.message


def test_a_refusal_says_check_by_check_what_was_claimed_what_must_be_and_what_to_do() -> None:
    payload = QUALITY.replace("85", "62%").replace("quality.lint: pass", "quality.lint: passed").replace(
        ", quality.audit: pass", ""
    )  # fmt: skip
    decision = decide("verify.passed", payload)
    head, audit, coverage, lint, again = decision.message.splitlines()
    assert head == "verify.passed was refused, verify.failed is published instead. What does not hold:"
    assert audit.startswith(
        "- quality.audit: absent, nothing was claimed; it must be `pass`. Run it, and add `quality."
    )
    assert coverage.startswith("- quality.coverage: failed, claimed `62%`; it must be at least 80%. Repair it and run")
    assert lint.startswith(
        "- quality.lint: invalid, claimed `passed`; it must be exactly `pass` or `fail`, with at most"
    )
    assert again.endswith(
        'ralph emit "verify.passed" "quality.tests: pass, quality.lint: pass, quality.audit: pass, quality.coverage: '
        '<percent>, quality.mutation: <percent>, quality.complexity: <number>"'
    )


def test_no_evidence_is_told_apart_from_evidence_that_does_not_hold() -> None:
    missing, failed = decide("review.done", "LGTM"), decide("review.done", "tests: fail")
    assert (missing.outcome, failed.outcome) == (Outcome.MISSING, Outcome.FAILED)
    assert "holds no evidence" in missing.message
    assert "holds no evidence" not in failed.message


@pytest.mark.parametrize(
    "payload",
    [
        "**tests: pass**\n**build: pass**",
        "**tests**: pass\n**build**: pass",
        "| tests | pass |\n| build | pass |",
        "| tests: pass |",
        "`tests: pass`",
        "```tests: pass```",
        '"tests": "pass"',
        '{"review": {"tests": "pass"}}',
        "**Tests:** pass",
    ],
)
def test_evidence_in_a_dress_must_be_sent_bare(payload: str) -> None:
    decision = decide("review.done", payload)
    assert decision.outcome is Outcome.MISSING
    assert "send it bare" in decision.message


def test_the_hint_is_not_given_where_it_does_not_help() -> None:
    assert "send it bare" not in decide("review.done", "**LGTM** | all `good`").message
    assert "send it bare" not in decide("review.done", "tests: pass, build: fail").message


def test_lines_within_a_code_fence_stand_bare() -> None:
    assert decide("review.done", "```\ntests: pass\nbuild: pass\n```").outcome is Outcome.ACCEPTED


def test_what_is_quoted_is_short_and_plain() -> None:
    message = decide("review.done", f"tests: {'x' * 5000}\nbuild: a\u202eb\x1b").message
    assert len(message) < 1000
    assert message.replace("\n", "").isprintable()


# --- a measurement


def test_a_measurement_that_contradicts_refuses_the_claim() -> None:
    claimed = decide("build.done", BUILD)
    decision = refused(claimed, measured={"tests": FAIL, "lint": Reading(state=CheckState.PASS)})
    assert (decision.outcome, decision.publishes, decision.failed) == (Outcome.FAILED, "build.blocked", ("tests",))
    assert (
        "- tests: contradicted, claimed `pass`, measured `2 of 40 tests fail`; it must be `pass`." in decision.message
    )


def test_what_could_not_be_measured_is_not_good() -> None:
    unknown = Reading(state=CheckState.INVALID, reason="pytest is missing")
    decision = refused(decide("review.done", REVIEW), measured={"tests": unknown})
    assert decision.failed == ("tests",)
    assert "could not be measured (pytest is missing)" in decision.message


def test_a_measured_number_stands_beside_the_claimed_one() -> None:
    measured = {"quality.coverage": Reading(state=CheckState.FAIL, value=41.5)}
    message = refused(decide("verify.passed", QUALITY), measured=measured).message
    assert "claimed `85`, measured `41.5`; it must be at least 80%" in message


@pytest.mark.parametrize(
    "measured", [{}, {"tests": Reading(state=CheckState.PASS)}, {"mutants": FAIL}, {"other": FAIL}]
)
def test_an_accepted_claim_that_is_not_contradicted_stands(measured: dict[str, Reading]) -> None:
    claimed = decide("build.done", BUILD)
    assert refused(claimed, measured=measured) is claimed


def test_no_measurement_repairs_a_refused_claim() -> None:
    claimed = decide("review.done", "tests: fail, build: pass")
    decision = refused(claimed, measured={"tests": Reading(state=CheckState.PASS, text="40 tests"), "build": FAIL})
    assert (decision.publishes, decision.failed) == ("review.blocked", ("build", "tests"))
    assert "- tests: failed, claimed `fail`, measured `40 tests`" in decision.message


def test_an_ungated_event_stays_ungated() -> None:
    claimed = decide("feature.done", "")
    assert refused(claimed, measured={"tests": FAIL}) is claimed


def test_the_table_of_gates_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        BUILTIN["build.done"] = BUILTIN["review.done"]  # type: ignore[index]
