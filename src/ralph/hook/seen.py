"""The proof that a client really asks Ralph: a mark for each session in which the hook was called.

Codex leaves out a hook that nobody trusted yet, without a word (research: agent clients, 2). Whoever starts a client
under governance looks for its session's mark before believing that anything is enforced.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

_SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")


def mark(above: Path, client: str, session: str) -> Path:
    """Where the mark of a session stands; `above` is the project's `.ralph`, or the folder of a run's turn.

    A session that is resumed is proven anew in each turn.
    """
    return above / "hooks" / f"{client}-{session}"


def note(above: Path, client: str, data: bytes) -> None:
    """Leave the mark of the session that an event belongs to. Raises OSError."""
    event = json.loads(data)
    session = event.get("session_id")
    if (
        event.get("hook_event_name") != "SessionStart"
        or not isinstance(session, str)
        or not _SESSION.fullmatch(session)
    ):
        return
    place = mark(above, client, session)
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600))
