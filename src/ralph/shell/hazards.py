"""What makes a shell line unreadable whatever its grammar says: its size and its characters (DESIGN.md decision 23)."""

from __future__ import annotations

from ralph.shell.characters import forbidden
from ralph.shell.model import Unreadable

MAX_BYTES = 16_384


def hazard(text: str) -> Unreadable | None:
    """The first thing for which the line must not even be parsed. Cheap: to be asked before `read`."""
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        return Unreadable("OPAQUE_SIZE", f"the line is longer than {MAX_BYTES} bytes", (0, len(text)))
    at = forbidden(text)
    if at is not None:
        name = f"the character U+{ord(text[at]):04X}, which can hide or forge a part of the line"
        return Unreadable("OPAQUE_CHARACTER", name, (at, at + 1))
    return None
