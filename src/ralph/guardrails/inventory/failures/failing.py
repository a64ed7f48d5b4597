"""Two sides of a test that fails under the same conditions, whatever its assertions are spelled with (class G05).

Rule: a way in which the base's test fails is kept by one of the head's that fails wherever it does: with the same
conditions or with fewer of them. Each way of the head keeps one of the base: what is asked twice has to be asked twice.
What is asked until the answer comes keeps what was asked so, too, or after some time had passed: of what was asked at
once it would be a second try. An assertion is answered for if all its ways are kept, each by an assertion that counts
and runs as often.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from ralph.guardrails.inventory.equivalents.units import Units
from ralph.guardrails.inventory.model import Check, Facts, Way

COUNTS = frozenset({"", "it runs under a condition"})
"""Why an assertion is worth less and yet fails the test: a way tells under which condition."""
Spot = tuple[int, int]


def settle_failing(lost: Sequence[Units], gained: Sequence[Units], before: Facts, after: Facts) -> None:
    """Strikes out what fails the test as before, on both sides."""
    if before.failing is None or after.failing is None:
        return
    there = {_spot(unit.check): unit for unit in gained if unit.check.grade and unit.check.why in COUNTS}
    ways = [way for way in after.failing() if any(spot in there for spot in way.spots)]
    asked = {_spot(unit.check): unit for unit in lost}
    old = before.failing()
    kept = _kept(old, ways, asked, there)
    by_spot: dict[Spot, list[Way]] = defaultdict(list)
    for way in old:
        for spot in way.spots:
            by_spot[spot].append(way)
    used = set[int]()
    for unit in lost:
        mine = by_spot[_spot(unit.check)]
        if mine and all(id(way) in kept for way in mine):
            unit.left = 0
            used |= {id(kept[id(way)]) for way in mine}
    for unit in (each for each in gained if _spot(each.check) in there):
        own = [way for way in ways if _spot(unit.check) in way.spots]
        if own and (all(id(way) in used for way in own) or any(way.polled and id(way) in used for way in own)):
            unit.left = 0  # what is waited for as a whole stands for nothing else; nor do all that one `if` asks


def _kept(
    old: Iterable[Way], new: Iterable[Way], asked: Mapping[Spot, Units], there: Mapping[Spot, Units]
) -> dict[int, Way]:
    """By the identity of a way of the base, the one of the head: the same where there is one, before a wider one."""
    free, kept = list(new), dict[int, Way]()
    listed = list(old)
    for exactly in (True, False):
        for way in (each for each in listed if id(each) not in kept):
            fits = (
                each
                for each in free
                if (each.holds == way.holds if exactly else each.holds <= way.holds)
                and (way.polled or way.slept or not each.polled)
                and _runs_as_often(_times(each, there, of_table=True), _times(way, asked))
            )
            if (found := next(fits, None)) is not None:
                kept[id(way)] = found
                free.remove(found)
    return kept


def _times(way: Way, checks: Mapping[Spot, Units], *, of_table: bool = False) -> int | None:
    """How often it is asked; for a way through several, as often as most of them. What the head runs for the rows that
    fill a column is asked of the whole table: the way says of which rows."""
    asked = [checks[spot].check for spot in way.spots if spot in checks]
    whole = of_table and any(each.chosen for each in asked)
    times = [each.times for each in (*asked, *(unit.check for unit in checks.values() if whole))]
    return None if None in times else max((each for each in times if each is not None), default=0)


def _runs_as_often(new: int | None, old: int | None) -> bool:
    return new is None or (old is not None and new >= old)


def _spot(check: Check) -> Spot:
    return check.line, check.column
