"""What must stand in a text for a regular expression to match: asking for that is much cheaper than matching.

Rules: of a sequence all runs of word characters are needed, of alternatives one run of each, of a repetition what it
repeats if it is there at least once. Where the expression says that a word begins or ends with the run, a blank stands
for that: the vocabulary of a text is its words with blanks around them. What has no run needs nothing in particular,
and is always tried. Everything is in lower case, as the expressions match without case.

Python's own parser of expressions, which is private, takes them apart. Where it is gone, or says something else than it
did, nothing is known to be needed: everything is tried, which is slower and passes over nothing.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

try:
    from re import _parser  # type: ignore[attr-defined]
except ImportError:
    _parser = None
from ralph.system.patterns import later

Needs = frozenset[str]
"""One of these stands in whatever matches, in its vocabulary."""

Edges = tuple[bool, bool]
"""Whether a word certainly begins at the start of a part of an expression, and ends at its end."""

_LETTERS = {ord(each): each.lower() for each in f"{string.ascii_letters}{string.digits}_"}
_LITERAL = getattr(_parser, "LITERAL", None)
_MARKS = later(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]", re.DOTALL)
_BORDERS = ("AT_BOUNDARY", "AT_BEGINNING", "AT_BEGINNING_STRING", "AT_END", "AT_END_STRING")


def alternatives(expression: str) -> list[str]:
    """The expression apart at its outermost bars."""
    cuts, depth = [-1], 0
    for mark in _MARKS.finditer(expression):
        depth += {"(": 1, ")": -1}.get(mark[0], 0)
        if mark[0] == "|" and depth == 0:
            cuts.append(mark.start())
    return [expression[start + 1 : end] for start, end in zip(cuts, [*cuts[1:], len(expression)], strict=True)]


@cache
def needed(expression: str) -> tuple[Needs, ...]:
    """Of each of these something is needed; empty if nothing in particular is. The rarest comes first."""
    try:
        found = set(_sequence(parsed(expression), (False, False)))
    except (AttributeError, LookupError, TypeError, ValueError):
        return ()
    return tuple(sorted(found, key=lambda needs: (-min(map(len, needs)), len(needs), sorted(needs))))


@cache
def is_plain(expression: str) -> bool:
    """True if the expression is one run, perhaps a word of its own: where it is needed and there, it matches."""
    try:
        parts = list(parsed(expression))
    except (AttributeError, LookupError, TypeError, ValueError):
        return False
    inner = parts[_is_border(parts[:1]) : len(parts) - _is_border(parts[-1:])]
    return bool(inner) and all(letter(part) for part in inner)


@cache
def parsed(expression: str) -> Any:
    return _parser.parse(expression, re.IGNORECASE | re.MULTILINE)


def _sequence(parts: Sequence[tuple[Any, Any]], edges: Edges) -> Iterator[Needs]:
    parts = list(parts)
    at = 0
    while at < len(parts):
        end = at
        while end < len(parts) and letter(parts[end]):
            end += 1
        stop = max(end, at + 1)
        begins, ends = _is_apart(parts[:at][::-1], edges[0]), _is_apart(parts[stop:], edges[1])
        if end > at:
            run = "".join(letter(part) for part in parts[at:end])
            yield frozenset({" " * begins + run + " " * ends})
        else:
            yield from _part(*parts[at], (begins, ends))
        at = stop


def _part(kind: Any, value: Any, edges: Edges) -> Iterator[Needs]:
    name = str(kind)
    if name == "SUBPATTERN":
        yield from _sequence(value[-1], edges)
    elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        if value[0]:
            yield from _sequence(value[2], (False, False))
    elif name == "ATOMIC_GROUP":
        yield from _sequence(value, edges)
    elif name == "BRANCH":
        rarest = [
            max(_sequence(branch, edges), key=lambda needs: (min(map(len, needs)), -len(needs)), default=None)
            for branch in value[1]
        ]
        if None not in rarest:
            yield frozenset().union(*(needs for needs in rarest if needs is not None))


def letter(part: tuple[Any, Any]) -> str:
    """The character of a word that a part stands for, in lower case; empty for anything else."""
    kind, value = part
    return _LETTERS.get(value, "") if kind is _LITERAL else ""


def _is_border(parts: Sequence[tuple[Any, Any]]) -> bool:
    return bool(parts) and str(parts[0][0]) == "AT" and str(parts[0][1]) == "AT_BOUNDARY"


def _is_apart(neighbours: Sequence[tuple[Any, Any]], edge: bool) -> bool:
    """Whether no letter can stand next to a run, given the parts on that side of it, the nearest first."""
    for kind, value in neighbours:
        if str(kind) in ("MAX_REPEAT", "MIN_REPEAT") and len(value[2]) == 1 and _is_noletter(value[2][0]):
            if value[0]:
                return True
        else:
            return _is_noletter((kind, value))
    return edge


def _is_noletter(part: tuple[Any, Any]) -> bool:
    """True for a part that stands for the border of a word, or for one character that is in no word."""
    kind, value = str(part[0]), part[1]
    if kind == "LITERAL":
        return value < 128 and not letter(part)
    if kind == "IN":
        return all(str(one) == "CATEGORY" and str(which) == "CATEGORY_SPACE" for one, which in value)
    return kind == "AT" and str(value) in _BORDERS
