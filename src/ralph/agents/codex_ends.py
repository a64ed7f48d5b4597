"""How a turn of Codex ended, from what it says failed (research: agent clients, 2).

Codex names no kinds of trouble, only sentences, some of its own and some of the model's provider: the first entry of
the table whose words stand in the sentence says what it is. A sentence that nobody knows is an error of the provider's,
never a good end.
"""

from __future__ import annotations

import re

from ralph.agents.base import EndReason
from ralph.system.text import visible

LONGEST = 500

_WORDS: tuple[tuple[EndReason, tuple[str, ...]], ...] = (
    ("context_full", ("context window", "context_length_exceeded", "maximum context length")),
    ("rate_limited", (r"\b429\b", "(?:rate|usage) limit", "quota exceeded", "too many requests", "at capacity")),
    ("api_error", ("high demand", r"\b5\d\d [A-Z]")),
    ("login", (r"\b40[13] ", "not logged in", "log ?in again", "codex login", "missing environment variable")),
    ("login", ("api key", "(?:access|refresh) token", "authentication")),
    ("ungoverned", ("required mcp server", "mcp startup", "mcp servers? failed")),
    ("offline", ("connection failed", "error sending request", "stream disconnected", r"\bdns\b", "idle timeout")),
    ("offline", ("connection (?:refused|reset|closed)", "timed? ?out", "network is unreachable")),
    ("error", ("model provider .* not found", "error loading config", "no (?:saved )?(?:session|thread|rollout)")),
)
_TABLE = tuple((reason, re.compile("|".join(words), re.IGNORECASE)) for reason, words in _WORDS)
_WAIT = re.compile(r"(?:try again|retry) (?:in|after) (?P<number>\d+(?:\.\d+)?) ?(?P<unit>ms|s|m|h)", re.IGNORECASE)
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def reason_of(message: str) -> EndReason:
    """What kind of trouble a sentence of Codex's tells of."""
    return next((reason for reason, words in _TABLE if words.search(message)), "api_error")


def wait_of(message: str) -> float | None:
    """How long the provider asks to wait, in seconds."""
    found = _WAIT.search(message)
    return float(found["number"]) * _UNITS[found["unit"].lower()] if found else None


def shortened(message: str) -> str:
    """The sentence, for people."""
    told = visible(" ".join(message.split()))
    return told if len(told) <= LONGEST else f"{told[:LONGEST]}…"
