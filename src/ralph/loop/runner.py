"""A small governed loop: turns of an agent, each claim answered by a verdict of the engine.

Rules (design decisions 11, 20, 30): a claim alone completes nothing; every turn that claims is measured.
PASS ends the loop. FAIL goes back to the agent with the reasons. BLOCKED goes back once, with the report; a second
BLOCKED, an exceeded contract or a change to what judges it, stops. A turn without a claim counts as an attempt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ralph.agents.base import Agent, Claim, Record, Turn
from ralph.audit.report import blocked
from ralph.context import AppContext
from ralph.contracts import AutonomyContract
from ralph.engine import RalphEngine
from ralph.verdict import Verdict, VerdictType

TAMPERING = ("tree.", "cfg.", "v1.config")
"""Rules whose findings stop a loop at once: the change reached for what judges it."""

Outcome = Literal["passed", "blocked", "attempts used up"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What the agent is to do. `max_turns` bounds the attempts."""

    description: str
    max_turns: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One turn as it was: what the agent did, what it claimed, what the engine measured (None without a claim)."""

    iteration: int
    records: tuple[Record, ...]
    claims: tuple[Claim, ...]
    verdict: Verdict | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """An agent at work on one repository. `watch` is called with every record as it happens."""

    agent: Agent
    engine: RalphEngine
    context: AppContext
    contract: AutonomyContract
    workdir: Path
    env: Mapping[str, str] = field(default_factory=dict)
    watch: Callable[[Record], None] = lambda record: None

    def run(self, task: Task) -> Iterator[Step]:
        """Play turns until the work passes, blocks for good, or the attempts are used up; yields each turn."""
        prompt, last = task.description, None
        for iteration in range(1, task.max_turns + 1):
            step = self._turn(prompt, iteration)
            yield step
            if step.verdict and (step.verdict.is_terminal_pass() or _final(step.verdict, last)):
                return
            last = step.verdict or last
            prompt = f"{task.description}\n\n{feedback(step.verdict)}"

    def _turn(self, prompt: str, iteration: int) -> Step:
        records = []
        for record in self.agent.run(Turn(prompt=prompt, workdir=self.workdir, iteration=iteration, env=self.env)):
            records.append(record)
            self.watch(record)
        claims = tuple(record for record in records if isinstance(record, Claim))
        verdict = self.engine.verify(self.context, self.contract, self.contract.agent) if claims else None
        return Step(iteration=iteration, records=tuple(records), claims=claims, verdict=verdict)


def outcome(steps: list[Step]) -> Outcome:
    """How a finished loop ended."""
    final = next((step.verdict for step in reversed(steps) if step.verdict), None)
    if final is not None and final.is_terminal_pass():
        return "passed"
    return "blocked" if final is not None and final.type is VerdictType.BLOCKED else "attempts used up"


def feedback(verdict: Verdict | None) -> str:
    """What the agent is told before its next turn."""
    if verdict is None:
        return "You claimed nothing, so nothing was measured. Claim your result when the work is done."
    if verdict.type is VerdictType.BLOCKED:
        return f"{blocked(verdict)}\nYou have one attempt left."
    failing = [f"- {step.name}: {step.reason}" for step in verdict.steps if step.status in ("fail", "error")]
    return "Your claim was measured and does not hold:\n" + "\n".join(failing)


def _final(verdict: Verdict, last: Verdict | None) -> bool:
    """True when a BLOCKED verdict leaves no attempt: the second in a row, or limits and governance files."""
    if verdict.type is not VerdictType.BLOCKED:
        return False
    again = last is not None and last.type is VerdictType.BLOCKED
    tampering = any(finding.rule.startswith(TAMPERING) for finding in verdict.findings if finding.severity == "block")
    return again or tampering or verdict.failed_step == "contract_check"
