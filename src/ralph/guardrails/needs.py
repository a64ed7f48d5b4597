"""What must stand in a text for a regular expression to match: asking for that is much cheaper than matching.

Rules: of a sequence the longest run of word characters is needed, of alternatives one of theirs, of a repetition what
it repeats if it is there at least once. What has no such run needs nothing in particular, and is always tried.
Everything is in lower case, as the expressions match without case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from ralph.system.patterns import later

Needs = frozenset[bytes]
"""One of these stands in whatever matches, within a word."""

_WORD = later(r"[A-Za-z0-9_]")
_MARKS = later(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]", re.DOTALL)


def alternatives(expression: str) -> list[str]:
    """The expression apart at its outermost bars."""
    cuts, depth = [-1], 0
    for mark in _MARKS.finditer(expression):
        depth += {"(": 1, ")": -1}.get(mark[0], 0)
        if mark[0] == "|" and depth == 0:
            cuts.append(mark.start())
    return [expression[start + 1 : end] for start, end in zip(cuts, [*cuts[1:], len(expression)], strict=True)]


@cache
def needed(expression: str) -> Needs | None:
    """None if nothing in particular is."""
    return _best(_sequence(_parser.parse(expression, re.IGNORECASE | re.MULTILINE)))


def _best(found: Iterable[Needs]) -> Needs | None:
    """Of what is all needed, that which is the rarest: its shortest word is the longest."""
    return max(found, key=lambda needs: (min(map(len, needs)), -len(needs)), default=None)


def _sequence(parts: Iterable[tuple[Any, Any]]) -> Iterator[Needs]:
    run = ""
    for kind, value in parts:
        name = str(kind)
        if name == "LITERAL" and _WORD.fullmatch(chr(value)):
            run += chr(value).lower()
            continue
        if name == "AT":  # a place, which takes nothing up
            continue
        if run:
            yield frozenset({run.encode()})
            run = ""
        if (needs := _part(name, value)) is not None:
            yield needs
    if run:
        yield frozenset({run.encode()})


def _part(name: str, value: Any) -> Needs | None:
    if name == "SUBPATTERN":
        return _best(_sequence(value[-1]))
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return _best(_sequence(value[2])) if value[0] else None
    if name == "ATOMIC_GROUP":
        return _best(_sequence(value))
    if name == "BRANCH":
        needs = [_best(_sequence(branch)) for branch in value[1]]
        return None if None in needs else frozenset().union(*(each for each in needs if each is not None))
    return None
