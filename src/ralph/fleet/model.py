"""What is asked of a fleet, and what it tells: the records that every implementation shares.

Rules:

- A verification's id is the digest of all its inputs: who asks for the same again gets the same job. A signed PASS is
  reused; anything else is measured again (design decision 14). A run is an event, so each has an id of its own.
- Names are settled when a job is submitted: commits are full ids, the policy set has a version and a digest, and so
  has the contract. A worker that has other ones refuses the job.
- A record never holds a secret: an address with a password in it is refused, not stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Literal

import ralph
from ralph.record import field, record
from ralph.system import records

State = Literal["queued", "running", "waiting", "done", "error", "cancelled"]
OVER: tuple[State, ...] = ("done", "error", "cancelled")
Kind = Literal["verify", "run"]
Do = Literal["approve", "reject", "suggest", "go on"]

EXITS = {"PASS": 0, "FAIL": 1, "BLOCKED": 2}
RUN_EXITS = {"passed": 0, "failed": 1, "blocked": 2, "error": 3, "waits": 4, "limit": 5, "stopped": 130}


@record(kw_only=True)
class Verification:
    """Judge `commit` of `repository` against `base`, or against where it left `onto`, the default branch then.

    `fresh` is a word of its own for a measurement that must not be an earlier one's.
    """

    repository: str
    commit: str
    base: str | None = None
    onto: str | None = None
    policy: str
    policy_digest: str
    contract: str | None = None
    contract_digest: str | None = None
    step_timeout_s: float = 600.0
    fresh: str = ""
    ralph: str = ralph.__version__

    @property
    def id(self) -> str:
        return records.digest({"verify": asdict(self)})[:32]


@record(kw_only=True)
class Run:
    """Have an agent work on `commit` of `repository` until everything is proven, or a limit is reached."""

    id: str
    repository: str
    commit: str
    prompt: str
    agent: str | None = None
    preset: str | None = None
    contract: str | None = None
    phase: str | None = None
    iterations: int | None = None
    cost_usd: float | None = None


Work = Verification | Run


def kind_of(work: Work) -> Kind:
    return "verify" if isinstance(work, Verification) else "run"


def work_of(kind: str, plain: Mapping[str, Any]) -> Work:
    """The work as it was written down. Raises ConfigError."""
    if kind == "verify":
        return records.parse(Verification, plain, "the job")
    return records.parse(Run, plain, "the job")


@record(kw_only=True)
class Job:
    """A job as it stands. `outcome` is a verdict's type or a run's end; `waits` says what for, if it waits.

    `round` counts how often it was begun anew, `attempt` how often a worker took it up.
    """

    id: str
    kind: Kind
    work: Work
    state: State
    round: int = 0
    attempt: int = 0
    holder: str | None = None
    home: str | None = None
    outcome: str | None = None
    why: str = ""
    result: Mapping[str, Any] = field(default_factory=dict)
    waits: Mapping[str, Any] | None = None
    submitted_at: float = 0.0
    started_at: float | None = None
    ended_at: float | None = None

    @property
    def is_over(self) -> bool:
        return self.state in OVER

    @property
    def exit_code(self) -> int:
        """That of `ralph verify` or `ralph run`: 4 while it is not over, 3 without a verdict."""
        if self.state == "cancelled":
            return 130
        if not self.is_over:
            return 4
        return (EXITS if self.kind == "verify" else RUN_EXITS).get(self.outcome or "", 3)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@record(kw_only=True)
class Word:
    """What a person says to a run that waits."""

    do: Do
    by: str
    reason: str = ""
    text: str = ""


@record(kw_only=True)
class Seen:
    """A worker as the queue knows it."""

    name: str
    host: str
    pid: int
    home: str
    concurrency: int
    running: int
    started_at: float
    seen_s: float
    """So long ago it was heard of."""
    alive: bool
