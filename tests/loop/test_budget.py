"""Limits: when one is reached, what a turn may still use, and what nobody knows."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.agents.base import TurnLimits, Usage
from ralph.loop.budget import (
    Limits,
    exceeded,
    nearing,
    remaining,
    turn_limits,
    unbounded,
)
from ralph.loop.words import Spent

NONE = Limits(per_iteration_usd=None, per_session_usd=None, total_usd=None, iterations=None, runtime_s=None)
LIMITS = replace(NONE, per_iteration_usd=2.0, per_session_usd=50.0, total_usd=200.0)
NOTHING = Spent()


def cost(usd: float) -> Spent:
    return Spent(cost_usd=usd)


@pytest.mark.parametrize(
    ("iteration", "session", "total", "told"),
    [
        (2.0, 2.0, 2.0, "cost_limit:$2.00 of $2.00 per iteration"),
        (1.999999, 2.0, 2.0, None),
        (1.0, 50.0, 60.0, "cost_limit:$50.00 of $50.00 per session"),
        (1.0, 49.999999, 60.0, None),
        (1.0, 3.0, 200.5, "cost_limit:$200.50 of $200.00 in total"),
        (1.0, 3.0, 199.999999, None),
    ],
)
def test_as_much_as_the_limit_is_over_it(iteration: float, session: float, total: float, told: str | None) -> None:
    """Only a constant of 100 dollars was once looked at: with 0.05, 0.1 and 0.2 as limits, 120 dollars were spent."""
    assert exceeded(LIMITS, cost(iteration), cost(session), cost(total)) == told


def test_what_an_iteration_cost_is_compared_with_the_limit_of_an_iteration() -> None:
    """The session's cost once was: from two dollars in a session on, every tool was denied for good."""
    assert exceeded(LIMITS, cost(0.5), cost(12.0), cost(12.0)) is None


def test_ten_times_ten_cents_are_a_dollar() -> None:
    total = NOTHING
    for _ in range(10):
        total = total.plus(Usage(cost_usd=0.1), runtime_s=1)
    assert total.cost_usd < 1.0
    assert exceeded(replace(NONE, total_usd=1.0), NOTHING, NOTHING, total) == "cost_limit:$1.00 of $1.00 in total"


@pytest.mark.parametrize("amount", [math.nan, math.inf, -math.inf, -0.01])
def test_what_is_no_amount_is_within_no_limit(amount: float) -> None:
    """A cost of NaN once was below every limit, for ever."""
    for spent in ((cost(amount), NOTHING, NOTHING), (NOTHING, cost(amount), NOTHING), (NOTHING, NOTHING, cost(amount))):
        assert (exceeded(LIMITS, *spent) or "").startswith("cost_limit:")
    assert turn_limits(LIMITS, NOTHING, cost(amount)).cost_usd == 0.01


@pytest.mark.parametrize(
    ("limits", "here", "told"),
    [
        (replace(NONE, tokens=1000), Spent(tokens=1000), "token_limit:1000 of 1000"),
        (replace(NONE, tokens=1000), Spent(tokens=999), None),
        (replace(NONE, iterations=100), Spent(iterations=100), "iteration_limit:100 of 100"),
        (replace(NONE, runtime_s=14400), Spent(runtime_s=14400.4), "runtime_limit:14400 of 14400 s"),
        (replace(NONE, runtime_s=14400), Spent(runtime_s=math.nan), "runtime_limit:nan of 14400 s"),
        (NONE, Spent(cost_usd=1e9, tokens=10**9, iterations=10**6, runtime_s=1e9), None),
    ],
)
def test_the_other_limits_count_this_run(limits: Limits, here: Spent, told: str | None) -> None:
    before = Spent(tokens=10**6, iterations=10**6, runtime_s=1e6)
    assert exceeded(limits, NOTHING, NOTHING, before, here=here) == told


def test_the_cost_of_earlier_runs_counts() -> None:
    assert exceeded(LIMITS, NOTHING, NOTHING, cost(200), here=cost(1)) == "cost_limit:$200.00 of $200.00 in total"


def test_totals_never_fall() -> None:
    """A client's running total was once taken for that of all sessions, and fell with each new one."""
    sessions = [Usage(input_tokens=5000, cost_usd=0.5), Usage(input_tokens=1000, cost_usd=0.1)]
    total = NOTHING
    for usage in sessions:
        total = total.plus(usage, runtime_s=1)
    assert (total.tokens, round(total.cost_usd, 9)) == (6000, 0.6)
    wrong = total.plus(Usage(input_tokens=-4000, cost_usd=-0.4), runtime_s=1)
    assert (wrong.tokens, wrong.cost_usd, wrong.unpriced) == (6000, total.cost_usd, 1)


