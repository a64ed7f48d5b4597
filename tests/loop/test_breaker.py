"""The circuit breaker: what opens it, what its one attempt must show, and what people read of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from ralph.loop.breaker import (
    Breaker,
    BreakerSettings,
    Recovery,
    Trouble,
    cooldown_left_s,
    failed,
    halts,
    handed_off,
    idle,
    over_limit,
    probe,
    progressed,
    recovery,
    reset,
    succeeded,
)

NOW = datetime(2026, 1, 20, 10, 0, tzinfo=UTC)
LATER = NOW + timedelta(seconds=300)
SETTINGS = BreakerSettings()

Move = Callable[[Breaker], Breaker]


def fails(breaker: Breaker) -> Breaker:
    return failed(breaker, "crashed", SETTINGS, NOW)


def idles(breaker: Breaker) -> Breaker:
    return idle(breaker, SETTINGS, NOW)


def costs(breaker: Breaker) -> Breaker:
    return over_limit(breaker, "cost_limit:$2.00 of $2.00 per iteration", NOW)


def probes(breaker: Breaker) -> Breaker:
    return probe(breaker, SETTINGS, LATER)


def after(*moves: Move, start: Breaker | None = None) -> Breaker:
    breaker = start or Breaker()
    for move in moves:
        breaker = move(breaker)
    return breaker


FAILURES, STAGNATION, COST = after(*[fails] * 3), after(*[idles] * 5), after(costs)


def test_three_failures_halt() -> None:
    assert halts(after(fails, fails)) is None
    assert (FAILURES.state, halts(FAILURES)) == ("open", "consecutive_failures:3")
    assert (FAILURES.last_failure_reason, FAILURES.opened_at) == ("crashed", "2026-01-20T10:00:00.000Z")


def test_a_success_between_failures_starts_the_count_again() -> None:
    breaker = after(fails, fails, succeeded)
    assert (breaker.failure_count, breaker.last_failure_reason) == (0, None)
    assert halts(after(fails, fails, start=breaker)) is None


def test_a_success_is_not_recorded_before_the_failure_that_follows_it() -> None:
    """Each iteration once was a success first and a failure then, so that the count never came to three."""
    assert halts(after(*[progressed, fails] * 3)) == "consecutive_failures:3"


@pytest.mark.parametrize("also", [None, succeeded], ids=["nothing happened", "a task was completed all the same"])
def test_five_iterations_without_progress_halt(also: Move | None) -> None:
    iteration = [also, idles] if also else [idles]
    assert halts(after(*iteration * 4)) is None
    assert halts(after(*iteration * 5)) == "stagnation:5"


def test_an_idle_iteration_counts_once() -> None:
    """It was once counted at two places, and three idle iterations halted as `stagnation:6`."""
    counts = [after(*[idles] * number).stagnation_count for number in range(6)]
    assert counts == [0, 1, 2, 3, 4, 5]


def test_progress_starts_the_count_of_idle_iterations_again() -> None:
    breaker = after(*[idles] * 4, progressed)
    assert (breaker.stagnation_count, halts(breaker)) == (0, None)


def test_failures_and_idle_iterations_have_counters_of_their_own() -> None:
    breaker = after(fails, idles, fails, idles)
    assert (breaker.failure_count, breaker.stagnation_count) == (2, 2)
    assert after(progressed, start=breaker).failure_count == 2
    assert after(succeeded, start=breaker).stagnation_count == 2


def test_a_limit_halts_at_once() -> None:
    """The breaker once stayed closed after a limit, and only the counters knew."""
    assert (COST.state, halts(COST)) == ("open", "cost_limit:$2.00 of $2.00 per iteration")


@pytest.mark.parametrize("opened", [FAILURES, STAGNATION, COST], ids=["failures", "stagnation", "cost"])
@pytest.mark.parametrize("move", [succeeded, fails, progressed, idles, costs], ids=lambda move: move.__name__)
def test_whatever_happens_while_it_is_open_it_stays_open(opened: Breaker, move: Move) -> None:
    """A success once set the counters to 0 and left the state: it said open, and halted nothing."""
    assert after(move, start=opened) == opened


@pytest.mark.parametrize("opened", [FAILURES, STAGNATION], ids=["failures", "stagnation"])
def test_one_attempt_after_the_cooldown(opened: Breaker) -> None:
    almost = NOW + timedelta(seconds=299)
    assert probe(opened, SETTINGS, almost) == opened
    assert cooldown_left_s(opened, SETTINGS, almost) == 1
    half = probes(opened)
    assert (half.state, halts(half), cooldown_left_s(half, SETTINGS, LATER)) == ("half_open", None, 0)
    assert probe(half, SETTINGS, LATER) == half


@pytest.mark.parametrize("opened_at", [None, "yesterday", "2026-01-20T10:00:01Z", "2026-01-20T10:00:01"])
def test_who_does_not_know_when_it_opened_waits_all_of_the_cooldown(opened_at: str | None) -> None:
    """Also where the clock went back."""
    opened = Breaker(state="open", opened_for="failures", opened_at=opened_at)
    assert cooldown_left_s(opened, SETTINGS, NOW) == 300
    assert halts(opened) == "open"


def test_time_does_not_make_a_limit_kept() -> None:
    assert probe(COST, SETTINGS, LATER, over="cost_limit:...") == COST
    assert probe(COST, SETTINGS, NOW, over=None).state == "half_open", "the limit was raised"


def test_no_attempt_over_a_limit_however_long_ago_it_opened() -> None:
    assert probe(FAILURES, SETTINGS, LATER, over="cost_limit:...") == FAILURES


@pytest.mark.parametrize(
    ("opened", "moves", "state", "told"),
    [
        (FAILURES, [succeeded], "closed", None),
        (FAILURES, [fails], "open", "consecutive_failures:4"),
        (FAILURES, [progressed], "half_open", None),
        (FAILURES, [progressed, succeeded], "closed", None),
        (FAILURES, [idles], "open", "consecutive_failures:3"),
        (STAGNATION, [progressed], "closed", None),
        (STAGNATION, [idles], "open", "stagnation:6"),
        (STAGNATION, [fails], "open", "consecutive_failures:1"),
        (COST, [progressed], "closed", None),
        (COST, [costs], "open", "cost_limit:$2.00 of $2.00 per iteration"),
        (COST, [fails], "open", "consecutive_failures:1"),
        (FAILURES, [reset], "closed", None),
    ],
)
def test_what_the_one_attempt_shows_decides(opened: Breaker, moves: list[Move], state: str, told: str | None) -> None:
    breaker = after(*moves, start=attempting(opened))
    assert (breaker.state, halts(breaker)) == (state, told)
    if state == "closed":
        assert (breaker.opened_at, breaker.opened_for, breaker.halted_by) == (None, None, None)


def attempting(opened: Breaker) -> Breaker:
    half = probe(opened, SETTINGS, LATER)
    assert half.state == "half_open"
    return half


def test_the_attempt_that_fails_opens_it_with_a_cooldown_of_its_own() -> None:
    again = failed(probes(FAILURES), "crashed", SETTINGS, LATER)
    assert cooldown_left_s(again, SETTINGS, LATER) == 300


def test_a_persons_reset() -> None:
    """Counters at 0. An open breaker is not closed unseen: it is given its one attempt, and a success closes it."""
    assert reset(after(fails, idles)) == Breaker()
    opened = reset(FAILURES)
    assert (opened.state, opened.failure_count, opened.stagnation_count) == ("half_open", 0, 0)
    assert succeeded(opened) == Breaker()
    assert reset(opened) == Breaker()


@pytest.mark.parametrize(
    ("breaker", "why", "retries_left", "wanted"),
    [
        (after(fails), "agent_error", 2, "RETRY"),
        (after(fails), "task_failed", 1, "RETRY"),
        (after(fails), "agent_error", 0, "SKIP_TASK"),
        (after(fails), "task_failed", 0, "SKIP_TASK"),
        (FAILURES, "agent_error", 2, "MANUAL_INTERVENTION"),
        (STAGNATION, "stagnation", 2, "HANDOFF"),
        (STAGNATION, "agent_error", 0, "HANDOFF"),
        (idles(handed_off(STAGNATION)), "stagnation", 2, "MANUAL_INTERVENTION"),
        (COST, "limit", 3, "MANUAL_INTERVENTION"),
        (Breaker(), "limit", 3, "MANUAL_INTERVENTION"),
        (COST, "stagnation", 3, "MANUAL_INTERVENTION"),
    ],
)
def test_recovery(breaker: Breaker, why: Trouble, retries_left: int, wanted: Recovery) -> None:
    assert recovery(breaker, why, retries_left) == wanted


def test_one_handoff_until_something_succeeds() -> None:
    """An agent that changes one letter whenever it is given fresh context would else go on for ever."""
    tried = handed_off(STAGNATION)
    assert (tried.state, handed_off(tried)) == ("half_open", tried)
    circling = after(progressed, *[idles] * 5, start=tried)
    assert (halts(circling), recovery(circling, "stagnation", 3)) == ("stagnation:5", "MANUAL_INTERVENTION")
    assert handed_off(circling) == circling
    stuck_again = after(succeeded, *[idles] * 5, start=tried)
    assert recovery(stuck_again, "stagnation", 3) == "HANDOFF"


@pytest.mark.parametrize("opened", [FAILURES, COST, Breaker()], ids=["failures", "cost", "closed"])
def test_a_handoff_helps_against_nothing_but_stagnation(opened: Breaker) -> None:
    assert handed_off(opened) == opened


class Life(RuleBasedStateMachine):
    """Any course of events, with a model that counts by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.breaker = Breaker()
        self.settings = BreakerSettings(failures=2, stagnation=3, cooldown_s=60)
        self.now = NOW
        self.failed_so_far = self.idle_so_far = 0

    @property
    def is_open(self) -> bool:
        return self.breaker.state == "open"

    def closes(self, really: bool) -> None:
        if really:
            self.failed_so_far = self.idle_so_far = 0

    @rule(seconds=st.integers(0, 70))
    def time_passes(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)

    @rule()
    def fails(self) -> None:
        self.failed_so_far += not self.is_open
        self.breaker = failed(self.breaker, "x", self.settings, self.now)

    @rule()
    def idles(self) -> None:
        self.idle_so_far += not self.is_open
        self.breaker = idle(self.breaker, self.settings, self.now)

    @rule()
    def succeeds(self) -> None:
        self.failed_so_far = self.failed_so_far if self.is_open else 0
        self.closes(self.breaker.state == "half_open")
        self.breaker = succeeded(self.breaker)

    @rule()
    def progresses(self) -> None:
        self.idle_so_far = self.idle_so_far if self.is_open else 0
        self.closes(self.breaker.state == "half_open" and self.breaker.opened_for != "failures")
        self.breaker = progressed(self.breaker)

    @rule()
    def costs(self) -> None:
        self.breaker = over_limit(self.breaker, "cost_limit:$1.00", self.now)
        assert self.is_open

    @rule()
    def is_reset(self) -> None:
        self.failed_so_far = self.idle_so_far = 0
        self.breaker = reset(self.breaker)

    @rule(over=st.sampled_from([None, "cost_limit:$1.00"]))
    def is_probed(self, over: str | None) -> None:
        left, before = cooldown_left_s(self.breaker, self.settings, self.now), self.breaker
        self.breaker = probe(self.breaker, self.settings, self.now, over=over)
        if before.state == "open" and self.breaker.state == "half_open":
            assert over is None
            assert left == 0 or before.opened_for == "limit"

    @precondition(lambda self: self.is_open)
    @rule()
    def is_handed_off(self) -> None:
        tried = self.breaker.handoff_tried
        self.breaker = handed_off(self.breaker)
        assert not (tried and self.breaker.state == "half_open")

    @invariant()
    def counts_what_happened(self) -> None:
        assert (self.breaker.failure_count, self.breaker.stagnation_count) == (self.failed_so_far, self.idle_so_far)

    @invariant()
    def halts_exactly_when_open(self) -> None:
        assert (halts(self.breaker) is not None) == self.is_open
        assert (self.breaker.halted_by is None) <= (not self.is_open)

    @invariant()
    def is_open_at_its_thresholds(self) -> None:
        if self.breaker.state == "closed":
            assert self.failed_so_far < self.settings.failures
            assert self.idle_so_far < self.settings.stagnation
            assert self.breaker.opened_for is None


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
