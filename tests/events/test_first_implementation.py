"""Payloads that a first implementation of these gates gets wrong: it searches for words, where Ralph reads claims."""

# ruff: noqa: E501 - payloads stand whole

from __future__ import annotations

import pytest

from ralph.events.gates import decide

BUILD, REVIEW, VERIFY = "build.done", "review.done", "verify.passed"
ACCEPTED, FAILED, MISSING = "accepted", "failed", "missing"
FIVE = "tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass"
FULL = FIVE + ", complexity: 5, duplication: pass"
REST = "quality.lint: pass\nquality.audit: pass\nquality.coverage: 82\nquality.mutation: 71\nquality.complexity: 7"
QUALITY = "quality.tests: pass\n" + REST
EVERY = "audit complexity coverage duplication lint tests typecheck"

ROWS = [
    (
        BUILD,
        "tests: passed, lint: passed, typecheck: passed, audit: passed, coverage: passed, complexity: 5, duplication: passed",
        FAILED,
        "audit coverage duplication lint tests typecheck",
    ),
    (
        BUILD,
        "tests: passing 3 of 10 (7 failing), lint: pass-ish, typecheck: password, audit: pass?, coverage: pass never ran, complexity: 5, duplication: passable",
        FAILED,
        "audit coverage duplication lint tests typecheck",
    ),
    (BUILD, "TESTS: PASS", FAILED, EVERY),
    (
        BUILD,
        "tests: fail, lint: fail, typecheck: fail, audit: fail, coverage: fail, complexity: 5, duplication: pass; earlier run said tests: pass lint: pass typecheck: pass audit: pass coverage: pass",
        FAILED,
        "audit coverage duplication lint tests typecheck",
    ),
    (
        BUILD,
        "tests: fail\ntests: pass\nlint: pass\ntypecheck: pass\naudit: pass\ncoverage: pass\ncomplexity: 5\nduplication: pass",
        FAILED,
        "tests",
    ),
    (
        BUILD,
        "I could not get tests: pass lint: pass typecheck: pass audit: pass coverage: pass to work\ncomplexity: 5\nduplication: pass",
        FAILED,
        "audit coverage lint tests typecheck",
    ),
    (
        BUILD,
        "quality.tests: pass, quality.lint: pass, quality.typecheck: pass, quality.audit: pass, quality.coverage: pass, complexity: 5, duplication: pass",
        FAILED,
        "audit coverage lint tests typecheck",
    ),
    (
        BUILD,
        "unit-tests: pass, eslint: pass, typecheck: pass, npm-audit: pass, coverage: pass, complexity: 5, duplication: pass",
        FAILED,
        "audit lint tests",
    ),
    (BUILD, FIVE + ", complexity: -5, duplication: pass", FAILED, "complexity"),
    (BUILD, FIVE + ", complexity: max 3 files have 97, duplication: pass", FAILED, "complexity"),
    (BUILD, FIVE + ", complexity: 1e9, duplication: pass", FAILED, "complexity"),
    (BUILD, FIVE + ", complexity: 1,000, duplication: pass", FAILED, "complexity"),
    (BUILD, FIVE + ", complexity: .5, duplication: pass", FAILED, "complexity"),
    (BUILD, FIVE + ", Complexity: 5, DUPLICATION: PASS", FAILED, "complexity duplication"),
    (BUILD, FULL + "\nduplication: fail", FAILED, "duplication"),
    (BUILD, FIVE + ", complexity: 5\ncomplexity: 99, duplication: pass", FAILED, "complexity"),
    (BUILD, FULL + ", performance: no regression", ACCEPTED, ""),
    (BUILD, FULL + ", performance: 40% slower", FAILED, "performance"),
    (BUILD, FULL + ", performance: broken", FAILED, "performance"),
    (BUILD, FULL + ", specs: not met", FAILED, "specs"),
    (BUILD, FULL + ", specs:fail", FAILED, "specs"),
    (BUILD, "PERFORMANCE: PASS", FAILED, "audit complexity coverage duplication lint performance tests typecheck"),
    (BUILD, "latests: results", MISSING, EVERY),
    (BUILD, "All contests: none", MISSING, EVERY),
    (BUILD, "Deployed; see https://x/specs: here", MISSING, EVERY),
    (
        BUILD,
        '{"tests":"pass","lint":"pass","typecheck":"pass","audit":"pass","coverage":"pass","complexity":5,"duplication":"pass"}',
        ACCEPTED,
        "",
    ),
    (
        BUILD,
        '{"tests: pass":1,"lint: pass":1,"typecheck: pass":1,"audit: pass":1,"coverage: pass":1}\ncomplexity: 1\nduplication: pass',
        FAILED,
        "audit coverage lint tests typecheck",
    ),
    (
        BUILD,
        "- tests: pass\n- lint: pass\n- typecheck: pass\n- audit: pass\n- coverage: pass\n- complexity: 5\n- duplication: pass",
        ACCEPTED,
        "",
    ),
    (
        BUILD,
        "Must include tests: pass lint: pass typecheck: pass audit: pass coverage: pass; complexity: n/a",
        MISSING,
        EVERY,
    ),
    (REVIEW, "tests: passed, build: passing", FAILED, "build tests"),
    (REVIEW, "rebuild: pass, tests: pass", FAILED, "build"),
    (REVIEW, "tests: pass build: pass (not actually run)", FAILED, "build tests"),
    (REVIEW, "Build: pass, Tests: pass", FAILED, "build tests"),
    (VERIFY, "quality.tests: 3 failed 10 passed\n" + REST, FAILED, "quality.tests"),
    (
        VERIFY,
        "quality.tests: not passing\nquality.lint: does not pass\nquality.audit: bypassed\nquality.coverage: 82\nquality.mutation: 71\nquality.complexity: 7",
        FAILED,
        "quality.audit quality.lint quality.tests",
    ),
    (
        VERIFY,
        "quality.tests:pass\nquality.lint:PASS\nQUALITY.AUDIT: Passed\nquality.coverage:82\nquality.mutation:71\nquality.complexity:7",
        FAILED,
        "quality.audit quality.complexity quality.coverage quality.lint quality.mutation quality.tests",
    ),
    (
        VERIFY,
        "quality.tests: pass\nquality.lint: pass\nquality.audit: pass\nquality.coverage: target 80 but got 12\nquality.mutation: 71\nquality.complexity: 7",
        FAILED,
        "quality.coverage",
    ),
    (
        VERIFY,
        "quality.tests: pass\nquality.lint: pass\nquality.audit: pass\nquality.coverage: 1200%\nquality.mutation: 71\nquality.complexity: 7",
        FAILED,
        "quality.coverage",
    ),
    (
        VERIFY,
        "quality.tests: pass\nquality.lint: pass\nquality.audit: pass\nquality.coverage: 90 (was 45%)\nquality.mutation: 71\nquality.complexity: 7",
        ACCEPTED,
        "",
    ),
    (VERIFY, "quality.tests: fail\nquality.tests: pass\n" + REST, FAILED, "quality.tests"),
    (VERIFY, QUALITY + "\nquality.specs: unknown", FAILED, "quality.specs"),
    (VERIFY, QUALITY + "\nquality.specs: 3 fail 9 pass", FAILED, "quality.specs"),
    (
        VERIFY,
        "- quality.tests: pass\n- quality.lint: pass",
        FAILED,
        "quality.audit quality.complexity quality.coverage quality.mutation",
    ),
]


@pytest.mark.parametrize(("topic", "payload", "outcome", "failed"), ROWS, ids=[row[1][-60:] for row in ROWS])
def test_a_claim_is_read_not_searched(topic: str, payload: str, outcome: str, failed: str) -> None:
    decision = decide(topic, payload)
    assert (decision.outcome, " ".join(decision.failed)) == (outcome, failed)
    assert (decision.publishes == topic) == (outcome == ACCEPTED)
