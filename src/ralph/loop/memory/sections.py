"""Fits the sections of a document into so many characters: the most important stay, and nothing is cut in half.

Rules (spec: core concepts, Active Memory Construction): the text is never longer than the limit. Each section has a
share that less important ones cannot lose to more important ones; what they do not use goes to the more important ones
first. A section that does not fit loses whole lines, at its end or its beginning, and says how many; one of which not
even that fits is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.record import record

_BETWEEN = "\n\n"


@record(kw_only=True)
class Section:
    """`rank` 1 is the most important; `share` counts characters with the heading. `newest_last`: the end is kept."""

    title: str
    lines: tuple[str, ...]
    rank: int
    share: int
    newest_last: bool = False

    @property
    def whole(self) -> str:
        return "\n".join([f"## {self.title}", *self.lines])

    def within(self, room: int) -> str:
        """As much of it as `room` characters take; nothing if that is not even its heading."""
        if len(self.whole) <= room:
            return self.whole
        head = f"## {self.title}"
        room -= len(head) + 1 + len(_left_out(len(self.lines)))
        if room < 0:
            return ""
        kept: list[str] = []
        for line in reversed(self.lines) if self.newest_last else self.lines:
            room -= len(line) + 1
            if room < 0:
                break
            kept.append(line)
        missing = _left_out(len(self.lines) - len(kept))
        return "\n".join([head, missing, *reversed(kept)] if self.newest_last else [head, *kept, missing])


def combine(title: str, sections: Sequence[Section], limit: int) -> str:
    """One document of at most `limit` characters, with the sections in their order."""
    left = limit - len(title) - 1  # the line end at its end
    ranked = sorted(sections, key=lambda each: each.rank)
    texts: dict[str, str] = {}
    for place, section in enumerate(ranked):
        reserved = sum(len(_BETWEEN) + min(len(other.whole), other.share) for other in ranked[place + 1 :])
        own = left - len(_BETWEEN)
        texts[section.title] = section.within(max(own - reserved, min(own, section.share)))
        left -= len(texts[section.title]) + len(_BETWEEN) if texts[section.title] else 0
    return _BETWEEN.join([title, *(text for each in sections if (text := texts[each.title]))]) + "\n"


def _left_out(lines: int) -> str:
    return f"[{lines} {'line' if lines == 1 else 'lines'} left out]"
