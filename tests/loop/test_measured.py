"""A claim is measured by the engine's own steps on the real tree."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ralph import contracts
from ralph.engine import RalphEngine
from ralph.events.door import Emission
from ralph.events.gates import BUILTIN, decide
from ralph.events.model import Check, CheckState
from ralph.loop.measured import Measurer, objection, reading
from ralph.results import StepResult
from tests.engine.projects import PYTHON, append
from tests.engine.sample import TOOLS, context_of
from tests.loop.phases.verdicts import failing, verdict

CLAIMS = {
    "build.done": "tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: 5, "
    "duplication: pass",
    "review.done": "tests: pass, build: pass",
    "verify.passed": "quality.tests: pass, quality.lint: pass, quality.audit: pass, quality.coverage: 99, "
    "quality.mutation: 75, quality.complexity: 6",
}


@pytest.fixture
def measurer(tmp_path: Path) -> Measurer:
    root = PYTHON.base(tmp_path / "project")
    engine = RalphEngine(repository=root, environ={**os.environ, "PATH": TOOLS})
    return Measurer(engine=engine, context=context_of(root), contract=contracts.load("feature"), gates=BUILTIN)


def measured(measurer: Measurer, topic: str) -> tuple[bool, dict[str, CheckState], str]:
    answer = measurer(Emission(topic=topic, payload=CLAIMS[topic], origin="agent"), decide(topic, CLAIMS[topic]))
    return answer.holds, {name: each.state for name, each in answer.readings.items()}, answer.message


def test_what_can_be_measured_is_and_the_rest_stays_claimed(measurer: Measurer) -> None:
    holds, states, _ = measured(measurer, "build.done")
    assert (holds, set(states)) == (True, {"tests", "lint", "typecheck", "coverage"})
    assert objection(measurer.engine, measurer.context, measurer.contract) is None


def test_numbers_are_compared_with_their_limits(measurer: Measurer) -> None:
    holds, states, _ = measured(measurer, "verify.passed")
    assert (holds, states["quality.coverage"]) == (True, CheckState.PASS)


def test_a_failing_test_contradicts_the_claim(measurer: Measurer) -> None:
    root = measurer.engine.repository
    assert root
    append(root, {PYTHON.tests: PYTHON.failing("wrong")})
    holds, states, message = measured(measurer, "build.done")
    assert (holds, states["tests"]) == (False, CheckState.FAIL)
    assert "tests" in message
    assert objection(measurer.engine, measurer.context, measurer.contract)


def test_a_review_needs_a_build_that_can_be_measured(measurer: Measurer) -> None:
    holds, _, message = measured(measurer, "review.done")
    assert not holds
    assert "needs a measured build" in message


READINGS = {
    "it failed": (failing("tests"), "pass", CheckState.FAIL),
    "it could not be measured": (failing("tests", "no pytest", "error"), "pass", CheckState.INVALID),
    "its number was not measured": (failing("tests", "no report", "error"), "percent", CheckState.INVALID),
    "it holds": (StepResult(name="tests", status="pass", counts={"percent": 91.0}), "pass", CheckState.PASS),
}


@pytest.mark.parametrize("case", READINGS)
def test_what_could_not_be_measured_did_not_fail(case: str) -> None:
    """It refuses the claim, and contradicts nobody."""
    step, kind, expected = READINGS[case]
    found = reading(Check(name="tests", kind="percent" if kind == "percent" else "pass"), verdict(tests=step))
    assert found is not None
    assert found.state is expected
    assert case == "it holds" or found.reason == step.reason
