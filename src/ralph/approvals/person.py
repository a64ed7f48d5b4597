"""Who may answer: a person, at a terminal or in a script of theirs, and never an agent (design decision 24).

This is a belt. What holds is that the signing key and the queue lie where the sandbox lets no agent read or write;
but an agent that tries should learn at once, in words, that this door is not its own.
"""

from __future__ import annotations

import getpass
from collections.abc import Mapping

from ralph.errors import ApprovalError

AGENT_MARKS = (
    "RALPH_AGENT",
    "RALPH_SANDBOX",
    "RALPH_TICKET",
    "CLAUDECODE",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "GEMINI_CLI",
)
"""Variables that Ralph's sandbox and the agent clients set for what an agent runs."""


def refuse_agents(environ: Mapping[str, str]) -> None:
    """Raises ApprovalError in the environment of an agent."""
    marks = [name for name in AGENT_MARKS if environ.get(name)]
    if marks:
        raise ApprovalError(
            f"Only a person may decide this, and this is the environment of an agent ({marks[0]} is set): do it in a "
            "terminal of your own."
        )


def name() -> str:
    """The name of the person at work, for the record; the key is what identifies them."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"
