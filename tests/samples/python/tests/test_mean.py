import pytest

from calc import mean


def test_mean() -> None:
    assert mean([1.0, 2.0, 3.0]) == 2.0


def test_nothing_has_no_mean() -> None:
    with pytest.raises(ValueError, match="no values"):
        mean([])
