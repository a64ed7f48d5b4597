"""How a gate moves: baseline, attempts, a tree that changes, exhaustion, and what a person decides."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from ralph.gates import progress
from ralph.gates.model import Attempt, CriteriaGate, GateRun, Judgement, VerifyGate
from ralph.gates.texts import bounced, escalated, warned

GATE = GateRun(id="abc-1.1", gate=VerifyGate(command="npm test", attempts=3))
GOOD = Attempt(number=1, tree="one", exit_code=0)
BAD = Attempt(number=1, tree="one", exit_code=1, excerpt="test/auth.spec.ts:45 - Expected 200, got 403")


def after(*attempts: Attempt) -> GateRun:
    gate = GATE
    for each in attempts:
        gate = progress.attempted(gate, each)
    return gate


@pytest.mark.parametrize(
    ("attempts", "state"),
    [
        ([], "pending"),
        ([replace(GOOD, baseline=True)], "pending"),
        ([replace(BAD, baseline=True)], "pending"),
        ([GOOD], "passed"),
        ([BAD], "failed"),
        ([BAD, GOOD], "passed"),
        ([BAD, BAD, BAD], "blocked"),
        ([replace(BAD, baseline=True), BAD, BAD, GOOD, BAD], "blocked"),
        ([replace(GOOD, exit_code=None, problem="denied", refused=True)], "blocked"),
        ([replace(GOOD, baseline=True, exit_code=None, problem="denied", refused=True)], "blocked"),
        ([replace(GOOD, problem="the tree is not the same")], "failed"),
        ([replace(GOOD, timed_out=True)], "failed"),
        ([replace(GOOD, signal="SIGKILL")], "failed"),
        ([replace(GOOD, exit_code=None)], "failed"),
    ],
)
def test_what_attempts_come_to(attempts: list[Attempt], state: str) -> None:
    assert after(*attempts).state == state


def test_a_pass_on_another_tree_is_none() -> None:
    passed = after(GOOD)
    assert progress.holds(passed, "one")
    assert not progress.holds(passed, "two")
    assert progress.on_tree(passed, "one").state == "passed"
    assert progress.on_tree(passed, "two").state == "pending"
    assert progress.on_tree(after(BAD), "two").state == "failed"


def test_the_cap_is_hard() -> None:
    with pytest.raises(ValueError, match="takes no further attempt"):
        after(BAD, BAD, BAD, GOOD)


def test_retry_gives_all_attempts_again_and_forgets_none() -> None:
    again = progress.retried(after(BAD, BAD, BAD), "the server was down")
    assert (again.state, progress.failures(again), len(again.attempts)) == ("pending", 0, 3)
    assert progress.attempted(again, BAD).state == "failed"


def test_a_skip_never_holds_and_ends_with_its_exception() -> None:
    skipped = progress.skipped(after(BAD, BAD, BAD), "exception 1")
    assert skipped.state == "skipped"
    assert not progress.holds(skipped, "one")
    assert progress.unskipped(skipped).state == "blocked"
    assert progress.unskipped(progress.skipped(after(GOOD), "exception 1")).state == "pending"


def test_a_decision_that_falls_during_an_attempt_stands() -> None:
    assert progress.attempted(progress.aborted(GATE, "enough"), GOOD).state == "aborted"
    assert progress.attempted(progress.skipped(GATE, "exception 1"), BAD).state == "skipped"


def test_a_green_baseline_and_a_flaky_pass_are_told() -> None:
    assert "before the work already" in (warned(after(replace(GOOD, baseline=True), GOOD)) or "")
    assert "flaky" in (warned(after(BAD, GOOD)) or "")
    assert warned(after(BAD, replace(GOOD, tree="two"))) is None


def test_the_words_of_the_spec() -> None:
    assert bounced(after(BAD, BAD)) == (
        "## Shell Verification FAILED (Attempt 2/3)\n\n**Command:** `npm test`\n**Exit Code:** 1\n\n"
        "### Error Output\n\n"
        "```\ntest/auth.spec.ts:45 - Expected 200, got 403\n```\n\nPlease fix the issues and submit again."
    )
    last = escalated(after(BAD, BAD, BAD))
    assert last.startswith("## Shell Verification FAILED - Maximum Attempts Reached\n\n**Command:** `npm test`\n")
    assert "**Attempts:** 3/3" in last
    for way in ("retry", "skip", "abort"):
        assert f"`ralph gate {way} abc-1.1 --reason R`" in last


class Gate(RuleBasedStateMachine):
    """Any attempts on any trees, with any decisions between: a gate holds only after a real exit 0 on that tree."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = GATE
        self.tree = "one"
        self.last: Attempt | None = None

    def open(self) -> bool:
        return progress.can_be_tried(self.gate)

    @rule(tree=st.sampled_from(["one", "two"]))
    def work(self, tree: str) -> None:
        self.tree = tree
        self.gate = progress.on_tree(self.gate, tree)

    @precondition(open)
    @rule(code=st.sampled_from([0, 0, 1, 127, None]), problem=st.sampled_from([None, None, "ended by SIGKILL"]))
    def attempt(self, code: int | None, problem: str | None) -> None:
        self.last = Attempt(number=1, tree=self.tree, exit_code=code, problem=problem)
        self.gate = progress.attempted(self.gate, self.last)

    @precondition(open)
    @rule(code=st.sampled_from([0, 1]))
    def baseline(self, code: int) -> None:
        self.gate = progress.attempted(self.gate, Attempt(number=0, tree=self.tree, exit_code=code, baseline=True))

    @precondition(lambda self: self.gate.state != "aborted")
    @rule()
    def retry(self) -> None:
        self.gate = progress.retried(self.gate, "again")

    @precondition(lambda self: self.gate.state != "aborted")
    @rule()
    def skip(self) -> None:
        self.gate = progress.skipped(self.gate, "exception")

    @precondition(lambda self: self.gate.state == "skipped")
    @rule()
    def unskip(self) -> None:
        self.gate = progress.unskipped(self.gate)

    @invariant()
    def holds_only_with_proof(self) -> None:
        if progress.holds(self.gate, self.tree):
            assert self.last is not None
            assert self.last.exit_code == 0
            assert self.last.problem is None
            assert self.last.tree == self.tree

    @invariant()
    def never_beyond_its_limit(self) -> None:
        assert 0 <= progress.failures(self.gate) <= progress.limit(self.gate)


TestGate = Gate.TestCase
TestGate.settings = settings(max_examples=60, stateful_step_count=30)


def test_judgements_count_like_attempts() -> None:
    gate = GateRun(id="abc-1.2", gate=CriteriaGate(text="has a title"))
    no = Judgement(number=1, tree="one", verdict="fail", reason="it has none")
    assert progress.judged(gate, no).state == "failed"
    assert "**Judgement:** it has none" in bounced(progress.judged(gate, no))
    for _ in range(progress.CRITERIA_ATTEMPTS):
        gate = progress.judged(gate, replace(no, verdict="unanswered"))
    assert gate.state == "blocked"
    assert "Criterion NOT MET" in escalated(gate)
