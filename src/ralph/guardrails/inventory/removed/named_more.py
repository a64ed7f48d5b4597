"""Tests whose titles say one thing more, or less, of the same (policy set v2, class G04).

Rule: all words of the one title stand in the other, in their order, and all constants of the one test in the other, so
that it is given and wants what it was given and wanted: `prints a value with quotes`, `prints a value with trailing
quotes`. What it asks of that is compared as that of any test.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from ralph.guardrails.inventory.model import Test
from ralph.system.patterns import later

TRUTHS = frozenset({"true", "false", "True", "False", "None", "null", "nil", "undefined"})
WORD = later(r"\w+")
FEWEST, MOST_MORE = 3, 2
"""So many words a title has that tells one test from others, and so many more the other one may have."""
LONG = 8
"""A constant of so many characters is hardly that of another test."""


def suite_of(test: Test) -> Hashable | None:
    return (test.path, test.parts[:-1]) if test.kind == "test" else None


def named_more(old: Test, new: Test) -> float:
    """1.0 for the same test under a title with more words, or less; else 0.0."""
    one, other = (WORD.findall(test.parts[-1]) for test in (old, new))
    short, long = sorted((one, other), key=len)
    if one == other or len(short) < FEWEST or len(long) - len(short) > MOST_MORE or not _in_order(short, long):
        return 0.0
    given = old.facts().literals - TRUTHS
    told = any(len(each) >= LONG for each in given)
    return 1.0 if told and given <= new.facts().literals else 0.0


def _in_order(words: Sequence[str], among: Sequence[str]) -> bool:
    rest = iter(among)
    return all(word in rest for word in words)
