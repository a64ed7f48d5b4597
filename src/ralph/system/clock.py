"""The one door to the time, and the run ids made from it (design decision 8)."""

from __future__ import annotations

from datetime import UTC, datetime

NO_COMMIT = "0" * 12


def now() -> datetime:
    return datetime.now(UTC)


def run_id(moment: datetime, commit: str | None) -> str:
    """`YYYYMMDDTHHMMSSmmmZ-<12 hex of the commit>`: ids sort by time; without a commit the hex is all zeros."""
    utc = moment.astimezone(UTC)
    return f"{utc:%Y%m%dT%H%M%S}{utc.microsecond // 1000:03d}Z-{(commit or NO_COMMIT)[:12]}"
