"""Control `inventory`: the tests that ran on the base still run.

Rules:

- Ids are those of the two runs' reports, so that whatever narrows a collection shows: options, configuration, hooks,
  names that nothing collects, two tests of one name.
- A test that ran on the base and is skipped now breaks the control, whoever skipped it. A new test that is skipped is
  shown.
- A test that did not run breaks the control, unless it runs under another name or in another file, its assertions stand
  in other tests, or what it tested is gone. Of a parametrised test as many cases must run as before; which they are may
  change. What is told apart like this is shown.
- Of a file that could not be loaded on the base nobody knows the tests; those it has now are new.
- A test whose name does not stand in the source as it is reported (made at run time, or in a language that Ralph
  cannot read) may be renamed where as many others are new in its file.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

from ralph.controls.changed_tests import ChangedTests
from ralph.controls.findings import broken, held, listed, number
from ralph.controls.ids import Place, Places, tail, without_case
from ralph.results import ControlResult
from ralph.steps.reports.tests import TestReport

NAME = "inventory"


def judge(base: TestReport, head: TestReport, tests: ChangedTests, places: Places) -> ControlResult:
    """What became of the base's tests. `places` knows the test files of both trees."""
    before, now = _Run(base, places), _Run(head, places)
    skipped = sorted(before.ids & set(head.skipped) - now.ids)
    missing: list[str] = []
    shown: list[str] = []
    nameless = _Nameless(before, now, tests)
    moved = Counter(tail(test) for test in now.ids - before.ids if tail(test))
    for test in sorted(before.ids - now.ids - set(skipped)):
        if moved[tail(test)] > 0:
            moved[tail(test)] -= 1
            shown.append(f"{test}: runs in another file")
        elif why := _explained(test, before, now, tests) or nameless.explained(test):
            shown.append(f"{test}: {why}")
        else:
            missing.append(test)
    new = sorted(set(head.skipped) - before.ids - set(base.skipped))
    shown += [f"{test}: new, and skipped" for test in new]
    if not missing and not skipped:
        return held(NAME, f"{number(len(before.ids), 'test')} of the base", shown)
    parts = [f"{number(len(missing), 'test')} of the base did not run: {listed(missing)}"] if missing else []
    parts += [f"{number(len(skipped), 'test')} that ran on the base skipped: {listed(skipped)}"] if skipped else []
    details = [*(f"{test}: did not run" for test in missing), *(f"{test}: skipped" for test in skipped), *shown]
    return broken(NAME, "; ".join(parts), details)


def unchanged(base: TestReport, head: TestReport) -> ControlResult:
    """The stricter form, for refactorings: the same ids, no more and no fewer."""
    before, now = set(base.ids), set(head.ids)
    if before == now:
        return held(NAME, f"the {number(len(now), 'test')} of the base, and no others")
    counts = f"{len(head.ids)} now, {len(base.ids)} there"
    details = [
        *(f"{test}: did not run" for test in sorted(before - now)),
        *(f"{test}: new" for test in sorted(now - before)),
    ]
    return broken(NAME, f"the contract wants the tests of the base, but others ran ({counts})", details)


@dataclass(frozen=True)
class _Run:
    """One run's tests, counted in the ways in which they are looked for."""

    report: TestReport
    places: Places
    ids: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", frozenset(each for each in self.report.ids if not self._is_file(each)))

    def _is_file(self, test: str) -> bool:
        """Not a test, but a file that could not be loaded."""
        place = self.places.of(test)
        return place is not None and not place.parts

    @cached_property
    def cases(self) -> Counter[str]:
        return Counter(without_case(test) for test in self.ids)

    @cached_property
    def by_place(self) -> Counter[Place]:
        return Counter(place for test in self.ids if (place := self.places.of(test)))


def _explained(test: str, before: _Run, now: _Run, tests: ChangedTests) -> str | None:
    """What innocent thing happened to a test that did not run, in words."""
    whole, place = without_case(test), before.places.of(test)
    if now.cases[whole] >= before.cases[whole]:
        return "other cases run instead" if whole != test else "runs with parameters now"
    if place is None:
        return None
    successor = tests.successor(place)
    if successor != place and now.by_place[successor] >= before.by_place[place]:
        return f"runs as {' > '.join(successor.parts)} in {successor.path}"
    return tests.why_gone(place)


class _Nameless:
    """Tests of which only the report knows the name, file by file."""

    def __init__(self, before: _Run, now: _Run, tests: ChangedTests) -> None:
        self._places, self._tests = before.places, tests
        self._gone = self._by_file(before.ids - now.ids)
        self._new = self._by_file(now.ids - before.ids)

    def explained(self, test: str) -> str | None:
        place = self._places.of(test)
        if place is None or self._tests.stood(place) or self._new[place.path] < self._gone[place.path]:
            return None
        return "as many others are new in its file"

    def _by_file(self, ids: frozenset[str]) -> Counter[str]:
        places = (self._places.of(test) for test in ids)
        return Counter(place.path for place in places if place and not self._tests.stood(place))
