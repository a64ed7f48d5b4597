"""An exception as a record (design decision 27): who lets what go by, why, and until when.

An exception says that a person has seen something and takes it upon themselves for a time. Nothing is measured or
judged less for it, and whatever it covers is shown with it: it never turns anything into a silent PASS.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from ralph.errors import UsageError
from ralph.record import record
from ralph.results import Excuse

LONGEST = timedelta(days=90)
KINDS = ("gate", "finding")
"""What an exception may cover: a gate by its id, findings by their rule and file."""

_SPAN = re.compile(r"([1-9][0-9]{0,3})([mhd])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


class Status(StrEnum):
    VALID = "valid"
    EXPIRED = "expired"
    REVOKED = "revoked"
    UNTRUSTED = "untrusted"


@record(kw_only=True)
class Grant:
    """What a signature covers. `subject` is the digest of what stood behind the name `covers` when it was granted."""

    id: str
    root: str
    covers: str
    subject: str
    reason: str
    who: str
    granted_at: str
    until: str


@record(kw_only=True)
class Entry:
    """An exception and what became of it."""

    grant: Grant
    status: Status
    keyid: str
    problem: str = ""
    """Who took it back and why, or why it is not trusted."""

    def sentence(self) -> str:
        """For the text of whatever it covers."""
        grant = self.grant
        return f"exception {grant.id} by {grant.who} until {grant.until}: {grant.reason}"


def moment(text: str) -> datetime:
    """A time as it stands in a record. Raises ValueError."""
    return datetime.fromisoformat(text).astimezone(UTC)


def until(text: str, now: datetime) -> datetime:
    """When an exception ends: `90m`, `8h`, `3d`, or a date or time. Raises UsageError."""
    span = _SPAN.fullmatch(text)
    try:
        end = now + timedelta(**{_UNITS[span[2]]: int(span[1])}) if span else _date(text)
    except (ValueError, OverflowError):
        raise UsageError(
            f"{text!r} is no time: write a span (90m, 8h, 3d), a date (2026-12-31) or a time in UTC "
            "(2026-12-31T12:00:00Z)."
        ) from None
    if end <= now:
        raise UsageError(f"{text} is over already: an exception needs an end in the future.")
    if end > now + LONGEST:
        raise UsageError(f"{text} is too far away: an exception lasts at most {LONGEST.days} days, and can be renewed.")
    return end


def excuse(entries: Sequence[Entry], covers: str, subject: str) -> Excuse | None:
    """What exceptions say to findings of this digest; of those that name them and do not count, the newest."""
    named = [each for each in entries if each.grant.covers == covers]
    for each in reversed(named):
        if each.status is Status.VALID and each.grant.subject == subject:
            return Excuse(holds=True, sentence=each.sentence())
    if not named:
        return None
    last = named[-1]
    why = {
        Status.VALID: "what it was granted for has changed since; a new one is needed",
        Status.EXPIRED: f"it is over since {last.grant.until}",
        Status.REVOKED: f"it was revoked {last.problem}",
        Status.UNTRUSTED: f"it is not trusted: {last.problem}",
    }[last.status]
    return Excuse(holds=False, sentence=f"exception {last.grant.id} does not count: {why}")


def covered(text: str, subject: str = "") -> str:
    """The name of what is covered, checked. Raises UsageError."""
    kind, _, name = text.partition(":")
    if kind == "limit":
        where = "in the contract or in ralph.yml"
        raise UsageError(f"No exception lifts a limit: raise it where it stands, {where}, and commit that yourself.")
    if kind not in KINDS or not name.strip() or name != name.strip() or not text.isprintable():
        wanted = ", ".join(f"{each}:NAME" for each in KINDS)
        raise UsageError(f"{text!r} is nothing that an exception can cover: write one of {wanted}.")
    if kind == "finding" and not subject:
        raise UsageError(
            "An exception for findings is bound to what was found: name the rule and the file, as in "
            "`ralph exceptions add RULE PATH`."
        )
    return text


def _date(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
