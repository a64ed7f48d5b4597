"""`.ralph/claims.jsonl`: what was claimed, what was measured, and how often claims were true (design decision 17).

Rules:

- One line of a ledger (`system.ledger`) for each claim that was measured: hat, agent, model, topic, tree, and check by
  check what was claimed and what was measured.
- A check is contradicted if it was claimed to hold and was measured not to, or if its number was measured worse than
  claimed by more than half a point (what rounding explains is no lie). What could not be measured contradicts nothing.
- Who says that a task is done says that all of it holds: that its criteria do, and that the verdict is PASS. Both stand
  among the checks of such a claim, whatever else it says, and contradict it where they were measured not to hold.
- A claim is true if everything that was measured bears it out and all that must hold does; contradicted if a check is;
  else unproven: it failed to be measured. Only true claims count as true.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Literal

from ralph.errors import ConfigError, StorageError
from ralph.events.door import Admitted
from ralph.events.gates import BUILD
from ralph.events.model import Check, CheckState, Event, Gate, Reading
from ralph.record import record, replace
from ralph.system import ledger, records
from ralph.verdict import Verdict, VerdictType

CLAIMS = Path(".ralph", "claims.jsonl")
ROUNDING = 0.5
By = Literal["hat", "agent", "model"]
CRITERIA, VERDICT = "the criteria", "the verdict"
"""What every completion claims. No check of a gate has a blank in its name."""


@record(kw_only=True)
class Compared:
    """One check: what was claimed, what was measured (None: nothing was), and whether they contradict each other."""

    claimed: str | None
    measured: str | None
    contradiction: bool


@record(kw_only=True)
class Claim:
    """One claim that was measured. `time` is that of its line."""

    topic: str
    true: bool
    contradiction: bool
    checks: Mapping[str, Compared]
    hat: str | None = None
    agent: str | None = None
    model: str | None = None
    task: str | None = None
    tree: str | None = None
    time: str | None = None
    key: str | None = None
    """Of the publication that it belongs to (`events.model.Event`)."""


@record(kw_only=True)
class Tally:
    """How often the claims of one hat, agent or model were true."""

    name: str
    claims: int
    true: int
    contradicted: int

    @property
    def unproven(self) -> int:
        return self.claims - self.true - self.contradicted

    @property
    def percent(self) -> float:
        return round(100 * self.true / self.claims, 1)


def compare(admitted: Admitted, gate: Gate) -> Claim:
    """The honesty of a measured claim. Raises ValueError if nothing was measured."""
    if admitted.measurement is None:
        raise ValueError("a claim that was not measured says nothing about honesty")
    claimed, measured = admitted.read.checks, admitted.measurement.readings
    checks = {
        check.name: _compared(check, claimed[check.name], _measured(measured.get(check.name)))
        for check in gate.checks
        if check.name in claimed and claimed[check.name].state is not CheckState.ABSENT
    }
    if gate.topic == BUILD.topic and admitted.measurement.verdict:
        checks[VERDICT] = _whole(standing(admitted.measurement.verdict))
    return _claimed(gate.topic, admitted.event, checks, admitted.measurement.holds, admitted.measurement.tree)


def completed(claim: Claim | None, event: Event, criteria: CheckState, verdict: Verdict | None) -> Claim | None:
    """The honesty of who says that a task is done, once its criteria and the whole were measured.

    `claim` is what was known of it before, `criteria` is `ABSENT` where none can be measured. None: nothing was.
    """
    found = {CRITERIA: criteria, VERDICT: standing(verdict) if verdict else CheckState.ABSENT}
    new = {name: _whole(state) for name, state in found.items() if state is not CheckState.ABSENT}
    if not new:
        return claim
    holds = all(found[name] is CheckState.PASS for name in new)
    if claim is None:
        return _claimed(event.topic, event, new, holds, verdict.tree_hash if verdict else None)
    contradiction = claim.contradiction or any(each.contradiction for each in new.values())
    return replace(claim, true=claim.true and holds, contradiction=contradiction, checks={**claim.checks, **new})


def standing(verdict: Verdict) -> CheckState:
    """What a verdict says to who claims that it is PASS; `INVALID` if nothing in it was measured to be otherwise."""
    if verdict.is_terminal_pass():
        return CheckState.PASS
    fails = verdict.type is VerdictType.BLOCKED or any(step.status == "fail" for step in verdict.steps)
    return CheckState.FAIL if fails else CheckState.INVALID


def keep(path: Path, claim: Claim, *, time: datetime) -> None:
    """Write a claim down. Raises StorageError."""
    fields = asdict(claim)
    del fields["time"]
    ledger.append(path, fields, time=time)


def read(path: Path) -> list[Claim]:
    """Every recorded claim, oldest first. Raises StorageError if the record is damaged."""
    return [_claim(path, entry) for entry in ledger.read(path)]


def tally(claims: Iterable[Claim], by: By) -> list[Tally]:
    """Counts per hat, agent or model, by name."""
    groups: dict[str, list[Claim]] = {}
    for claim in claims:
        groups.setdefault(getattr(claim, by) or "unknown", []).append(claim)
    return [
        Tally(
            name=name,
            claims=len(group),
            true=sum(claim.true for claim in group),
            contradicted=sum(claim.contradiction for claim in group),
        )
        for name, group in sorted(groups.items())
    ]


def _claimed(topic: str, event: Event, checks: Mapping[str, Compared], holds: bool, tree: str | None) -> Claim:
    contradiction = any(each.contradiction for each in checks.values())
    return Claim(
        topic=topic,
        true=holds and not contradiction,
        contradiction=contradiction,
        checks=checks,
        hat=event.hat,
        agent=event.agent,
        model=event.model,
        task=event.task,
        tree=tree,
    )


def _whole(measured: CheckState) -> Compared:
    return Compared(claimed=str(CheckState.PASS), measured=str(measured), contradiction=measured is CheckState.FAIL)


def _compared(check: Check, claimed: Reading, measured: Reading | None) -> Compared:
    return Compared(
        claimed=_said(claimed),
        measured=None if measured is None else _said(measured),
        contradiction=measured is not None and (_fails(claimed, measured) or _worse(check, claimed, measured)),
    )


def _measured(reading: Reading | None) -> Reading | None:
    """None for a check that was not measured, however that is said."""
    return None if reading is None or reading.state is CheckState.ABSENT else reading


def _said(reading: Reading) -> str:
    return str(reading.state) if reading.value is None else f"{reading.value:g}"


def _fails(claimed: Reading, measured: Reading) -> bool:
    return claimed.state is CheckState.PASS and measured.state is CheckState.FAIL


def _worse(check: Check, claimed: Reading, measured: Reading) -> bool:
    if claimed.value is None or measured.value is None:
        return False
    lost = measured.value - claimed.value if check.at_most is not None else claimed.value - measured.value
    return lost > ROUNDING


def _claim(path: Path, entry: ledger.Entry) -> Claim:
    where = f"Line {entry.seq} of {path}"
    try:
        fields = entry.record | {"time": entry.time} if isinstance(entry.record, dict) else entry.record
        return records.parse(Claim, fields, where)
    except ConfigError as error:
        raise StorageError(f"{str(error).rstrip('.')}; restore the record, or move it away.") from None
