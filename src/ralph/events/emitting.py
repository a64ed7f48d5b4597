"""What an agent is told the moment it publishes, whichever way it came: `ralph emit`, or the tool `ralph_emit`.

Rules (design decisions 15 to 19): the claim is read, so that the agent learns at once what is wrong with it, and posted
unless it is refused outright. Nothing is measured, and nothing counts, before its turn is over.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ralph.events import inbox
from ralph.events.door import Admitted, Refused, Rules, examine
from ralph.events.model import Outcome


def publish(
    folder: Path, turn: inbox.Turn, rules: Rules, topic: str, payload: str, token: str, tool: str | None = None
) -> dict[str, Any]:
    """Post a claim into the inbox at `folder`; the answer for the agent. Raises StorageError.

    `outcome` is accepted, rewritten or refused; of these only a refusal is not posted.
    """
    found = examine(turn.emission(topic, payload, token, tool), rules)
    if not isinstance(found, Refused):
        inbox.post(folder, topic, payload, token, tool)
    return _answer(found, measured=rules.evidence == "measured")


def _answer(found: Admitted | Refused, *, measured: bool) -> dict[str, Any]:
    if isinstance(found, Refused):
        return {
            "outcome": "refused",
            "topic": found.emission.topic,
            "publishes": None,
            "objection": found.objection,
            "failed": [],
            "warnings": [],
            "to_be_measured": False,
            "message": found.message,
        }
    decision = found.decision
    later = measured and decision.outcome is Outcome.ACCEPTED
    accepted = f"{decision.topic} reads well; Ralph measures it when your turn ends, and what it measures decides."
    return {
        "outcome": "rewritten" if found.rewritten else "accepted",
        "topic": decision.topic,
        "publishes": decision.publishes,
        "objection": None,
        "failed": list(decision.failed),
        "warnings": list(decision.warnings),
        "to_be_measured": later,
        "message": found.event.payload if found.rewritten else accepted if later else f"{decision.topic} is published.",
    }
