"""A check whose line stands as it stood, and runs something else now: `alias pytest=true` above `pytest -q`.

It left for no other place: whoever reads the file takes it for the check.
"""

from __future__ import annotations

from ralph.guardrails.checks.model import Gate
from ralph.guardrails.config.side import Side


def is_taken_over(was: Gate, before: Side, after: Side) -> bool:
    """Of a check that the head's reading of its file no longer has."""
    old, new = ([line.strip() for line in (side.text(was.path) or "").splitlines()] for side in (before, after))
    line = old[was.line - 1] if 0 < was.line <= len(old) else ""
    return len(line.split()) > 1 and was.words[-1] in line and 0 < old.count(line) <= new.count(line)
