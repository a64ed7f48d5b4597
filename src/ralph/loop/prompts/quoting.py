"""Text of others in a prompt, so that it cannot pass for Ralph's own. Pure.

Rules:

- What an agent, a file, a tool or a person wrote stands in a fence that nothing in it can close, with control and
  invisible characters written out. Ralph's headings stand outside of fences: a heading within is text.
- What is to be followed as an instruction (a hat's) stands in a block quote, each line marked.
- What is short stands in a code span, on one line.
- What is cut says how much is missing.
"""

from __future__ import annotations

import re
from typing import Literal

from ralph.gates.excerpt import code, fenced
from ralph.system.text import visible

__all__ = ["code", "fenced", "followed", "safe", "shortened"]

Keep = Literal["beginning", "end"]

_LINE_END = re.compile(r"\r\n|\r")


def safe(text: str) -> str:
    """The text with line ends made one, and what cannot be seen written out."""
    return visible(_LINE_END.sub("\n", text), keep="\n").strip("\n")


def followed(text: str) -> str:
    """The text as a block quote."""
    return "\n".join(f"> {line}".rstrip() for line in safe(text).split("\n"))


def shortened(text: str, size: int, keep: Keep = "beginning") -> str:
    """At most `size` characters of the text, cut at a line where one is near; all of it if it fits."""
    if len(text) <= size:
        return text
    room = size - _MARK
    if room <= 0:
        return ""
    kept = _end(text, room) if keep == "end" else _beginning(text, room)
    mark = f"[… {len(text) - len(kept)} of {len(text)} characters left out …]"
    return f"{mark}\n{kept}" if keep == "end" else f"{kept}\n{mark}"


_MARK = 64
"""As long as the note of what was left out may be."""


def _beginning(text: str, room: int) -> str:
    end = text.rfind("\n", 0, room)
    return text[: end if end > room // 2 else room]


def _end(text: str, room: int) -> str:
    start = text.find("\n", len(text) - room) + 1
    return text[start if 0 < start < len(text) - room // 2 else len(text) - room :]
