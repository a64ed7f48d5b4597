"""What a turn cost, where the client does not say (design decision 36).

Rules: what the client reports counts. Else the cost is computed from prices per million tokens; where a price of the
cache is not given, its tokens cost as much as others of the input. Without prices the cost is unknown, never nothing.
"""

from __future__ import annotations

import math

from ralph.agents.base import Usage
from ralph.record import record, replace

_MILLION = 1_000_000


@record(kw_only=True)
class Prices:
    """US dollars per million tokens."""

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None


def priced(usage: Usage, prices: Prices | None) -> Usage:
    """With its cost; None if nobody knows it. No count is below 0, and a cost that is no amount is no cost."""
    usage = replace(
        usage,
        input_tokens=max(0, usage.input_tokens),
        output_tokens=max(0, usage.output_tokens),
        cache_read_tokens=max(0, usage.cache_read_tokens),
        cache_write_tokens=max(0, usage.cache_write_tokens),
    )
    if usage.cost_usd is not None and math.isfinite(usage.cost_usd) and usage.cost_usd >= 0:
        return usage
    if prices is None:
        return replace(usage, cost_usd=None)
    cost = (
        usage.input_tokens * prices.input
        + usage.output_tokens * prices.output
        + usage.cache_read_tokens * (prices.input if prices.cache_read is None else prices.cache_read)
        + usage.cache_write_tokens * (prices.input if prices.cache_write is None else prices.cache_write)
    )
    return replace(usage, cost_usd=cost / _MILLION)
