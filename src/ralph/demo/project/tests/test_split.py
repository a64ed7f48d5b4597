import pytest

from fairshare import split


def test_equal_shares() -> None:
    assert split(900, 3) == [300, 300, 300]


def test_shares_add_up() -> None:
    assert sum(split(1000, 3)) == 1000


def test_nobody_cannot_pay() -> None:
    with pytest.raises(ValueError, match="at least one"):
        split(100, 0)
