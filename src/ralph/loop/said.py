"""What an agent says as it declares a phase complete: a summary, and for a validation what it found wrong. Pure.

Rules: `ralph_signal_phase_complete` hands its arguments over as JSON; an agent without tools writes a plain summary. A
validation that says that it did not pass, without a reason, has one issue all the same.
"""

from __future__ import annotations

import json
from typing import Any


def summary(payload: str) -> str:
    """The words, without what stands beside them."""
    said = _object(payload)
    return payload if said is None else str(said.get("summary") or "")


def issues(payload: str) -> tuple[str, ...]:
    """What a validating agent found wrong."""
    said = _object(payload) or {}
    listed = said.get("issues")
    found = tuple(str(each) for each in listed) if isinstance(listed, list) else ()
    if not found and said.get("passed") is False:
        return ("It says that the validation did not pass, and not why.",)
    return found


def _object(payload: str) -> dict[str, Any] | None:
    try:
        said = json.loads(payload)
    except ValueError:
        return None
    return said if isinstance(said, dict) else None
