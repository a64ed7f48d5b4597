"""What a client asks and what it is answered, whichever client it is.

Everything here is data. A `Call` is a use of a tool that has not happened yet; an `Answer` says whether it may.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ralph.errors import RalphError
from ralph.record import record


@record(kw_only=True)
class Call:
    """`cwd` is the absolute folder in which the tool would work, `arguments` what the model gave it.

    `id` is the client's name for the call; empty if it gives none.
    """

    tool: str
    arguments: Mapping[str, Any]
    cwd: str
    session: str
    client: str
    id: str = ""


@record
class Answer:
    """`arguments`: what the tool gets instead of what the model gave it; None leaves that as it is."""

    allowed: bool
    reason: str
    arguments: Mapping[str, Any] | None = None


class RefusedError(RalphError):
    """The call cannot be judged, or the ticket not be used, so it is denied; the message is for the agent."""

    exit_code = 2
