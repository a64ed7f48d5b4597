"""Text that an agent, a tool or a repository wrote, as a page shows it.

Rules: control, bidirectional and invisible characters are written out (`system.text.visible`), and what is long is cut,
with its length; the page links to the whole. That nothing of it is markup is the templates' part: they escape whatever
they are given, and mark nothing as safe.
"""

from __future__ import annotations

from ralph.record import record
from ralph.system.text import visible

LONGEST = 2000
LONGEST_WHOLE = 4 * 1024 * 1024
MOST_LINES = 60


@record
class Shown:
    """A text that can be shown. `cut` says how much is missing, "" if nothing is."""

    text: str
    cut: str = ""

    def __str__(self) -> str:
        return self.text


NOTHING = Shown("")


def line(text: object, most: int = 400) -> Shown:
    """A text on one line."""
    given = str(text)
    return Shown(visible(given[:most].replace("\n", " ")), _missing(given, most))


def block(text: str, most: int = LONGEST, lines: int = MOST_LINES) -> Shown:
    """A text with its lines."""
    kept = "".join(text[:most].splitlines(keepends=True)[:lines])
    return Shown(visible(_newlines(kept), keep="\n"), _missing(text, len(kept)))


def whole(text: str) -> Shown:
    """A text as a page of its own: nobody has to read more at once than a browser can show."""
    return Shown(visible(_newlines(text[:LONGEST_WHOLE]), keep="\n"), _missing(text, LONGEST_WHOLE))


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n")


def _missing(text: str, kept: int) -> str:
    return f"{len(text) - kept:,} more characters" if len(text) > kept else ""
