"""All that touched tests lost and gained in a change, and what answers for what (see `weaken` for the rules)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from ralph.guardrails.inventory.arms import branches
from ralph.guardrails.inventory.coarser import has_alternative, only_part, only_perhaps, wider
from ralph.guardrails.inventory.less import demands_less
from ralph.guardrails.inventory.match import Matching
from ralph.guardrails.inventory.model import Check, Facts, Grade, Test
from ralph.guardrails.inventory.orders import any_order
from ralph.guardrails.inventory.refusing import as_felt
from ralph.guardrails.inventory.related import shared
from ralph.guardrails.inventory.repeated import says_twice
from ralph.guardrails.inventory.spelled import holds_more, same_question
from ralph.guardrails.inventory.unawaited import is_unawaited
from ralph.guardrails.inventory.values import answer, names_another
from ralph.system.patterns import later

SKIPPED = later(
    r"@(?:\w+\.)*(?:mark\.)?skip(?:\(|\s|$)|mark\.xfail\b|@(?:\w+\.)*expectedFailure\b|\b(?:it|test|describe)\.(?:skip|todo|fails)\b"
    r"|\bx(?:it|test|describe|specify)\b|\bt\.Skip(?:Now|f)?\(|#\[ignore|@(?:Disabled|Ignore)\b(?!If)|\bSkip\s*=|^\s*skip\b",
    re.MULTILINE,
)
"""Of a new test: what it asserts stands for nothing, as it does not run."""


class Units:
    """An assertion and how often it is still without a partner: infinitely often, where nobody can tell."""

    def __init__(self, check: Check, left: float) -> None:
        self.check = check
        self.left = left

    def take(self, other: Units) -> None:
        """The two answer for each other."""
        amount = min(self.left, other.left)
        self.left -= amount
        other.left -= amount


class Ledger:
    """All that touched tests lost and gained. `lost_of` and `gained_of` are by the test's identity."""

    def __init__(self, matching: Matching) -> None:
        self.lost_of: dict[int, list[Units]] = {}
        self.gained_of: dict[int, list[Units]] = {}
        for pair in matching.pairs:
            self._open(pair.old.facts(), pair.new.facts(), pair.old, pair.new)
        for test in matching.removed:
            self._open(test.facts(), Facts(), test, None)
        self.added = matching.added
        self.any_lost = any(unit.left for lost in self.lost_of.values() for unit in lost)
        if self.any_lost:
            self._open_added(matching)
            self._match_moved(matching)

    @cached_property
    def any_generated(self) -> bool:
        """A new test tries made-up inputs."""
        return any(test.facts().generated for test in self.added)

    def _open(self, before: Facts, after: Facts, old: Test | None, new: Test | None) -> None:
        lost = [Units(check, check.times or 1) for check in _once(before.checks) if check.grade > Grade.NOTHING]
        gained = [
            Units(check, float("inf") if check.times is None else check.times * check.covers)
            for check in _not_said_before(before.checks, list(as_felt(before, after)))
        ]
        _settle(lost, gained)
        _settle_chosen(lost, gained)
        _settle_spelled(lost, gained)
        _settle_branches(lost, gained, before)
        if old is not None and new is not None:
            _settle_alike(lost, gained)
        if old is not None:
            self.lost_of[id(old)] = lost
        if new is not None:
            self.gained_of[id(new)] = gained

    def _open_added(self, matching: Matching) -> None:
        """A helper counts if a test uses it. Costly, so only where something is lost."""
        used = _words_of_tests(matching) if any(test.kind == "helper" for test in matching.added) else frozenset()
        for test in matching.added:
            if SKIPPED.search(test.text):
                continue
            if test.kind == "test" or test.parts[-1] in used:
                self._open(Facts(), test.facts(), None, test)

    def _match_moved(self, matching: Matching) -> None:
        """Tests first: what a helper lost is none of theirs."""
        pool: dict[tuple[str, str, str], list[Units]] = defaultdict(list)
        for units in self.gained_of.values():
            for unit in units:
                pool[unit.check.key].append(unit)
        owners = sorted(
            (*(pair.old for pair in matching.pairs), *matching.removed), key=lambda test: test.kind != "test"
        )
        for owner in owners:
            for unit in self.lost_of[id(owner)]:
                _settle([unit], pool.get(unit.check.key, []))

    def rest(self, old: Test) -> list[Units]:
        """What nobody answers for yet, the strongest first."""
        return sorted((unit for unit in self.lost_of[id(old)] if unit.left), key=lambda unit: -unit.check.grade)


