"""What a directive in a Python comment says, before it becomes a hit."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import NamedTuple

from ralph.guardrails.source import Comment, Source
from ralph.record import replace
from ralph.system.patterns import later

_CODE = later(rb"^[^\S\n]*[^\s#]", re.MULTILINE)
"""A line that is neither blank nor a comment."""


NEUTRAL = frozenset({"unused-ignore"})
"""Of mypy's codes."""


class Said(NamedTuple):
    """`codes` is what is switched off, None for everything. Name and codes, in order, are the key of a hit."""

    rule: str
    name: str
    codes: frozenset[str] | None = None

    @property
    def scope(self) -> frozenset[str] | None:
        """What it hides: one code only hides that the comment is not needed, unless it stands alone."""
        return self.codes and (self.codes - NEUTRAL or self.codes)

    @property
    def key(self) -> str:
        return self.name if self.codes is None else f"{self.name} {','.join(sorted(self.codes))}"


class Note(NamedTuple):
    """A comment and where it stands."""

    comment: Comment
    top: bool
    """Only comments and blank lines stand before it in the file."""
    after: str
    """The code that follows, shortened: a pattern of a text-based tool may end there."""

    @property
    def text(self) -> str:
        return self.comment.text

    @property
    def alone(self) -> bool:
        return self.comment.alone

    def segments(self) -> Iterator[str]:
        """The comment from each of its marks on: `# a # b` says two things."""
        for mark in re.finditer("#", self.text):
            yield self.text[mark.start() :]


def note(source: Source, comment: Comment) -> Note:
    before = source.data[: comment.start_byte].removeprefix(codecs.BOM_UTF8)
    if not before:  # a byte order mark is nothing to the tools
        comment = replace(comment, column=1, alone=True)
    top = _CODE.search(before) is None
    end = comment.start_byte + len(comment.text.encode())
    return Note(comment, top, source.data[end : end + 100].decode("utf-8", "replace"))


def code_set(text: str | None, pattern: str = r"[\w-]+") -> frozenset[str] | None:
    """The codes in a list; None for an empty one."""
    return frozenset(re.findall(pattern, text or "")) or None
