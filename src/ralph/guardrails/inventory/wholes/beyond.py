"""Elements that a shorter list no longer has (policy set v2, class G05).

Rule: a test said how many elements there are, and says now, of the same, that there are fewer. What it asked of an
element past them (`groups[2].name`, where there are two now) can no longer be asked: it is for a person, as the number
is, where product code changed with it that the test can notice. Of those that are left everything is still missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.wholes.lengths import is_exact_length, measured
from ralph.system.patterns import later

NUMBER = later(r"\d{1,6}")
INDEX = later(r"\[(\d{1,6})\]")


def beyond_end(gone: Iterable[Check], pair: Pair) -> Iterator[Check]:
    before, after = _lengths(pair.old.facts()), _lengths(pair.new.facts())
    shorter = {whole: number for whole, number in after.items() if number < before.get(whole, 0)}
    for check in gone if shorter else ():
        if any(_is_past(check.subject, whole, number) for whole, number in shorter.items()):
            yield check


def _is_past(subject: str, whole: str, number: int) -> bool:
    at = subject.find(f"{whole}[")
    index = INDEX.match(subject, at + len(whole)) if at >= 0 else None
    return index is not None and int(index[1]) >= number


def _lengths(facts: Facts) -> Mapping[str, int]:
    """How long each is; of those that are said to have several lengths, the last one."""
    asked = (each for each in facts.checks if each.grade >= Grade.SHAPE and not each.perhaps and is_exact_length(each))
    return {measured(check): int(check.wanted) for check in asked if NUMBER.fullmatch(check.wanted)}
