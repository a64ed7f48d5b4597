"""Mutation warnings (the table of the spec), and what diagnostics show of a decision."""

from __future__ import annotations

import pytest

from ralph.events import diagnostics
from ralph.events.gates import decide

BUILD = "tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: 5, duplication: pass"

PASSES = "tests=pass lint=pass typecheck=pass audit=pass coverage=pass complexity=pass duplication=pass"


@pytest.mark.parametrize(
    ("mutants", "threshold", "warning"),
    [
        ("mutants: fail", None, "mutation testing failed"),
        ("mutants: fail (12.5%)", 80.0, "mutation testing failed (score 12.5%)"),
        ("mutants: warn", None, "mutation testing reports a warning"),
        ("mutants: warn (65%)", None, "mutation testing reports a warning (score 65%)"),
        ("mutants: pass (65%)", 80.0, "mutation score 65% below threshold 80%"),
        ("mutants: pass (79.99 %)", 80.0, "mutation score 79.99% below threshold 80%"),
        ("mutants: pass (65%)", None, None),
        ("mutants: pass (90%)", 80.0, None),
        ("mutants: pass (80%)", 80.0, None),
        ("mutants: pass (score 90 of all)", 80.0, None),
        ("mutants: pass", None, None),
        ("mutants: pass", 80.0, "mutation score missing: send `mutants: pass (82%)`, 80% is asked for"),
        ("mutants: pass (9 of 10)", 80.0, "mutation score missing: send `mutants: pass (82%)`, 80% is asked for"),
        ("mutants: pass (900%)", 80.0, "mutation score missing: send `mutants: pass (82%)`, 80% is asked for"),
        ("mutants: 82%", None, "mutation evidence `82%` cannot be read: send `mutants: pass (82%)`"),
        ("Mutants: pass (82%)", None, "mutation evidence `pass (82%)` cannot be read: send `mutants: pass (82%)`"),
        ("", 80.0, "missing mutation evidence: a score of 80% is asked for"),
        ("", None, None),
    ],
)
def test_warnings_never_block(mutants: str, threshold: float | None, warning: str | None) -> None:
    decision = decide("build.done", f"{BUILD}\n{mutants}", warn_mutation_below=threshold)
    assert decision.outcome == "accepted"
    assert decision.warnings == ((warning,) if warning else ())


def test_a_refused_claim_has_no_warnings() -> None:
    assert decide("build.done", "tests: fail\nmutants: fail", warn_mutation_below=80.0).warnings == ()


def test_other_gates_do_not_ask_for_mutants() -> None:
    assert decide("review.done", "tests: pass, build: pass", warn_mutation_below=80.0).warnings == ()


def test_diagnostics_of_an_accepted_claim() -> None:
    decision = decide("build.done", f"{BUILD}, mutants: fail")
    assert list(diagnostics.lines(decision)) == [
        f"ralph: gate build.done accepted {PASSES} performance=absent specs=absent mutants=fail",
        "ralph: warning build.done: mutation testing failed",
    ]


def test_diagnostics_of_a_rewrite() -> None:
    decision = decide("review.done", "tests: PASS\x1b[")
    gate, rewrite = diagnostics.lines(decision)
    assert gate == "ralph: gate review.done failed tests=invalid build=absent"
    assert rewrite.startswith("ralph: rewrite review.done -> review.blocked: build absent; tests invalid `PASS[` (a ")


def test_diagnostics_of_missing_evidence_and_of_ungated_topics() -> None:
    assert list(diagnostics.lines(decide("review.done", "LGTM")))[1:] == [
        "ralph: rewrite review.done -> review.blocked: no evidence"
    ]
    assert list(diagnostics.lines(decide("a\nb", ""))) == ["ralph: gate a\\x0ab ungated"]


@pytest.mark.parametrize(("value", "wanted"), [("1", True), ("0", False), ("", False), (None, False)])
def test_diagnostics_are_asked_for(value: str | None, wanted: bool) -> None:
    assert diagnostics.wanted({} if value is None else {"RALPH_DIAGNOSTICS": value}) is wanted
