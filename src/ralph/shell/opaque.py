"""How the readers of a shell line give up: with a stable code, a clause for people, and the place."""

from __future__ import annotations

from ralph.shell.model import Span, Unreadable


class Opaque(Exception):
    """Raised inside this package only; `read` turns it into the `Unreadable` it carries."""

    def __init__(self, reason: str, span: Span, code: str = "OPAQUE_SYNTAX") -> None:
        super().__init__(reason)
        self.unreadable = Unreadable(code, reason, span)
