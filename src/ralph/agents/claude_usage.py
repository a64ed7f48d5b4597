"""What a turn of Claude Code used, from what the client says.

Rules (research: agent clients, 1.4; design decisions 28 and 36):

- The totals of a result are those of the whole conversation, also after it was resumed. What counts is what it used
  since the result before, which the client says as well, for each model. An older client that does not say it has
  an unknown cost in a resumed conversation, and never one that is counted twice.
- Calls of the model that no result covers yet are counted by their messages, which say nothing of the cost. A turn
  that died therefore has an unknown cost.
- A price that the client only guesses (`costBasis: unknown`), or that is no amount of money, is unknown.
- What a subagent only says is not shown, so there may be more calls of the model than are counted; results cover them.
- The context is the input of the last call in the main conversation: a subagent has a window of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from ralph.agents.base import Usage

Json = Mapping[str, Any]


class Tally:
    """The sums of one turn. `resumed`: the conversation had turns before this one."""

    def __init__(self, *, resumed: bool) -> None:
        self._resumed = resumed
        self._settled = Usage(cost_usd=0.0)
        self._open: dict[str, Usage] = {}
        self._calls: set[str] = set()
        self._context: int | None = None
        self._model: str | None = None
        self._window: int | None = None

    def call(self, message: Json, *, is_main: bool) -> bool:
        """A message of the model's; False if it belongs to a call that was counted, or to none."""
        number, usage, model = message.get("id"), message.get("usage"), message.get("model")
        if not isinstance(number, str) or not isinstance(usage, Mapping) or model == "<synthetic>":
            return False
        is_new = number not in self._calls
        self._calls.add(number)
        one = _of_call(usage)
        self._open[number] = one
        if is_main:
            self._context = one.tokens - one.output_tokens
            self._model = model if isinstance(model, str) else None
        return is_new

    def result(self, result: Json) -> None:
        """A result settles all calls before it."""
        since, total = _models(result.get("model_usage_since_last_result")), _models(result.get("modelUsage"))
        if since is not None:
            self._settled = _sum([self._settled, *map(_of_model, since.values())])
        elif total is not None and not self._resumed:
            self._settled = _sum([Usage(cost_usd=0.0), *map(_of_model, total.values())])
        else:
            usage = result.get("usage")
            self._settled = _sum([self._settled, _of_call(usage if isinstance(usage, Mapping) else {})])
        self._open.clear()
        window = _whole(((total or {}).get(self._model or "") or {}).get("contextWindow"))
        self._window = window or self._window

    def usage(self) -> Usage | None:
        """What was used so far; None if nothing is known."""
        if not self._calls and not self._window and self._settled == Usage(cost_usd=0.0):
            return None
        whole = _sum([self._settled, *self._open.values()])
        return Usage(
            input_tokens=whole.input_tokens,
            output_tokens=whole.output_tokens,
            cache_read_tokens=whole.cache_read_tokens,
            cache_write_tokens=whole.cache_write_tokens,
            cost_usd=whole.cost_usd,
            context_tokens=self._context,
            context_window=self._window,
            model_calls=len(self._calls),
        )


def _models(value: object) -> Mapping[str, Json] | None:
    if not isinstance(value, Mapping):
        return None
    return {name: each for name, each in value.items() if isinstance(each, Mapping)}


def _of_model(usage: Json) -> Usage:
    return Usage(
        input_tokens=_whole(usage.get("inputTokens")),
        output_tokens=_whole(usage.get("outputTokens")),
        cache_read_tokens=_whole(usage.get("cacheReadInputTokens")),
        cache_write_tokens=_whole(usage.get("cacheCreationInputTokens")),
        cost_usd=_amount(usage.get("costUSD")) if usage.get("costBasis") != "unknown" else None,
    )


def _of_call(usage: Json) -> Usage:
    return Usage(
        input_tokens=_whole(usage.get("input_tokens")),
        output_tokens=_whole(usage.get("output_tokens")),
        cache_read_tokens=_whole(usage.get("cache_read_input_tokens")),
        cache_write_tokens=_whole(usage.get("cache_creation_input_tokens")),
    )


def _sum(parts: Iterable[Usage]) -> Usage:
    parts = list(parts)
    costs = [each.cost_usd for each in parts]
    return Usage(
        input_tokens=sum(each.input_tokens for each in parts),
        output_tokens=sum(each.output_tokens for each in parts),
        cache_read_tokens=sum(each.cache_read_tokens for each in parts),
        cache_write_tokens=sum(each.cache_write_tokens for each in parts),
        cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
    )


def _whole(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def _amount(value: object) -> float | None:
    is_amount = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0
    return float(value) if is_amount and isinstance(value, int | float) else None