@pytest.mark.parametrize(
    ("spent", "told"),
    [
        (cost(159.99), ()),
        (cost(160), ("cost_limit:$160.00 of $200.00 in total",)),
        (cost(200), ()),
        (cost(math.nan), ()),
    ],
)
def test_a_warning_from_four_fifths_on(spent: Spent, told: tuple[str, ...]) -> None:
    assert nearing(LIMITS, NOTHING, NOTHING, spent) == told


def test_what_is_left() -> None:
    limits = replace(LIMITS, tokens=1000, iterations=10, runtime_s=60)
    left = remaining(limits, cost(49), Spent(cost_usd=150, unpriced=2), here=Spent(tokens=1, iterations=2, runtime_s=3))
    assert (left.cost_usd, left.tokens, left.iterations, left.runtime_s, left.unpriced) == (1, 999, 8, 57, 2)
    over = remaining(limits, cost(60), cost(60), here=Spent(tokens=2000, iterations=20, runtime_s=99))
    assert (over.cost_usd, over.tokens, over.iterations, over.runtime_s) == (0, 0, 0, 0)
    none = remaining(NONE, cost(60), cost(60))
    assert (none.cost_usd, none.tokens, none.iterations, none.runtime_s) == (None, None, None, None)


@pytest.mark.parametrize(
    ("session", "total", "left"),
    [(0.0, 0.0, 2.0), (49.0, 60.0, 1.0), (0.0, 199.5, 0.5)],
    ids=["an iteration's", "the session's", "the project's, after a resume"],
)
def test_a_turn_may_use_what_is_left_of_each_limit(session: float, total: float, left: float) -> None:
    assert turn_limits(LIMITS, cost(session), cost(total)) == TurnLimits(cost_usd=left)


USD = st.floats(0, 300, allow_nan=False)
A_LIMIT = st.none() | st.floats(0.01, 300)


@given(limits=st.builds(Limits, per_iteration_usd=A_LIMIT, per_session_usd=A_LIMIT, total_usd=A_LIMIT), costs=st.data())
def test_no_limit_is_overshot_by_more_than_one_turn(limits: Limits, costs: st.DataObject) -> None:
    """Whatever the turns cost: before each, what it may use is more than nothing, and within what is left."""
    session = total = NOTHING
    last = NOTHING
    while total.iterations < 12 and exceeded(limits, last, session, total) is None:
        allowed = turn_limits(limits, session, total).cost_usd
        for limit, spent in ((limits.per_session_usd, session), (limits.total_usd, total)):
            if limit is not None:
                assert allowed is not None
                assert 0 < allowed <= max(0.01, limit - spent.cost_usd) + 1e-9
        usage = Usage(cost_usd=costs.draw(USD))
        last = NOTHING.plus(usage, runtime_s=1)
        total = total.plus(usage, runtime_s=1)
        session = NOTHING if costs.draw(st.booleans()) else session.plus(usage, runtime_s=1)
        before = total.cost_usd - last.cost_usd
        assert limits.total_usd is None or before < limits.total_usd


@pytest.mark.parametrize(
    ("limits", "known", "starts"),
    [
        (Limits(), False, True),
        (LIMITS, True, True),
        (LIMITS, False, False),
        (NONE, True, False),
        (replace(LIMITS, tokens=1), False, True),
        (replace(LIMITS, iterations=1), False, True),
        (replace(LIMITS, runtime_s=1), False, True),
    ],
)
def test_what_nothing_would_stop_does_not_start(limits: Limits, known: bool, starts: bool) -> None:
    why = unbounded(limits, cost_known=known)
    assert (why is None) == starts
    assert why is None or "ralph.yml" in why


def test_a_cost_that_turns_out_to_be_unknown_halts_where_nothing_else_would() -> None:
    unknown = NOTHING.plus(Usage(input_tokens=5), runtime_s=1)
    assert (exceeded(LIMITS, unknown, unknown, unknown) or "").startswith("cost_unknown:")
    assert exceeded(replace(LIMITS, tokens=10), unknown, unknown, unknown) is None
    uncounted = NOTHING.plus(None, runtime_s=1)
    assert (exceeded(replace(LIMITS, tokens=10), uncounted, uncounted, uncounted) or "").startswith("cost_unknown:")
    assert exceeded(Limits(), uncounted, uncounted, uncounted) is None
