"""A line of the gate language, and what became of its gates, as records. Spec: shell verify gates; decision 27."""

from __future__ import annotations

from typing import Literal

from ralph.record import field, record

Preset = Literal["fast", "full", "extended"]
GateState = Literal["pending", "passed", "failed", "blocked", "skipped", "aborted"]


@record(kw_only=True)
class VerifyGate:
    """`:: verify:"command"`. Passes only on a real exit 0. `timeout_s` and `attempts` are what the options come to."""

    command: str
    attempts: int = 5
    timeout_s: float = 60.0
    cwd: str | None = None
    preset: Preset | None = None


@record(kw_only=True)
class CriteriaGate:
    """`:: "text"` or `:: name:"text"`: judged by the agent or an isolated judge, never by an exit code."""

    text: str
    name: str | None = None


@record(kw_only=True)
class Step:
    """One prompt of a chain, with its arguments and its gates, in the order in which they were written."""

    prompt: str
    arguments: tuple[tuple[str, str], ...] = ()
    text: str = ""
    """What stands behind the name and is no `key:value`."""
    gates: tuple[VerifyGate | CriteriaGate, ...] = ()


@record
class Chain:
    """`>>a … --> >>b …`: steps one after the other."""

    steps: tuple[Step, ...]


@record(kw_only=True)
class Attempt:
    """One run of a verify gate's command on one tree. `problem` is set when the end proves nothing."""

    number: int
    tree: str
    exit_code: int | None
    signal: str | None = None
    timed_out: bool = False
    problem: str | None = None
    excerpt: str = ""
    log: str = ""
    duration_ms: int = 0
    sandbox_level: str = "none"
    baseline: bool = False
    """Measured before the work."""
    refused: bool = False
    """It was not run at all: the line, its folder, the permissions or the sandbox forbid it. Trying again is no use."""

    @property
    def passed(self) -> bool:
        return self.exit_code == 0 and not self.timed_out and self.signal is None and self.problem is None


@record(kw_only=True)
class Judgement:
    """One answer to a criteria gate, about one tree. Without a readable answer `verdict` is `unanswered`."""

    number: int
    tree: str
    verdict: Literal["pass", "fail", "unanswered"]
    reason: str
    by: str = ""
    """Who judged: the name of the agent, or of the isolated judge."""

    @property
    def passed(self) -> bool:
        return self.verdict == "pass"


@record(kw_only=True)
class GateRun:
    """A gate of a running prompt: what was tried and where it stands."""

    id: str
    gate: VerifyGate | CriteriaGate
    state: GateState = "pending"
    attempts: tuple[Attempt, ...] = field(default_factory=tuple)
    judgements: tuple[Judgement, ...] = ()
    reason: str = ""
    step: int = 1
    """Which step of the chain it belongs to, counted from 1."""
    forgiven: int = 0
    """Failures that a person's `retry` took off the count."""
