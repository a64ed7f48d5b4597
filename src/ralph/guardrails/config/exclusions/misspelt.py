"""Patterns that never fitted a file, and are put right: `compnents/**` became `components/**` (class G09).

A list of what is checked has lost nothing by that. Of what is built, the tree does not tell what a pattern fits.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.config.patterns import covers, is_output
from ralph.system.patterns import later

BETWEEN = later(r"[/.*{},]+")
SHORTEST = 4
"""In a shorter word another letter makes another word: `lib`, `bin`."""


def put_right(name: str, now: Sequence[str], paths: Sequence[str]) -> bool:
    """It fits nothing in the tree, and one of the new patterns, which is the same but for a letter, does."""
    spelled = [each for each in now if not each.startswith("!") and _is_near(name, each)]
    if not spelled or is_output(name) or any(covers(name, path, regex=False) for path in paths):
        return False
    return any(covers(each, path, regex=False) for each in spelled for path in paths)


def _is_near(was: str, now: str) -> bool:
    """The same words but for one, which has a letter more, less or another, two the other way round, or another sign
    between its parts: `unit-tests` became `unit_tests`."""
    one, other = BETWEEN.split(was), BETWEEN.split(now)
    if len(one) != len(other) or BETWEEN.findall(was) != BETWEEN.findall(now):
        return False
    differing = [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
    if len(differing) != 1 or min(map(len, differing[0])) < SHORTEST:
        return False
    plain = {word.replace("_", "-") for word in differing[0]}
    return len(plain) == 1 or _differ_in_a_letter(*differing[0])


def _differ_in_a_letter(one: str, other: str) -> bool:
    at = next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    if not (one[at : at + 1] + other[at : at + 1]).isalpha():
        return False
    a, b = one[at:], other[at:]
    swapped = a[:2] == b[:2][::-1] and a[2:] == b[2:]
    return swapped or a[1:] == b or a == b[1:] or a[1:] == b[1:]
