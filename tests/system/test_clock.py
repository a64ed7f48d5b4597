from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from ralph.system import clock

MOMENT = datetime(2026, 1, 5, 9, 7, 3, 4999, tzinfo=UTC)


def test_now_is_aware_and_utc() -> None:
    assert clock.now().utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    ("moment", "commit", "expected"),
    [
        pytest.param(MOMENT, "0123456789abcdef" * 2 + "01234567", "20260105T090703004Z-0123456789ab", id="commit"),
        pytest.param(MOMENT, None, "20260105T090703004Z-000000000000", id="no commit"),
        pytest.param(
            MOMENT.astimezone(timezone(timedelta(hours=5))), None, "20260105T090703004Z-000000000000", id="zone"
        ),
    ],
)
def test_run_id(moment: datetime, commit: str | None, expected: str) -> None:
    assert clock.run_id(moment, commit) == expected
