"""How step results become a verdict."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.verdict import (
    STEP_ORDER,
    Attribution,
    Finding,
    StepResult,
    StepStatus,
    Subject,
    Verdict,
    VerdictType,
    attribute,
    combine,
    judge,
)

REQUIRED = ("lint", "typecheck", "tests", "coverage")
START = datetime(2026, 1, 5, 12, 0, 0, 123000, tzinfo=UTC)
SUBJECT = Subject(
    run_id="20260105T120000123Z-0123456789ab",
    ralph_version="1.0.0",
    policy_version="v1",
    policy_digest="p",
    context_digest="c",
    contract="bugfix",
    contract_digest="k",
    agent_type="bugfix",
    project="demo",
    autonomy_level="L1",
    base_commit="b",
    tree_hash="t",
    inputs_digest="i",
    sandbox_level="none",
    started_at=START,
    completed_at=START + timedelta(milliseconds=1500),
    artifact_path=".ralph/audit/x",
)
FINDING = Finding(
    rule="v1.python.noqa", severity="block", reason="no", path="a.py", line=3, column=5, snippet="x  # noqa"
)


def steps(**statuses: StepStatus) -> list[StepResult]:
    """Every step passes but those named."""
    names = {"guardrail": "pass", **dict.fromkeys(REQUIRED, "pass"), **statuses}
    return [StepResult(name=name, status=status, reason=f"{name} is {status}") for name, status in names.items()]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given_steps", "expected"),
    [
        pytest.param(steps(), ("PASS", None, None), id="everything passes"),
        pytest.param(steps(lint="fail"), ("FAIL", "lint", "lint is fail"), id="one fails"),
        pytest.param(steps(tests="fail", lint="fail"), ("FAIL", "lint", "lint is fail"), id="the first names it"),
        pytest.param(
            steps(coverage="error"),
            ("FAIL", "coverage", "could not verify: coverage: coverage is error"),
            id="not measured is not PASS",
        ),
        pytest.param(
            steps(tests="skipped"),
            ("FAIL", "tests", "could not verify: tests: tests is skipped"),
            id="a required step skipped for no trouble before it",
        ),
        pytest.param(
            steps(lint="fail", tests="skipped"), ("FAIL", "lint", "lint is fail"), id="skipped after a failure"
        ),
        pytest.param(steps(typecheck="not_applicable"), ("PASS", None, None), id="declared not applicable"),
        pytest.param(steps(guardrail="fail"), ("BLOCKED", "guardrail", "guardrail is fail"), id="guardrail blocks"),
        pytest.param(
            steps(contract_check="fail", guardrail="skipped"),
            ("BLOCKED", "contract_check", "contract_check is fail"),
            id="contract blocks",
        ),
        pytest.param(
            steps(guardrail="error"),
            ("FAIL", "guardrail", "could not verify: guardrail: guardrail is error"),
            id="a guardrail that could not look is not PASS",
        ),
        pytest.param(steps(thresholds="fail"), ("FAIL", "thresholds", "thresholds is fail"), id="policy thresholds"),
        pytest.param(
            steps()[:-1], ("FAIL", "coverage", "could not verify: coverage: it was not run"), id="a step is absent"
        ),
        pytest.param([], ("FAIL", "lint", "could not verify: lint: it was not run"), id="nothing ran"),
    ],
)
def test_judge(given_steps: list[StepResult], expected: tuple[str, str | None, str | None]) -> None:
    assert judge(given_steps, REQUIRED) == expected


STATUSES: st.SearchStrategy[StepStatus] = st.sampled_from(["pass", "fail", "error", "skipped", "not_applicable"])


@given(
    st.dictionaries(st.sampled_from(STEP_ORDER), STATUSES),
    st.sets(st.sampled_from(REQUIRED)),
    st.randoms(use_true_random=False),
)
def test_pass_is_a_conjunction_and_order_does_not_matter(
    statuses: dict[str, StepStatus], required: set[str], random: st.DataObject
) -> None:
    results = [StepResult(name=name, status=status) for name, status in statuses.items()]
    kind, failed_step, reason = judge(results, required)
    if kind is VerdictType.PASS:
        assert all(statuses.get(name) in ("pass", "not_applicable") for name in required)
        assert not {"fail", "error"} & set(statuses.values())
        assert (failed_step, reason) == (None, None)
    else:
        assert failed_step is not None
    shuffled = list(results)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert judge(shuffled, required) == (kind, failed_step, reason)


def test_a_verdict_survives_json() -> None:
    verdict = combine(
        [
            *steps(tests="fail"),
            StepResult(name="build", status="pass", counts={"errors": 0}, failures=("x",), exit_code=0, signal=None),
        ],
        required=REQUIRED,
        findings=[FINDING],
        subject=SUBJECT,
        attribution=Attribution(regressions=("tests: a",), pre_existing=("tests: b",), fixed=("tests: c",)),
    )
    assert Verdict.from_dict(json.loads(json.dumps(verdict.to_dict()))) == verdict
    assert verdict.to_dict()["started_at"] == "2026-01-05T12:00:00.123Z"
    assert verdict.duration_ms == 1500


def test_metrics_are_what_was_measured_and_nothing_else() -> None:
    measured = [
        StepResult(name="lint", status="fail", counts={"errors": 3}),
        StepResult(name="typecheck", status="error", counts={"errors": 7}),
        StepResult(name="tests", status="pass", counts={"tests": 12}),
        StepResult(name="coverage", status="skipped", counts={"percent": 99.0}),
    ]
    verdict = combine(measured, required=REQUIRED, findings=[], subject=SUBJECT)
    assert (verdict.lint_errors, verdict.type_errors, verdict.test_count) == (3, None, 12)
    assert verdict.coverage_percent is None
    assert (verdict.lint_passed, verdict.tests_passed, verdict.guardrail_passed) == (False, True, False)


def test_blocking_findings_are_the_blocked_patterns() -> None:
    review = Finding(rule="r", severity="review", reason="look", path="b", line=0, column=0, snippet="")
    verdict = combine(steps(guardrail="fail"), required=REQUIRED, findings=[review, FINDING], subject=SUBJECT)
    assert verdict.requires_human_intervention()
    assert verdict.blocked_patterns == ("v1.python.noqa at a.py:3:5: no",)
    assert verdict.needs_review
    assert verdict.findings == (FINDING, review)


@pytest.mark.parametrize(
    ("now", "base", "expected"),
    [
        pytest.param(["a"], [], Attribution(regressions=("a",)), id="new"),
        pytest.param(["a"], ["a"], Attribution(pre_existing=("a",)), id="old"),
        pytest.param([], ["a"], Attribution(fixed=("a",)), id="fixed"),
        pytest.param(
            ["b", "a"],
            ["c", "a"],
            Attribution(regressions=("b",), pre_existing=("a",), fixed=("c",)),
            id="all three",
        ),
    ],
)
def test_attribution(now: list[str], base: list[str], expected: Attribution) -> None:
    assert attribute(now, base) == expected
