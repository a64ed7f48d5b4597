"""The `gates` section of `ralph.yml`: it may ask for more, never for less (design decision 15)."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from ralph.errors import ConfigError
from ralph.events.gate_settings import configured
from ralph.events.gates import BUILTIN, decide

BUILD = "tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: 9, duplication: pass"


def gates(text: str) -> Any:
    return configured(yaml.safe_load(text))


def test_nothing_configured_leaves_the_built_in_gates() -> None:
    assert configured({}) == BUILTIN


@pytest.mark.parametrize(
    ("text", "payload", "failed"),
    [
        ("build.done: {checks: {complexity: {at_most: 8}}}", BUILD, ("complexity",)),
        ("build.done: {checks: {complexity: {at_most: 9}}}", BUILD, ()),
        ("build.done: {checks: {specs: {required: true}}}", BUILD, ("specs",)),
        ("build.done: {checks: {docs: {kind: percent, at_least: 90}}}", BUILD, ("docs",)),
        ("build.done: {checks: {docs: {kind: percent, at_least: 90}}}", BUILD + ", docs: 90%", ()),
        ("build.done: {checks: {docs: {required: false}}}", BUILD, ()),
        ("build.done: {checks: {docs: {required: false}}}", BUILD + ", docs: fail", ("docs",)),
        ("build.done: {refusal: build.blocked}", BUILD, ()),
        ("build.done: {}", BUILD, ()),
    ],
)
def test_a_built_in_gate_may_ask_for_more(text: str, payload: str, failed: tuple[str, ...]) -> None:
    decision = decide("build.done", payload, gates(text))
    assert decision.failed == failed
    assert decision.publishes == ("build.blocked" if failed else "build.done")


def test_a_raised_floor_stands_in_the_refusal() -> None:
    found = gates("verify.passed: {checks: {quality.coverage: {at_least: 92.5}}}")
    assert "at least 92.5%" in decide("verify.passed", "quality.coverage: 92", found).message


def test_a_further_topic() -> None:
    found = gates("feature.done: {checks: {tests: {}, latency: {kind: number, at_least: 1, at_most: 5}}}")
    assert decide("feature.done", "tests: pass, latency: 3", found).outcome == "accepted"
    assert decide("feature.done", "tests: pass, latency: 0.5", found).publishes == "feature.blocked"
    assert "at least 1 and at most 5" in decide("feature.done", "latency: 6", found).message
    assert decide("feature.done", "", found).outcome == "missing"
    assert decide("build.done", BUILD, found).outcome == "accepted"


def test_a_topic_of_one_segment_and_a_refusal_of_ones_own() -> None:
    assert gates("shipped: {checks: {tests: {}}}")["shipped"].refusal == "shipped.blocked"
    assert gates("shipped: {refusal: ship.failed, checks: {tests: {}}}")["shipped"].refusal == "ship.failed"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("verify.passed: {checks: {quality.coverage: {at_least: 79.9}}}", "'at_least' is 79.9, but the floor is 80"),
        ("verify.passed: {checks: {quality.mutation: {at_least: 0}}}", "'at_least' is 0, but the floor is 70"),
        ("build.done: {checks: {complexity: {at_most: 11}}}", "'at_most' is 11, but the limit is 10"),
        ("build.done: {checks: {complexity: {at_most: .inf}}}", "must be a number of at most"),
        ("build.done: {checks: {complexity: {at_most: -1}}}", "is a number that is not negative"),
        ("build.done: {checks: {tests: {required: false}}}", "cannot be made optional"),
        ("build.done: {checks: {complexity: {kind: pass}}}", "is 'number' and cannot be changed"),
        ("build.done: {checks: {tests: {at_least: 1}}}", "only the kinds 'percent' and 'number' have limits"),
        ("build.done: {checks: {perf: {required: true}}}", "another name of 'performance'"),
        ("build.done: {checks: {mutants: {required: true}}}", "only warns and cannot be required"),
        ("build.done: {refusal: build.done2}", "always refused as build.blocked"),
        ("build.done: {checks: {docs: {kind: prose}}}", "'gates.build.done.checks.docs.kind' must be 'pass' or"),
        ("build.done: {checks: {docs: {kind: percent, at_least: 101}}}", "is a number from 0 to 100"),
        ("build.done: {checks: {docs: {kind: number, at_least: 5, at_most: 4}}}", "no value would do"),
        ("build.done: {checks: {Docs: {}}}", "lower-case words"),
        ("build.done: {checks: {'a:b': {}}}", "lower-case words"),
        ("build.done: {checks: {docs: {must: true}}}", "unknown key"),
        ("build.done: {optional: true}", "unknown key"),
        ("build.done: [tests]", "must be a mapping"),
        ("feature.done: {}", "no check that is required"),
        ("feature.done: {checks: {tests: {required: false}}}", "no check that is required"),
        ("'feature.*': {checks: {tests: {}}}", "is no topic"),
        ("feature.done: {refusal: 'a b', checks: {tests: {}}}", "is no topic"),
        ("feature.done: {refusal: feature.done, checks: {tests: {}}}", "is gated itself"),
        ("feature.done: {refusal: build.done, checks: {tests: {}}}", "is gated itself"),
        ("feature.done: {refusal: task.failed, checks: {tests: {}}}", "is reserved"),
        ("human.approved: {checks: {tests: {}}}", "is reserved"),
        ("build.task: {checks: {tests: {}}}", "is reserved"),
        ("loop.start: {checks: {tests: {}}}", "is reserved"),
        ("build.blocked: {checks: {tests: {}}}", "needs no proof"),
        ("verify.failed: {checks: {tests: {}}}", "needs no proof"),
    ],
)
def test_what_would_lower_or_guard_nothing_is_an_error(text: str, says: str) -> None:
    with pytest.raises(ConfigError) as error:
        gates(text)
    assert says in str(error.value)
    assert "ralph.yml" in str(error.value)
