"""A person's agreement before a phase ends (`phases.<name>.require_human_approval`; design decisions 24, 33, 34).

Rules:

- The question goes through the queue of approvals, as every other does: it is answered with `ralph approvals`, with a
  reason, signed. Nothing is read from standard input here, so that its end approves nothing.
- Nobody there to answer means that the run waits (exit 4). Only an approval ends the phase: silence, expiry, a question
  that was taken back, a damaged file never do.
- An approval is bound to the run, the phase and what was looked at (`bound_to`: the tree, the digest of the plan). Used
  up once, it goes on counting for exactly that: whoever asks the same again after a crash gets the same answer.
- People sleep: a question stays open for a week, whatever holds for actions of agents.
"""

from __future__ import annotations

from pathlib import Path

from ralph.approvals import wire
from ralph.approvals.answering import Desk
from ralph.approvals.model import Decision, Status, shown
from ralph.approvals.queue import Queue
from ralph.loop.words import Phase
from ralph.permissions.model import Decision as Judgement
from ralph.permissions.model import Outcome, Permissions, UseTool
from ralph.record import record, replace

LIFETIME_S = 7 * 24 * 3600.0
AGENT = "ralph"


@record(kw_only=True)
class Agreement:
    """`approved` None: nobody has answered yet. `reason` is the person's, or says what to do."""

    approved: bool | None
    reason: str


@record(kw_only=True)
class Checkpoint:
    """What a person is asked: whether `phase` of the run is complete, as it stands (`bound_to`)."""

    phase: Phase
    run: str
    bound_to: str
    question: str


def agreement(root: Path, policy: Permissions, asked: Checkpoint, *, wait_s: float = 0.0) -> Agreement:
    """Ask, and wait so long for the answer. Raises ApprovalError and StorageError: then nothing is approved."""
    action = UseTool("ralph phase", f"complete {asked.phase} of run {asked.run} at {asked.bound_to}")
    law = replace(policy, approval=replace(policy.approval, expires_s=LIFETIME_S))
    if given := _given(root, wire.hash_of(shown(action), law.digest, str(root.resolve())), asked.run):
        return given
    queue = Queue(root)
    request = queue.ask(action, _judgement(asked), law, agent=AGENT, session=asked.run, detail=asked.question)
    answer = queue.wait(request, wait_s)
    match answer.decision:
        case Decision.APPROVED:
            queue.consume(request)
            return Agreement(approved=True, reason=answer.reason)
        case Decision.REJECTED | Decision.SUGGESTED:
            said = " ".join(part for part in (answer.reason, answer.text) if part)
            return Agreement(approved=False, reason=said or "no reason was given")
    way = f"`ralph approvals show {request.id}`, then approve or reject it, and `ralph resume`"
    return Agreement(approved=None, reason=f"A person has to agree that {asked.phase} is complete: {way}.")


def _given(root: Path, action_hash: str, run: str) -> Agreement | None:
    """The approval of just this that was used up before."""
    for entry in Desk(root, {}).entries():
        request, answer = entry.request, entry.answer
        if entry.status is not Status.USED or request is None or answer is None or not answer.approved:
            continue
        if (request.action_hash, request.agent, request.session) == (action_hash, AGENT, run):
            return Agreement(approved=True, reason=answer.reason)
    return None


def _judgement(asked: Checkpoint) -> Judgement:
    return Judgement(
        outcome=Outcome.APPROVE,
        rule=f"phases.{asked.phase}.require_human_approval",
        reason="a person must agree before this phase ends",
    )
