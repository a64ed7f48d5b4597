"""Tests in which a host has another name, and nothing else is other than before (policy set v2, class G05).

Rule: several tests of a change have one host wherever they had another, in what they give and in what they want: what
is wanted alone is the product's to say. They ask what they asked, provided that no two hosts became one, and that none
of them has the name of one that stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ralph.guardrails.inventory.match import Pair
from ralph.system.patterns import later

HOST = later(
    r"(?<=[\"'`/@])((?:[\w-]+\.){1,4}(?:com|org|net|io|dev|test|example|invalid|local|internal|app|co))(?=[\"'`/:?#\s])"
)
FEWEST = 3
"""A host that changes in so many tests was renamed; in one or two it may be an easier question."""


def renamed(pairs: Iterable[Pair]) -> frozenset[int]:
    """The identities of the head's tests that only have other hosts."""
    names = {id(pair.new): found for pair in pairs if pair.old.kind == "test" and (found := _renaming(pair))}
    common = Counter(each for found in names.values() for each in found.items())
    return frozenset(test for test, found in names.items() if min(common[each] for each in found.items()) >= FEWEST)


def _renaming(pair: Pair) -> dict[str, str]:
    """The old hosts with the new ones; nothing where something else is other than before."""
    old, new = HOST.split(pair.old.text), HOST.split(pair.new.text)
    if len(old) != len(new) or old[::2] != new[::2]:
        return {}
    became = dict(zip(old[1::2], new[1::2], strict=True))
    consistent = all(became[was] == now for was, now in zip(old[1::2], new[1::2], strict=True))
    apart = len(set(became.values())) == len(became)
    other = {was: now for was, now in became.items() if was != now}
    return other if consistent and apart and all(_is_given(was, pair) for was in other) else {}


def _is_given(host: str, pair: Pair) -> bool:
    """It stands somewhere else than in what the assertions want."""
    wanted = sum(check.wanted.count(host) for check in pair.old.facts().checks)
    return HOST.findall(pair.old.text).count(host) > wanted
