"""Control `canary`: tests that must fail fail, tests that must pass pass, and a copy agrees with the working tree.

Rules (research: governance and gaming, 4.4):

- Canaries are planted in a copy of the tree only, in the files of the change first, and the whole command runs there.
- Only files of which tests ran in place are judged: what the command never collects says nothing.
- A canary that must fail and passes, or is skipped; one that did not run while its neighbours did; one that must pass
  and does not; a command that ends with exit code 0 while a test failed: each breaks the control.
- A test that passes in place must pass in the copy: a trick that knows a copy when it sees one behaves there.
- What is odd in the same way on the base, with canaries of its own, is the project's way and not the change's doing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from ralph.controls.canary_texts import Canaries, Names, canaries_for
from ralph.controls.ids import Places, last_name
from ralph.steps.reports.tests import TestReport

NAME = "canary"
MOST_FILES = 50

PASSED = "a test that must fail passed"
SKIPPED = "a test that must fail was skipped"
NO_CODE = "the command ended with exit code 0 though a test failed"
CERTAIN = frozenset({PASSED, SKIPPED, NO_CODE})
"""What is wrong whatever the project; the rest may be its way to choose tests."""


@dataclass(frozen=True, slots=True)
class Planted:
    """The canaries in one file."""

    path: str
    canaries: Canaries

    @property
    def names(self) -> frozenset[str]:
        return self.canaries.passing | self.canaries.failing


@dataclass(frozen=True, slots=True, order=True)
class Odd:
    """Something that a canary should not have done; the same on the base if both fields are equal."""

    path: str
    what: str


def plant(root: Path, paths: Iterable[str], first: Iterable[str], rng: Random) -> list[Planted]:
    """Append canaries to test files of the copy at `root`: those of `first`, then others by chance."""
    wanted = set(first)
    order = sorted(paths)
    rng.shuffle(order)
    planted: list[Planted] = []
    names = Names(rng)
    for path in sorted(order, key=lambda each: each not in wanted):
        file = root / path
        if len(planted) < MOST_FILES and file.is_file() and not file.is_symlink():
            data = file.read_bytes()
            canaries = canaries_for(path, data.decode("utf-8", "replace"), names)
            if canaries:
                file.write_bytes(data + canaries.text.encode("ascii"))
                planted.append(Planted(path, canaries))
    return planted


def odd(planted: Sequence[Planted], copy: TestReport, exit_code: int | None, judged: frozenset[str]) -> set[Odd]:
    """What the canaries in the files of `judged` did wrong in a run."""
    names = {
        kind: frozenset(map(last_name, ids))
        for kind, ids in (("passed", copy.passed), ("skipped", copy.skipped), ("bad", copy.bad))
    }
    found = {
        Odd(each.path, what) for each in planted if each.path in judged for what in _oddities(each.canaries, names)
    }
    if exit_code == 0 and any(each.canaries.failing & names["bad"] for each in planted):
        found.add(Odd("", NO_CODE))
    return found


def seen(planted: Sequence[Planted], copy: TestReport, judged: frozenset[str]) -> int:
    """In how many judged files canaries ran."""
    names = frozenset(map(last_name, (*copy.ids, *copy.skipped)))
    return sum(1 for each in planted if each.path in judged and each.names & names)


def without(planted: Sequence[Planted], copy: TestReport) -> TestReport:
    """The project's own tests of a run with canaries."""
    names = frozenset().union(*(each.names for each in planted)) if planted else frozenset()

    def own(ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(test for test in ids if last_name(test) not in names)

    return TestReport(
        passed=own(copy.passed), failed=own(copy.failed), broken=own(copy.broken), skipped=own(copy.skipped)
    )


def only_in_place(here: TestReport, copy: TestReport) -> list[str]:
    """Tests that pass in the working tree, and do not in the copy."""
    return sorted(set(here.passed) - set(here.bad) - (set(copy.passed) - set(copy.bad)))


def files_judged(planted: Sequence[Planted], here: TestReport, places: Places) -> frozenset[str]:
    """The files with canaries of which other tests ran in place. Where a report does not tell files: all of them."""
    ran = {place.path for test in here.ids if (place := places.of(test))}
    return frozenset(each.path for each in planted if not ran or each.path in ran)


def _oddities(canaries: Canaries, names: dict[str, frozenset[str]]) -> Iterator[str]:
    somewhere = names["passed"] | names["skipped"] | names["bad"]
    if canaries.failing & names["passed"]:
        yield PASSED
    elif canaries.failing & names["skipped"]:
        yield SKIPPED
    elif canaries.failing - somewhere:
        yield "a test that must fail did not run"
    if canaries.passing & (names["bad"] | names["skipped"]):
        yield "a test that must pass did not"
    elif canaries.passing - somewhere:
        yield "a test that must pass did not run"
