"""What a turn cost, where the client does not say."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from ralph.agents.base import Usage
from ralph.agents.prices import Prices, priced

PRICES = Prices(input=3, output=15, cache_read=0.3, cache_write=3.75)
USAGE = Usage(input_tokens=1_000_000, output_tokens=100_000, cache_read_tokens=2_000_000, cache_write_tokens=400_000)


@pytest.mark.parametrize(
    ("usage", "prices", "cost_usd"),
    [
        (USAGE, PRICES, 3 + 1.5 + 0.6 + 1.5),
        (USAGE, Prices(input=3, output=15), 3 + 1.5 + 6 + 1.2),
        (USAGE, Prices(input=0, output=0), 0.0),
        (USAGE, None, None),
        (replace(USAGE, cost_usd=0.25), PRICES, 0.25),
        (replace(USAGE, cost_usd=0.0), PRICES, 0.0),
        (replace(USAGE, cost_usd=math.nan), PRICES, 6.6),
        (replace(USAGE, cost_usd=math.nan), None, None),
        (replace(USAGE, cost_usd=-1.0), None, None),
        (Usage(input_tokens=-5, output_tokens=1_000_000), PRICES, 15.0),
    ],
)
def test_prices(usage: Usage, prices: Prices | None, cost_usd: float | None) -> None:
    found = priced(usage, prices)
    assert found.cost_usd == (None if cost_usd is None else pytest.approx(cost_usd))
    assert found.tokens >= 0
