"""All that touched tests lost and gained in a change, and what answers for what (see `weaken` for the rules)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from ralph.guardrails.inventory.equivalents.repeated import says_twice
from ralph.guardrails.inventory.equivalents.settling import (
    settle,
    settle_alike,
    settle_branches,
    settle_chosen,
    settle_same,
    settle_spelled,
)
from ralph.guardrails.inventory.equivalents.units import Units
from ralph.guardrails.inventory.failures.failing import settle_failing
from ralph.guardrails.inventory.failures.refusing import as_felt
from ralph.guardrails.inventory.match import Matching, Pair
from ralph.guardrails.inventory.model import Check, Facts, Grade, Test
from ralph.guardrails.inventory.texts.fitting import felt
from ralph.system.patterns import later

SKIPPED = later(
    r"@(?:\w+\.)*(?:mark\.)?skip(?:\(|\s|$)|mark\.xfail\b|@(?:\w+\.)*expectedFailure\b|\b(?:it|test|describe)\.(?:skip|todo|fails)\b"
    r"|\bx(?:it|test|describe|specify)\b|\bt\.Skip(?:Now|f)?\(|#\[ignore|@(?:Disabled|Ignore)\b(?!If)|\bSkip\s*=|^\s*skip\b",
    re.MULTILINE,
)
"""Of a new test: what it asserts stands for nothing, as it does not run."""


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
        lost, gained = _settled(before, after, edited=old is not None and new is not None)
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
        own = {id(unit) for pair in matching.pairs for unit in self._other_values(pair, pool)}
        owners = sorted(
            (*(pair.old for pair in matching.pairs), *matching.removed), key=lambda test: test.kind != "test"
        )
        for owner in owners:
            for unit in self.lost_of[id(owner)]:
                settle([unit], [each for each in pool.get(unit.check.key, ()) if id(each) not in own])
        self._match_respelled(matching)

    def _match_respelled(self, matching: Matching) -> None:
        """A suite that moves to another framework asks the same in its words: before anything else stands for it."""
        lost = [unit for test in matching.removed for unit in self.lost_of[id(test)] if unit.left]
        new = [test for test in matching.added if test.kind == "test"] if lost else []
        settle_same(lost, [unit for test in new for unit in self.gained_of.get(id(test), ()) if unit.left])

    def _other_values(self, pair: Pair, pool: Mapping[tuple[str, str, str], Sequence[Units]]) -> Iterator[Units]:
        """What a test wants of the same now, where no test wants the old value: it answers for that one, and not for
        the value that another test wanted before (`== 1` became `== 2` here, and `== 2` became `== 4` there)."""
        free = [unit for unit in self.lost_of[id(pair.old)] if unit.left and unit.check.key not in pool]
        lost = Counter(map(_question, free))
        if lost:
            gained = [unit for unit in self.gained_of[id(pair.new)] if unit.left]
            asked = Counter(map(_question, gained))
            yield from (unit for unit in gained if asked[_question(unit)] <= lost[_question(unit)])

    def rest(self, old: Test) -> list[Units]:
        """What nobody answers for yet, the strongest first."""
        return sorted((unit for unit in self.lost_of[id(old)] if unit.left), key=lambda unit: -unit.check.grade)


def _question(unit: Units) -> tuple[str, str]:
    """What is asked, whatever is wanted."""
    return unit.check.subject, unit.check.relation


def _settled(before: Facts, after: Facts, *, edited: bool) -> tuple[list[Units], list[Units]]:
    """What is lost and gained; where something is, held against what fails the test, too, if that leaves less."""
    lost, gained = _opened(before, after, edited=edited, failing=False)
    missed = sum(bool(unit.left) for unit in lost)
    if missed and before.failing is not None and after.failing is not None:
        others, more = _opened(before, after, edited=edited, failing=True)
        if sum(bool(unit.left) for unit in others) < missed:
            return others, more
    return lost, gained


def _opened(before: Facts, after: Facts, *, edited: bool, failing: bool) -> tuple[list[Units], list[Units]]:
    asked = [felt(check) for check in _once(before.checks)]
    lost = [Units(check, check.times or 1) for check in asked if check.grade > Grade.NOTHING]
    gained = [
        Units(check, float("inf") if check.times is None else check.times * check.covers)
        for check in map(felt, _not_said_before(before.checks, list(as_felt(before, after))))
    ]
    if failing:
        settle_failing(lost, gained, before, after)
    settle(lost, gained)
    settle_chosen(lost, gained)
    settle_spelled(lost, gained)
    settle_branches(lost, gained, before)
    if edited:
        settle_alike(lost, gained)
    return lost, gained


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


def _words_of_tests(matching: Matching) -> frozenset[str]:
    tests = (*(pair.new for pair in matching.pairs), *matching.added)
    return frozenset().union(*(test.facts().words for test in tests))
