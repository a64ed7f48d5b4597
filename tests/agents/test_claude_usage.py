"""What a turn used: totals of a conversation are differenced, and nothing is counted twice."""

from __future__ import annotations

from typing import Any

import pytest

from ralph.agents.base import Usage
from ralph.agents.claude_usage import Tally

MODEL = "claude-sonnet-5"


def called(number: str, tokens: int = 100, cached: int = 0, model: str = MODEL) -> dict[str, Any]:
    usage = {"input_tokens": tokens, "output_tokens": 1, "cache_read_input_tokens": cached}
    return {"id": number, "model": model, "usage": {**usage, "cache_creation_input_tokens": 7}}


def model_usage(tokens: int, cost: object, **more: object) -> dict[str, Any]:
    used = {"inputTokens": tokens, "outputTokens": 20, "cacheReadInputTokens": 5, "cacheCreationInputTokens": 7}
    return {MODEL: {**used, "costUSD": cost, "contextWindow": 200_000, "costBasis": "list", **more}}


def used(tally: Tally) -> Usage:
    usage = tally.usage()
    assert usage is not None
    return usage


def test_nothing_is_known_before_anything_was_said() -> None:
    assert Tally(resumed=False).usage() is None


def test_a_resumed_conversation_is_paid_for_once() -> None:
    """The client's totals hold what former turns cost."""
    tally = Tally(resumed=True)
    tally.call(called("m1"), is_main=True)
    tally.result({"modelUsage": model_usage(900, 9.0), "model_usage_since_last_result": model_usage(100, 0.5)})
    assert used(tally) == Usage(
        input_tokens=100, output_tokens=20, cache_read_tokens=5, cache_write_tokens=7, cost_usd=0.5,
        context_tokens=107, context_window=200_000, model_calls=1,
    )  # fmt: skip


def test_several_results_of_a_turn_add_up() -> None:
    tally = Tally(resumed=False)
    for cost in (0.5, 0.25):
        tally.result({"modelUsage": model_usage(900, 9.0), "model_usage_since_last_result": model_usage(100, cost)})
    assert (used(tally).cost_usd, used(tally).input_tokens) == (0.75, 200)


def test_an_older_client_s_totals_count_in_a_new_conversation() -> None:
    tally = Tally(resumed=False)
    tally.result({"modelUsage": model_usage(100, 0.5), "usage": {"input_tokens": 100}})
    tally.result({"modelUsage": model_usage(300, 0.75), "usage": {"input_tokens": 200}})
    assert (used(tally).cost_usd, used(tally).input_tokens) == (0.75, 300)


def test_an_older_client_s_cost_is_unknown_in_a_resumed_one() -> None:
    """Its tokens are those of the turn; its cost is that of the whole conversation."""
    tally = Tally(resumed=True)
    tally.result({"modelUsage": model_usage(900, 9.0), "usage": {"input_tokens": 100, "output_tokens": 20}})
    assert (used(tally).cost_usd, used(tally).input_tokens, used(tally).output_tokens) == (None, 100, 20)


@pytest.mark.parametrize(
    ("cost", "basis"),
    [(-1, "list"), (float("nan"), "list"), (float("inf"), "list"), ("1", "list"), (True, "list"), (1.0, "unknown")],
)
def test_a_cost_that_is_none_is_unknown(cost: object, basis: str) -> None:
    """The client guesses the price of a model that it does not know."""
    tally = Tally(resumed=False)
    tally.result({"model_usage_since_last_result": model_usage(100, cost, costBasis=basis)})
    assert used(tally).cost_usd is None


def test_a_turn_that_died_has_tokens_and_no_cost() -> None:
    tally = Tally(resumed=False)
    assert tally.call(called("m1", 100), is_main=True)
    assert not tally.call(called("m1", 100), is_main=True), "the same call in a second message"
    assert tally.call(called("m2", 50), is_main=True)
    assert (used(tally).cost_usd, used(tally).input_tokens, used(tally).model_calls) == (None, 150, 2)


def test_a_subagent_s_context_is_its_own() -> None:
    tally = Tally(resumed=False)
    tally.call(called("m1", 100, cached=1000), is_main=True)
    tally.call(called("m2", 5), is_main=False)
    assert (used(tally).context_tokens, used(tally).input_tokens) == (1107, 105)


@pytest.mark.parametrize(
    "message",
    [{}, {"id": 1, "usage": {}}, {"id": "m", "usage": None}, called("m", model="<synthetic>")],
    ids=["empty", "no id", "no usage", "the client's own words"],
)
def test_what_is_no_call_of_the_model_is_not_counted(message: dict[str, Any]) -> None:
    tally = Tally(resumed=False)
    assert not tally.call(message, is_main=True)
    assert tally.usage() is None
