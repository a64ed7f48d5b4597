"""What becomes of what a turn published: every emission passes the door, claims are measured, and that has an outcome.

Rules (spec: events; design decisions 11, 15 to 21, 30):

- Emissions are heard in their order; the first that ends the turn's matter ends the hearing. Every one brings the seal
  of the turn in which it was made.
- The words of Ralph's own tools (`ralph_mark_task_blocked` and so on) say something about the task or the phase, and
  are no events; `ralph_mark_task_complete` is the claim `build.done`.
- A verdict FAIL uses up an attempt, unless all that fails did so before the work: then, after three such claims, a
  person is waited for (decision 12).
- BLOCKED uses up none, and has a count of its own, whatever was refused before. What was tampered with is told apart.
- Completion counts only if nothing measured speaks against it; what does is weighed like a claim's verdict.
- Whatever is refused is told, in the words that the next prompt shows.
- Nothing is published here: events and claims go into the run's log first (`inputs.Judged`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from ralph.events import diagnostics, honesty, tokens
from ralph.events.door import Admitted, Emission, Measure, Refused, Rules, admit
from ralph.events.model import CheckState, Event
from ralph.events.model import Outcome as Read
from ralph.hats.flow import COMPLETE, ESCALATE
from ralph.hats.handling import NextStep
from ralph.hats.model import Hat, Topology
from ralph.loop import thrash
from ralph.loop.confessional import TOPICS, Confessional, note
from ralph.loop.inputs import Outcome
from ralph.record import field, record, replace
from ralph.system.text import visible
from ralph.verdict import Verdict, VerdictType

BLOCKED, RETRY, SIGNAL = "ralph_mark_task_blocked", "ralph_increment_retry", "ralph_signal_phase_complete"
_WORDS: dict[str, Outcome] = {BLOCKED: "gave up", RETRY: "refused", SIGNAL: "phase"}
TAMPERING = ("tree.", "cfg.", "v1.config")
"""Rules whose findings stop a run at once: the change reached for what judges it."""
INHERITED = (
    "Nothing fails that did not fail before your work, so this uses up no attempt. The task is complete only when that "
    "is gone as well: repair it."
)
FOR_A_PERSON = "What fails did so before any work, and claim after claim did not change that: a person has to decide."
_REACTIONS: dict[thrash.Reaction, Outcome] = {
    "go on": "open",
    "abandon the task": "abandoned",
    "end the loop": "thrashing",
}


@record
class Posted:
    """An emission, and the seal of the turn in which it was made; None for what no agent made."""

    emission: Emission
    seal: tokens.Seal | None


@record(kw_only=True)
class Standing:
    """What one hearing leaves for the next."""

    thrash: thrash.Thrash = field(default_factory=thrash.Thrash)
    expected: NextStep | None = None
    unreliable: int = 0


@record
class Completion:
    """What was measured of the completion of a task. `reason` speaks against it, "" if nothing does; `verdict` is the
    engine's, where the criteria do not decide already."""

    reason: str = ""
    verdict: Verdict | None = None
    criteria: CheckState = CheckState.ABSENT


@record(kw_only=True)
class Law:
    """What a hearing goes by. `completion` measures the completion of the task, `is_inherited` says whether all that
    fails in a verdict did so before the work."""

    topology: Topology
    rules: Rules
    measure: Measure | None = None
    confessional: Confessional | None = None
    completion: Callable[[], Completion] = Completion
    is_inherited: Callable[[Verdict], bool] = lambda verdict: False
    diagnose: Callable[[str], None] | None = None