def _once(checks: Sequence[Check]) -> Iterator[Check]:
    """Without those that only repeat what stands right above, in other words or the same, where nothing is called that
    could change in between, or a text is only spelled in another way; and that the same call is refused. Of variables
    the same line again says nothing, whatever they hold."""
    last: Check | None = None
    for check in checks:
        if check.again or (last is not None and check.relation == "raises" and check.key == last.key):
            continue
        again = last is not None and (check.key, check.line) == (last.key, last.line + 1)
        if not again or ("(" in check.subject and not says_twice(last, check)) or not check.snippet:
            yield check
        last = check


def _not_said_before(before: Sequence[Check], after: Sequence[Check]) -> Iterator[Check]:
    """Without those that repeat what they repeated in the base: they were not missed there, and are no gain here."""
    repeated = Counter(each.key for each in before) - Counter(each.key for each in _once(before))
    once = {id(each) for each in _once(after)}
    for check in after:
        if id(check) not in once and repeated[check.key]:
            repeated[check.key] -= 1
        else:
            yield check


def _settle(lost: Iterable[Units], gained: Sequence[Units]) -> None:
    """Strikes out what is there on both sides."""
    for unit in lost:
        for other in gained:
            same = other.check.key == unit.check.key and answers(other.check, unit.check)
            if same and unit.left and other.left:
                unit.take(other)
                if unit.check.times is None and not unit.left:
                    other.left = 0  # both run for any number of cases: the same number


def _settle_chosen(lost: Iterable[Units], gained: Sequence[Units]) -> None:
    """What is run for the rows that ask for it is still: what became of a row is another matter."""
    chosen = [each.check for each in gained if each.check.chosen]
    for unit in (unit for unit in lost if unit.check.chosen):
        if any(each.key == unit.check.key and answers(each, unit.check) for each in chosen):
            unit.left = 0


def _settle_spelled(lost: Iterable[Units], gained: Sequence[Units]) -> None:
    """What says the same in other words answers for one, a longer text for all its parts."""
    for unit in (unit for unit in lost if unit.left):
        for other in (each for each in gained if each.left):
            if unit.left and same_question(other.check, unit.check):
                unit.take(other)
    longer: list[Units] = []
    for unit in (unit for unit in lost if unit.left):
        more = next((each for each in gained if each.left and holds_more(each.check, unit.check)), None)
        if more is not None:
            unit.left = 0
            longer.append(more)
    for more in longer:
        more.left = 0


def _settle_branches(lost: Sequence[Units], gained: Iterable[Units], before: Facts) -> None:
    """What wants a chosen value answers for one assertion in each branch."""
    for other in (each for each in gained if each.left and any(unit.left for unit in lost)):
        one = branches(other.check, before)
        for unit in (each for each in lost if each.check in one and each.check.grade <= other.check.grade):
            unit.left = other.left = 0


def _settle_alike(lost: Sequence[Units], gained: Iterable[Units]) -> None:
    """The same is wanted of another subject: that is no other test's before it is this one's, the nearest first."""
    subjects = {unit.check.subject for unit in lost if unit.left}
    listed = list(gained)
    asked = {each.check.subject for each in listed}
    free = [each for each in listed if each.left and each.check.subject not in subjects and each.check.known]
    alone = [unit for unit in lost if unit.check.subject not in asked]
    for unit, nearest in ((unit, nearest) for nearest in (True, False) for unit in alone):
        old = unit.check
        for other in (each for each in free if answer(each.check) == answer(old) and each.check.grade is old.grade):
            part = only_part(other.check, old) or any_order(other.check, old) or names_another(old, other.check)
            part = part or is_unawaited(other.check, old)
            near = [each for each in alone if each.left and shared(other.check, each.check)]
            part = part or (unit not in near if nearest else bool(near))
            if old.grade is Grade.EXACT and unit.left and other.left and not part:
                unit.take(other)


def answers(new: Check, old: Check) -> bool:
    """The new assertion is at least as strong."""
    if is_unawaited(new, old) or (new.subject == old.subject and new.relation == old.relation and wider(old, new)):
        return False
    coarser = only_perhaps(new, old) or only_part(new, old) or has_alternative(new, old) or any_order(new, old)
    return new.grade >= old.grade and not coarser and not demands_less(new, old)


def _words_of_tests(matching: Matching) -> frozenset[str]:
    tests = (*(pair.new for pair in matching.pairs), *matching.added)
    return frozenset().union(*(test.facts().words for test in tests))
