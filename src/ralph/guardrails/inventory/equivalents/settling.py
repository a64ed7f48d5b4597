"""What a test gained answers for what it lost, at once: it is the same, in the same words or in others.

A test may have hundreds of assertions. Only what may be partners is held against one another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence

from ralph.guardrails.inventory.equivalents.arms import branches
from ralph.guardrails.inventory.equivalents.related import shared
from ralph.guardrails.inventory.equivalents.spelled import holds_more, holds_text, same_question, ways
from ralph.guardrails.inventory.equivalents.units import Units
from ralph.guardrails.inventory.failures.unawaited import is_unawaited
from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.texts.holding import asks_pattern, asks_text, holds_one
from ralph.guardrails.inventory.wanted.coarser import has_alternative, only_part, only_perhaps, wider
from ralph.guardrails.inventory.wanted.less import demands_less
from ralph.guardrails.inventory.wanted.ruled_out import is_turned
from ralph.guardrails.inventory.wanted.values import answer, names_another
from ralph.guardrails.inventory.wholes.orders import any_order
from ralph.guardrails.inventory.wholes.short import only_if_any


def answers(new: Check, old: Check) -> bool:
    """The new assertion is at least as strong."""
    if is_unawaited(new, old) or (new.subject == old.subject and new.relation == old.relation and wider(old, new)):
        return False
    coarser = only_perhaps(new, old) or only_part(new, old) or has_alternative(new, old) or any_order(new, old)
    return new.grade >= old.grade and not coarser and not demands_less(new, old)


def settle(lost: Iterable[Units], gained: Iterable[Units]) -> None:
    """Strikes out what is there on both sides."""
    same: dict[tuple[str, str, str], list[Units]] = defaultdict(list)
    for other in gained:
        same[other.check.key].append(other)
    for unit in lost:
        for other in same[unit.check.key]:
            if unit.left and other.left and answers(other.check, unit.check):
                unit.take(other)
                if unit.check.times is None and not unit.left:
                    other.left = 0  # both run for any number of cases: the same number


def settle_chosen(lost: Iterable[Units], gained: Iterable[Units]) -> None:
    """What is run for the rows that ask for it is still: what became of a row is another matter."""
    chosen = [each.check for each in gained if each.check.chosen]
    for unit in (unit for unit in lost if unit.check.chosen):
        if any(each.key == unit.check.key and answers(each, unit.check) for each in chosen):
            unit.left = 0


def settle_spelled(lost: Sequence[Units], gained: Iterable[Units]) -> None:
    """What says the same in other words answers for one, a longer text for all its parts."""
    free = [each for each in gained if each.left]
    settle_same(lost, free)
    holding = [each for each in free if holds_text(each.check)]
    longer: list[Units] = []
    for unit in (unit for unit in lost if holding and unit.left and holds_text(unit.check)):
        more = next((each for each in holding if each.left and holds_more(each.check, unit.check)), None)
        if more is not None:
            unit.left = 0
            longer.append(more)
    for more in longer:
        more.left = 0
    texts = [each for each in free if asks_text(each.check)]
    for unit in (unit for unit in lost if texts and unit.left and asks_pattern(unit.check)):
        unit.take_all(each for each in texts if holds_one(each.check, unit.check))


def settle_same(lost: Iterable[Units], gained: Iterable[Units]) -> None:
    """What asks the same question in other words."""
    for unit, others in _by_ways((unit for unit in lost if unit.left), gained):
        unit.take_all(each for each in others if each.left and same_question(each.check, unit.check))


def _by_ways(lost: Iterable[Units], gained: Iterable[Units]) -> Iterator[tuple[Units, list[Units]]]:
    """With what may ask the same, in its order."""
    asking: dict[Hashable, list[int]] = defaultdict(list)
    listed = list(gained)
    for at, other in enumerate(listed):
        for way in ways(other.check):
            asking[way].append(at)
    for unit in lost:
        yield unit, [listed[at] for at in sorted({at for way in ways(unit.check) for at in asking.get(way, ())})]


def settle_branches(lost: Sequence[Units], gained: Iterable[Units], before: Facts) -> None:
    """What wants a chosen value answers for one assertion in each branch."""
    for other in (each for each in gained if each.left and any(unit.left for unit in lost)):
        one = branches(other.check, before)
        for unit in lost if one else ():
            if unit.check in one and unit.check.grade <= other.check.grade:
                unit.left = other.left = 0


def settle_alike(lost: Sequence[Units], gained: Sequence[Units]) -> None:
    """The same is wanted of another subject: that is no other test's before it is this one's, the nearest first. What
    has something in common with one that is still alone stands for nothing else."""
    subjects = {unit.check.subject for unit in lost if unit.left}
    asked = {each.check.subject for each in gained}
    alone = [unit for unit in lost if unit.check.subject not in asked]
    alike: dict[tuple[str, str], list[Units]] = defaultdict(list)
    for other in gained:
        exact = other.check.known and other.check.grade is Grade.EXACT
        if exact and other.left and other.check.subject not in subjects:
            alike[answer(other.check)].append(other)
    exactly = [unit for unit in alone if unit.check.grade is Grade.EXACT]
    for unit in exactly:
        unit.take_all(each for each in alike[answer(unit.check)] if _is_near(each, unit) and not _is_part(each, unit))
    near = {id(each): [unit for unit in alone if _is_near(each, unit)] for others in alike.values() for each in others}
    for unit in exactly:
        free = (each for each in alike[answer(unit.check)] if each.left and not _any_left(near[id(each)]))
        unit.take_all(each for each in free if not _is_part(each, unit))


def _is_near(new: Units, old: Units) -> bool:
    return bool(shared(new.check, old.check))


def _is_part(new: Units, old: Units) -> bool:
    less = only_part(new.check, old.check) or any_order(new.check, old.check) or is_unawaited(new.check, old.check)
    other = names_another(old.check, new.check) or is_turned(new.check, old.check)
    return less or other or only_if_any(new.check, old.check)


def _any_left(units: list[Units]) -> bool:
    """Those without a partner become fewer only: what is through is not looked at again."""
    while units and not units[-1].left:
        units.pop()
    return bool(units)