@record(frozen=False, kw_only=True)
class Hearing:
    """One turn's. `hat` None is the coordinator, `task` None a phase without tasks."""

    law: Law
    hat: Hat | None
    task: str | None
    standing: Standing
    outcome: Outcome = "open"
    reason: str = ""
    notes: str = ""
    verdict: Verdict | None = None
    told: list[str] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    claims: list[honesty.Claim] = field(default_factory=list)
    accepted: int = 0

    def hear(self, posted: Sequence[Posted]) -> None:
        """Judge what was posted; what came of it stands in the fields."""
        expected = self.standing.expected
        handles = expected is not None and self.hat is not None and bool(set(self.hat.triggers) & set(TOPICS))
        self.standing = replace(self.standing, expected=None)
        for each in posted:
            emission = each.emission
            if handles and expected and emission.tool not in _WORDS and emission.topic not in expected.allowed:
                allowed = ", ".join(expected.allowed)
                self.told.append(f"{emission.topic} does not follow from what Ralph found; publish one of: {allowed}.")
                continue
            self._one(each)
            if self.outcome != "open":
                return
        if handles and expected and not self.events:
            self._publish(Event(topic=expected.topic, payload=expected.payload, origin="ralph", task=self.task))
        elif not handles and self.standing.expected is None:
            self.standing = replace(self.standing, expected=expected)

    def _one(self, posted: Posted) -> None:
        emission = posted.emission
        if emission.tool in _WORDS:
            self._said(posted, _WORDS[emission.tool])
            return
        if self.task is None:
            self.told.append(f"{visible(emission.topic)} does not count here: {self._where()}.")
            return
        answer = admit(emission, replace(self.law.rules, seal=posted.seal), self.law.measure)
        if isinstance(answer, Refused):
            self.told.append(answer.message)
            return
        if self.law.diagnose:
            for line in diagnostics.lines(answer.decision):
                self.law.diagnose(line)
        claim, completion, event = self._measured(answer), Completion(), answer.event
        if event.topic in (self.law.topology.done, COMPLETE):
            completion = self.law.completion()
            claim = honesty.completed(claim, event, completion.criteria, completion.verdict)
        self.claims += [claim] if claim else []
        if completion.reason:
            self.told.append(f"{event.topic} does not count: {completion.reason}")
            self._opposed(completion)
            return
        if event.topic in TOPICS and self.law.confessional:
            self._confessed(event, self.law.confessional)
        self._publish(event)
        if self.outcome == "open":
            self._weigh(answer)

    def _opposed(self, objection: Completion) -> None:
        """A completion that does not hold uses up an attempt, and so needs no other count."""
        verdict = objection.verdict
        if verdict and self.law.is_inherited(verdict):
            self._refused(objection.reason, verdict, [step.name for step in verdict.steps if not step.good])
        else:
            self.outcome, self.reason = _outcome(verdict), objection.reason

    def _said(self, posted: Posted, outcome: Outcome) -> None:
        """A word of the agent about its task or phase."""
        emission = posted.emission
        if why := tokens.objection(emission.token, posted.seal):
            self.told.append(f"{emission.tool} was refused: {why}.")
        elif (outcome == "phase") != (self.task is None):
            self.told.append(f"{emission.tool} does not count here: {self._where()}.")
        else:
            self.outcome, self.reason = outcome, emission.payload
            if outcome == "refused":
                self.told.append(f"You gave the last attempt up: {emission.payload}")

    def _where(self) -> str:
        return "no task is being worked on" if self.task is None else "a task is; complete it first"

    def _measured(self, answer: Admitted) -> honesty.Claim | None:
        if answer.measurement is None:
            return None
        self.verdict = answer.measurement.verdict or self.verdict
        return honesty.compare(answer, self.law.rules.gates[answer.read.topic])

    def _publish(self, event: Event) -> None:
        """Take an event in, and see whether it ends the matter."""
        self.events.append(event)
        self.accepted += event.claimed is None and event.origin != "ralph"
        if event.topic in (self.law.topology.done, COMPLETE):
            self.outcome, self.notes = "complete", event.payload
        elif event.topic == ESCALATE:
            self.outcome, self.reason = "waits", event.payload

    def _confessed(self, event: Event, confessional: Confessional) -> None:
        finding, step = confessional.examine(event, self.standing.unreliable)
        unreliable = self.standing.unreliable + 1 if step.action == "confess" else 0
        self.standing = replace(self.standing, expected=step, unreliable=unreliable)
        self.told.append(note(finding, step))

    def _weigh(self, answer: Admitted) -> None:
        """What a claim that was refused, or accepted on the way, means for the task."""
        task = self.task or ""
        if answer.decision.outcome is Read.ACCEPTED:
            self.standing = replace(self.standing, thrash=thrash.accepted(self.standing.thrash, task))
        if not answer.rewritten:
            return
        self.told.append(answer.event.payload)
        verdict = answer.measurement.verdict if answer.measurement else None
        self._refused(answer.event.payload, verdict, answer.decision.failed)

    def _refused(self, reason: str, verdict: Verdict | None, failed: Collection[str]) -> None:
        """What follows from a claim that does not hold."""
        self.reason, before = reason, self.standing.thrash
        if verdict and verdict.type is VerdictType.BLOCKED:
            self.outcome = _outcome(verdict)
            return
        after, reaction = thrash.refused(before, self.task or "", failed)
        if verdict and self.law.is_inherited(verdict):
            after = replace(after, abandoned=before.abandoned)
            self.told.append(INHERITED)
            self.outcome = "inherited"
            if reaction != "go on":
                self.outcome, self.reason = "waits", f"{FOR_A_PERSON}\n{reason}"
        else:
            self.outcome = _REACTIONS[reaction]
            if self.outcome == "open" and verdict:
                self.outcome = _outcome(verdict)
        self.standing = replace(self.standing, thrash=after)


def _outcome(verdict: Verdict | None) -> Outcome:
    """What a verdict that refused a claim means."""
    if verdict is None or verdict.type is not VerdictType.BLOCKED:
        return "refused"
    touched = any(each.rule.startswith(TAMPERING) for each in verdict.findings if each.blocks)
    return "tampered" if touched or verdict.failed_step == "contract_check" else "blocked"
