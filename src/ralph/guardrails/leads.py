"""Where in a text a regular expression can match at all: around the runs of letters that it begins with.

An expression that is matched without case is tried at every place of a text, which is dear. Most begin with one of a
few words, or have at most some characters before it: then the words are looked for first, as plain text in lower case,
and the expression is tried only where they stand. The answer is the same.

As in `needs`, Python's own parser takes the expression apart; where it says something else than it did, no word is
known, and the expression is tried everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from ralph.guardrails.needs import letter, parsed

MOST_BEFORE = 3
"""So many characters may stand before the run."""


class Lead(NamedTuple):
    """Whatever matches has one of the runs (in lower case) at most so many characters behind its start."""

    runs: frozenset[str]
    most_before: int


@cache
def lead(expression: str) -> Lead | None:
    """None if nothing is known of how a match begins."""
    try:
        found = dict(_runs(parsed(expression)))
    except (AttributeError, LookupError, TypeError, ValueError):
        return None
    before = max(found.values(), default=MOST_BEFORE + 1)
    return Lead(frozenset(found), before) if before <= MOST_BEFORE else None


def _runs(parts: Any) -> Iterator[tuple[str, int]]:
    """Each run that a match may begin with, and how many characters stand before it at most."""
    for at, part in enumerate(parts):
        if found := list(_first(parts[at:], *part)):
            most = parts[:at].getwidth()[1]
            yield from ((run, most + before) for run, before in found)
            return
    raise LookupError


def _first(parts: Sequence[tuple[Any, Any]], kind: Any, value: Any) -> Iterator[tuple[str, int]]:
    """The runs of the first of these parts; none if it need not have any."""
    name = str(kind)
    if letter((kind, value)):
        yield _run(parts), 0
    elif name == "SUBPATTERN":
        yield from _of_any([value[-1]])
    elif name == "BRANCH":
        yield from _of_any(value[1])


def _of_any(branches: Sequence[Any]) -> Iterator[tuple[str, int]]:
    """The runs of all branches; none if one of them has none."""
    try:
        yield from [found for branch in branches for found in _runs(branch)]
    except LookupError:
        return


def _run(parts: Sequence[tuple[Any, Any]]) -> str:
    """The letters up to the first part that is none."""
    letters = ""
    for part in parts:
        if not letter(part):
            break
        letters += letter(part)
    return letters
