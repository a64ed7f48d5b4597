"""Events, checks and what a gate makes of a claim, as records.

Spec: events, evidence and confession; DESIGN.md decisions 15 to 21 and section 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from ralph.record import field, record

Origin = Literal["agent", "default", "human", "replay", "ralph"]
"""Who published: an agent, a hat's default, a person, the log, Ralph itself."""


class CheckState(StrEnum):
    """How one check of a claim reads. `absent`: it is not mentioned; `invalid`: it is, but not as it must be."""

    PASS = "pass"
    FAIL = "fail"
    INVALID = "invalid"
    ABSENT = "absent"


class Outcome(StrEnum):
    """`missing`: no known key at all. `ungated`: no gate guards this topic."""

    ACCEPTED = "accepted"
    FAILED = "failed"
    MISSING = "missing"
    UNGATED = "ungated"


@record(kw_only=True)
class Check:
    """One check of a gate. `kind` says how its value is read; `at_least`, `at_most` are limits of a number.

    `aliases` are further names for the same check (`perf`).
    """

    name: str
    kind: Literal["pass", "performance", "percent", "number", "mutants"]
    required: bool = True
    at_least: float | None = None
    at_most: float | None = None
    aliases: tuple[str, ...] = ()


@record(kw_only=True)
class Gate:
    """What guards a topic: its checks, and the topic that is published instead when one does not hold."""

    topic: str
    refusal: str
    checks: tuple[Check, ...]


@record(kw_only=True)
class Reading:
    """One check of a claim as it was read. `value` is the number, where there is one; `text` what was claimed."""

    state: CheckState
    text: str | None = None
    value: float | None = None
    reason: str | None = None
    """Why it is invalid, or which limit it misses."""


@record(kw_only=True)
class GateDecision:
    """What a gate makes of a claim. `publishes` is the topic that reaches the bus, `failed` full key names, sorted."""

    topic: str
    outcome: Outcome
    publishes: str
    checks: Mapping[str, Reading] = field(default_factory=dict)
    failed: tuple[str, ...] = ()
    message: str = ""
    warnings: tuple[str, ...] = ()


@record(kw_only=True)
class Event:
    """Something that was published. `task` is an id; `number` its place in the log, from 1."""

    topic: str
    payload: str
    origin: Origin
    hat: str | None = None
    agent: str | None = None
    model: str | None = None
    task: str | None = None
    iteration: int | None = None
    claimed: str | None = None
    """The topic that was claimed, where a gate rewrote it."""
    number: int | None = None
    time: str | None = None
    key: str | None = None
    """Of the publication that it belongs to, which happens once, also when it is begun twice."""
