"""An assertion that demands less, in every spelling, and its innocent twins."""

from __future__ import annotations

import pytest

from tests.guardrails.python.judge import findings, worst
from tests.guardrails.python.weakenings import BLOCK, CLEAN, EXACT, HEAD, REVIEW

PRODUCT = "def total(prices, rate):\n    return sum(prices) * rate\n"
FIXED = "def total(prices, rate):\n    return sum(prices) * (1 + rate)\n"
TEST = f"{HEAD}def test_total():\n"


def judged(body: str, product: str = PRODUCT) -> str:
    before = {"pricing.py": PRODUCT, "tests/test_pricing.py": TEST + EXACT}
    return worst(findings(before, {"pricing.py": product, "tests/test_pricing.py": TEST + body}))


@pytest.mark.parametrize("body", BLOCK.values(), ids=BLOCK)
def test_less_is_blocked(body: str) -> None:
    assert judged(body) == "block"


@pytest.mark.parametrize("body", CLEAN.values(), ids=CLEAN)
def test_as_much_is_no_finding(body: str) -> None:
    assert judged(body) == "clean"


@pytest.mark.parametrize("body", REVIEW.values(), ids=REVIEW)
def test_somewhat_less_is_for_a_person(body: str) -> None:
    assert judged(body) == "review"


@pytest.mark.parametrize("body", BLOCK.values(), ids=BLOCK)
def test_a_stronger_assertion_is_no_finding(body: str) -> None:
    if "other value" in body or not body.startswith("    assert"):
        return
    before, after = {"tests/test_pricing.py": TEST + body}, {"tests/test_pricing.py": TEST + EXACT}
    assert all(
        finding.severity == "review" or finding.rule == "test.expected-changed" for finding in findings(before, after)
    )


def test_another_value_is_for_a_person_where_the_product_changed() -> None:
    assert judged(EXACT.replace("33.0", "30.0")) == "block"
    assert judged(EXACT.replace("33.0", "30.0"), FIXED) == "review"
