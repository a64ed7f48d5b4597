"""The one door to the time, how it is written, and the run ids made from it (design decision 8)."""

from __future__ import annotations

from datetime import UTC, datetime

NO_COMMIT = "0" * 12


def now() -> datetime:
    """UTC, in whole milliseconds: what is written down is what was meant."""
    moment = datetime.now(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def rfc3339(moment: datetime) -> str:
    """How every record writes a time: UTC, milliseconds, `Z`."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def run_id(moment: datetime, commit: str | None) -> str:
    """`YYYYMMDDTHHMMSSmmmZ-<12 hex of the commit>`: ids sort by time; without a commit the hex is all zeros."""
    utc = moment.astimezone(UTC)
    return f"{utc:%Y%m%dT%H%M%S}{utc.microsecond // 1000:03d}Z-{(commit or NO_COMMIT)[:12]}"
