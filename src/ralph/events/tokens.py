"""The token of an iteration: how Ralph knows that an event comes from the agent whose turn it is.

Rules (spec: events; decision 19): every iteration gets a new token, which only the environment of its agent's turn
holds; Ralph keeps the digest. A token of an earlier iteration, another one, or none, publishes nothing.
The iteration stands in the token so that a refusal can say that it is stale; the digest alone decides.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from ralph.record import record

VARIABLE = "RALPH_TOKEN"
"""Where a turn's environment holds the token."""


@record
class Seal:
    """What Ralph keeps of a token: enough to know it again, not enough to make it."""

    iteration: int
    digest: str


def mint(iteration: int) -> tuple[str, Seal]:
    """A new token for the turn's environment, and what Ralph keeps of it."""
    token = f"{iteration}.{secrets.token_urlsafe(32)}"
    return token, Seal(iteration, _digest(token))


def objection(token: str | None, seal: Seal | None) -> str | None:
    """Why this token is not that of the iteration, for the end of a sentence; None if it is."""
    if seal is None:
        return "no agent's turn is running"
    if not token:
        return "it carries no token of this iteration"
    if hmac.compare_digest(_digest(token), seal.digest):
        return None
    written = token.partition(".")[0]
    if written.isascii() and written.isdigit() and written != str(seal.iteration):
        return f"its token is that of iteration {written[:12]}, and this is iteration {seal.iteration}"
    return "its token is not that of this iteration"


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
