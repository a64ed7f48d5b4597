"""What agents and people wrote, as it may stand in a document of Ralph's own.

Rules (spec: core concepts, MEMORY.md): control, bidirectional and invisible characters are written out. A text of one
line has no line end, whatever it came with, and stands behind a mark of Ralph's (`- `, `Description: `). A longer one
is a quotation: each of its lines begins with `> `. So nothing in it is a heading of the document. What is left out is
said.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

from ralph.system.text import visible

WIDTH = 200
"""So long is a line of a quotation at most: what does not fit is cut at line ends, and a long line would go whole."""

_LINE_END = re.compile(r"\r\n?")
_BREAK = re.compile(r"[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")


def one_line(text: str, limit: int = 300) -> str:
    """The text on one line; of a longer one the beginning, and how much was left out."""
    line = visible(" ".join(part for each in _BREAK.split(text) if (part := each.strip())))
    if len(line) <= limit:
        return line
    left_out = f" [… {len(line) - limit:,} more characters]"
    return line[:limit].rstrip() + left_out


def quotation(text: str) -> tuple[str, ...]:
    """The lines of a text, as a quotation. None for a text of blanks."""
    return tuple(f"> {line}".rstrip() for line in _lines(text))


def items(texts: Iterable[str]) -> tuple[str, ...]:
    """A list of short texts, one line each; empty ones are left out."""
    return tuple(f"- {line}" for text in texts if (line := one_line(text)))


def money(cost_usd: float, unpriced: int = 0) -> str:
    turns = "turn" if unpriced == 1 else "turns"
    return f"${cost_usd:,.4f}" + (f" (and {unpriced:,} {turns} of unknown cost)" if unpriced else "")


def _lines(text: str) -> Iterable[str]:
    for line in _LINE_END.sub("\n", text).strip("\n").split("\n") if text.strip() else ():
        shown = visible(line)
        fits = len(shown) <= WIDTH
        yield from [shown] if fits else textwrap.wrap(shown, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
