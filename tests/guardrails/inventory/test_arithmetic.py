"""What a wanted number is, however it is written."""

from __future__ import annotations

import pytest

from ralph.guardrails.inventory.wanted.arithmetic import number_of, same_number


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("33.0", 33.0),
        ("-2", -2.0),
        ("30 * 1.1", 33.0),
        ("sum([10, 20]) * 1.1", 33.0),
        ("(1 + 2) ** 3 - 7 % 4", 24.0),
        ("Math.max(3, 9) / 3", 3.0),
        ("7 / 2.0", 3.5),
        ("7 // 2", 3.0),
        ("len([1, 1])", 2.0),
        ("7 / 2", None),  # 3 in Go, 3.5 in Python
        ("1 / 0", None),
        ("9 ** 999999", None),
        ("10 ** 60", None),
        ("10 * rate", None),
        ("total(10)", None),
        ("len('ab')", None),
        ("[1, 2]", None),
        ("True", None),
        ("'33'", None),
        ("1 +", None),
        ("", None),
    ],
)
def test_number(written: str, number: float | None) -> None:
    assert number_of(written) == (None if number is None else pytest.approx(number))


def test_the_same_number_written_otherwise() -> None:
    assert same_number("33.0", "30 * 1.1")
    assert same_number("33.0", "sum([10, 20]) * 0.1") is False
    assert same_number("33.0", "sum(prices)") is None
