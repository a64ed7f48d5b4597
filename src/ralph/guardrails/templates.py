"""Comments of a template from which a file is made: what stands in them is in no file that a tool reads.

`{{- /* ... */}}` is one in Go's templates. It is read only where a line that begins so can be no code of the language:
in Ruby and Python it is a syntax error, in JavaScript it is a block in a block. Within a text it is none: so only files
that stand where templates do are read so.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.system.patterns import later

LANGUAGES = frozenset({"ruby", "python"})
PLACE = later(r"(?i)(?:^|/)[\w-]*templates?/|\.(?:tmpl|tpl|gotmpl|template)\b")
OPENS = later(rb"\s*\{\{-? ?/\*")
ENDS = b"*/"
CLOSES = later(rb"\s*-?\}\}\s*")


def comment_rows(path: str, language: str, lines: Sequence[bytes]) -> set[int]:
    """Whole lines of comments, from 0; one that is not closed, or has something behind it, is none."""
    found: set[int] = set()
    first: int | None = None
    for row, line in enumerate(lines) if language in LANGUAGES and PLACE.search(path) else ():
        opened = OPENS.match(line) if first is None else None
        first = row if opened is not None else first
        if first is None:
            continue
        text = line[opened.end() :] if opened is not None else line
        if ENDS in text:
            if CLOSES.fullmatch(text.partition(ENDS)[2]):
                found.update(range(first, row + 1))
            first = None
    return found
