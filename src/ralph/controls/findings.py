"""The few ways in which a control ends, as results. Only `held` is good: what could not be measured says so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ralph.results import COULD_NOT_VERIFY, ControlResult

DOES_NOT_APPLY = "does not apply:"
NAMED = 3
MOST_DETAILS = 200


def held(name: str, reason: str | None = None, details: Iterable[str] = ()) -> ControlResult:
    return ControlResult(name=name, status="held", reason=reason, details=_limited(details))


def broken(name: str, reason: str, details: Iterable[str] = ()) -> ControlResult:
    return ControlResult(name=name, status="broken", reason=reason, details=_limited(details))


def unsure(name: str, reason: str, details: Iterable[str] = ()) -> ControlResult:
    return ControlResult(name=name, status="open", reason=f"{COULD_NOT_VERIFY} {reason}", details=_limited(details))


def idle(name: str, reason: str) -> ControlResult:
    return ControlResult(name=name, status="idle", reason=f"{DOES_NOT_APPLY} {reason}")


def listed(items: Sequence[str]) -> str:
    """The first few, and how many more there are."""
    more = f" and {len(items) - NAMED} more" if len(items) > NAMED else ""
    return ", ".join(items[:NAMED]) + more


def number(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


def _limited(details: Iterable[str]) -> tuple[str, ...]:
    found = tuple(details)
    more = (f"... and {len(found) - MOST_DETAILS} more",) if len(found) > MOST_DETAILS else ()
    return (*found[:MOST_DETAILS], *more)
