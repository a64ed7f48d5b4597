"""A prompt as a list of parts that fit into a number of characters. Pure.

Rules: a part is a heading of Ralph's, words of Ralph's, and a text of somebody else in its frame. When all of it is too
long, parts are shortened in the order of their `rank`, the first one to nothing before the next. Parts of rank 0 are
never shortened: the task, its criteria, what was refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ralph.loop.prompts.quoting import Keep, fenced, safe, shortened
from ralph.record import record, replace

LIMIT = 24_000
"""Characters of a prompt."""


@record(kw_only=True)
class Part:
    """`words` are Ralph's own, `quoted` is not. An empty part is left out."""

    title: str = ""
    words: str = ""
    quoted: str = ""
    rank: int = 0
    keep: Keep = "beginning"
    frame: Callable[[str], str] = fenced

    def text(self) -> str:
        shown = self.frame(self.quoted) if self.quoted else ""
        body = "\n\n".join(piece for piece in (self.words, shown) if piece)
        return f"## {self.title}\n\n{body}" if self.title and body else body


def quoted(title: str, text: str, *, words: str = "", rank: int = 0, keep: Keep = "beginning") -> Part:
    """A part around a text of somebody else; nothing if there is no text."""
    shown = safe(text)
    return Part(title=title, words=words, quoted=shown, rank=rank, keep=keep) if shown.strip() else Part()


def fitted(parts: Sequence[Part], limit: int = LIMIT) -> str:
    """The parts as one text, of at most `limit` characters as far as parts may be shortened."""
    kept = list(parts)
    order = sorted((index for index, part in enumerate(kept) if part.rank), key=lambda index: kept[index].rank)
    for index in order:
        over = len(_joined(kept)) - limit
        if over <= 0:
            break
        part = kept[index]
        room = len(part.quoted) - over - _FRAME
        short = shortened(part.quoted, room, part.keep) if room > _LEAST else ""
        kept[index] = replace(part, quoted=short, words=part.words if short else "")
    return _joined(kept)


_FRAME = 16
"""A text that is cut may need a longer mark than was reckoned with."""
_LEAST = 200
"""Less than this of a text is of no use."""


def _joined(parts: Sequence[Part]) -> str:
    return "\n\n".join(text for part in parts if (text := part.text()))
