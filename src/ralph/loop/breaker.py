"""The circuit breaker: stops a run that breaks again and again, goes in circles, or costs too much (spec: circuit
breaker; design decisions 28 and 29).

It is a value; every function gives the next one. `halts` looks at the state and at nothing else.

| state     | succeeded | failed      | progressed | idle        | over_limit | probe     | handed_off | reset     |
|-----------|-----------|-------------|------------|-------------|------------|-----------|------------|-----------|
| closed    | closed    | closed/open | closed     | closed/open | open       | closed    | closed     | closed    |
| open      | open      | open        | open       | open        | open       | half/open | half/open  | half_open |
| half_open | closed    | open        | half/close | open        | open       | half_open | half_open  | closed    |

- closed -> open: at the third failure without a success between (`failed`), at the fifth iteration without progress
  (`idle`), at a limit (`over_limit`). The two counters do not touch each other.
- open: whatever happens changes nothing. The ways out lead to half_open: a person's `reset`, which sets the counters to
  0; a `probe` once the cooldown is over, or once the limit that opened it is kept again; after stagnation one handoff,
  since fresh context may help.
- half_open is one attempt. A task's success closes the breaker; so does progress, unless failures had opened it. It
  closes with its counters at 0. A failure or an idle iteration opens it again, with a cooldown of its own; what
  failures had opened stays open for them.
- A failure is an agent's error, or a task that ended without success; a failed verification inside a task is neither
  that nor a success. An idle iteration changed no tree and no task, and no event of it was newly accepted: the caller
  calls `idle` or `progressed` once for each iteration, whatever else it calls.
- Another handoff is tried only after a success or a reset: progress alone does not earn one.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from ralph.record import record, replace
from ralph.system.clock import rfc3339

State = Literal["closed", "open", "half_open"]
OpenedFor = Literal["failures", "stagnation", "limit"]
Trouble = Literal["agent_error", "task_failed", "stagnation", "limit"]
Recovery = Literal["RETRY", "SKIP_TASK", "HANDOFF", "MANUAL_INTERVENTION"]


@record(kw_only=True)
class BreakerSettings:
    """How many failures, and how many iterations without progress, open the breaker; and for how long."""

    failures: int = 3
    stagnation: int = 5
    cooldown_s: float = 300.0


@record(kw_only=True)
class Breaker:
    """`halted_by` is the reason while it is open, such as `stagnation:5`; `opened_at` is RFC 3339 in UTC.

    `opened_for` outlives the opening: it says what a half-open breaker must see to close.
    """

    state: State = "closed"
    failure_count: int = 0
    stagnation_count: int = 0
    last_failure_reason: str | None = None
    opened_at: str | None = None
    opened_for: OpenedFor | None = None
    halted_by: str | None = None
    handoff_tried: bool = False


def halts(breaker: Breaker) -> str | None:
    """Why the run must not go on; None if it may. First try `probe`: a cooldown may be over."""
    return (breaker.halted_by or "open") if breaker.state == "open" else None


def succeeded(breaker: Breaker) -> Breaker:
    """A task was completed."""
    if breaker.state == "open":
        return breaker
    if breaker.state == "half_open":
        return Breaker()
    return replace(breaker, failure_count=0, last_failure_reason=None, handoff_tried=False)


def failed(breaker: Breaker, reason: str, settings: BreakerSettings, now: datetime) -> Breaker:
    """An agent's error, or a task that ended without success."""
    if breaker.state == "open":
        return breaker
    count = breaker.failure_count + 1
    counted = replace(breaker, failure_count=count, last_failure_reason=reason)
    if breaker.state == "closed" and count < settings.failures:
        return counted
    return _opened(counted, "failures", f"consecutive_failures:{count}", now)


def progressed(breaker: Breaker) -> Breaker:
    """An iteration that changed the tree or a task, or in which an event was newly accepted."""
    if breaker.state == "open":
        return breaker
    if breaker.state == "half_open" and breaker.opened_for != "failures":
        return Breaker(handoff_tried=breaker.handoff_tried)
    return replace(breaker, stagnation_count=0)


def idle(breaker: Breaker, settings: BreakerSettings, now: datetime) -> Breaker:
    """An iteration that did not."""
    if breaker.state == "open":
        return breaker
    count = breaker.stagnation_count + 1
    counted = replace(breaker, stagnation_count=count)
    if breaker.state == "closed" and count < settings.stagnation:
        return counted
    if breaker.opened_for == "failures":
        return _opened(counted, "failures", f"consecutive_failures:{breaker.failure_count}", now)
    return _opened(counted, "stagnation", f"stagnation:{count}", now)


def over_limit(breaker: Breaker, which: str, now: datetime) -> Breaker:
    """A limit is reached; `which` as `budget.exceeded` names it."""
    return breaker if breaker.state == "open" else _opened(breaker, "limit", which, now)


def probe(breaker: Breaker, settings: BreakerSettings, now: datetime, *, over: str | None = None) -> Breaker:
    """Half-open, if one attempt may be made now. `over` names the limit that is reached as things stand, if one is."""
    if breaker.state != "open" or over is not None:
        return breaker
    if breaker.opened_for != "limit" and cooldown_left_s(breaker, settings, now) > 0:
        return breaker
    return replace(breaker, state="half_open")


def cooldown_left_s(breaker: Breaker, settings: BreakerSettings, now: datetime) -> float:
    """How long until an open breaker may be probed: all of the cooldown where nobody knows when it opened."""
    if breaker.state != "open":
        return 0.0
    try:
        opened = datetime.fromisoformat(breaker.opened_at or "")
    except ValueError:
        return settings.cooldown_s
    waited = (now - (opened if opened.tzinfo else opened.replace(tzinfo=UTC))).total_seconds()
    return settings.cooldown_s if waited < 0 else max(0.0, settings.cooldown_s - waited)


def handed_off(breaker: Breaker) -> Breaker:
    """The session was handed off because `recovery` said so: one attempt with fresh context."""
    if breaker.state != "open" or breaker.opened_for != "stagnation" or breaker.handoff_tried:
        return breaker
    return replace(breaker, state="half_open", handoff_tried=True)


def reset(breaker: Breaker) -> Breaker:
    """A person's word: counters at 0, and closed; an open breaker is half-open first, and closed by what follows."""
    if breaker.state != "open":
        return Breaker()
    return Breaker(state="half_open", opened_for=breaker.opened_for)


def recovery(breaker: Breaker, why: Trouble, retries_left: int) -> Recovery:
    """What to do about trouble that was just recorded in the breaker."""
    if why == "limit":
        return "MANUAL_INTERVENTION"
    if why == "stagnation" or breaker.state == "open":
        circling = breaker.state != "open" or breaker.opened_for == "stagnation"
        return "HANDOFF" if circling and not breaker.handoff_tried else "MANUAL_INTERVENTION"
    return "RETRY" if retries_left > 0 else "SKIP_TASK"


def _opened(breaker: Breaker, opened_for: OpenedFor, halted_by: str, now: datetime) -> Breaker:
    at = rfc3339(now)
    return replace(breaker, state="open", opened_at=at, opened_for=opened_for, halted_by=halted_by)
