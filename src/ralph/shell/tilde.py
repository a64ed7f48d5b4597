"""Tilde expansion: `~`, `~user`, `~+`, `~-` at the start of a word, or in what looks like an assignment."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ralph.shell.model import Part, Text, Tilde, Unknown

_PREFIX = re.compile(r"~([A-Za-z_][\w.-]*|[+-]|)(?=/|\Z)", re.ASCII)
_ASSIGNMENT_LIKE = re.compile(r"[A-Za-z_]\w*\+?=", re.ASCII)


def with_tildes(parts: Iterable[Part], *, value: bool = False) -> tuple[Part, ...]:
    """Adjacent characters of one kind joined, and the tildes among them found. `value`: of an assignment."""
    word = merged(parts)
    first = word[0] if word else None
    if not isinstance(first, Text) or first.quoted:
        return _after_colons(word) if value else tuple(word)
    if first.text.startswith("~"):
        word[:1] = _tilde(first.text, whole=len(word) == 1)
    elif not value and (match := _ASSIGNMENT_LIKE.match(first.text)):
        # `make prefix=~/x`: bash expands it, although `prefix=` is an argument here.
        if first.text.startswith("~", match.end()):
            word[:1] = [Text(match[0]), *_tilde(first.text[match.end() :], whole=len(word) == 1)]
        value = True
    return _after_colons(word) if value else tuple(word)


def merged(parts: Iterable[Part]) -> list[Part]:
    word: list[Part] = []
    for part in parts:
        last = word[-1] if word else None
        if isinstance(part, Text) and isinstance(last, Text) and part.quoted == last.quoted:
            word[-1] = Text(last.text + part.text, part.quoted)
        else:
            word.append(part)
    return word


def _tilde(text: str, *, whole: bool) -> list[Part]:
    match = _PREFIX.match(text)
    # `~$x` and `~"x"` have a prefix that goes on behind these characters.
    if match is None or (match.end() == len(text) and not whole):
        return [Unknown("a tilde before something unusual")]
    rest = text[match.end() :]
    return [Tilde(match[1]), Text(rest)] if rest else [Tilde(match[1])]


def _after_colons(word: list[Part]) -> tuple[Part, ...]:
    return tuple(
        Unknown("a tilde behind a colon") if isinstance(part, Text) and not part.quoted and ":~" in part.text else part
        for part in word
    )
