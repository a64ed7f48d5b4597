"""Which of the files whose product code changed a test may notice (policy set v2, class G05: expected values).

A test notices what it reaches, as its extractor tells. Everybody notices what is no code (data, settings), what decides
how other code is run, and what is gone: somebody may have used it. Where product code changed, what tests are given
counts, too: their data, and helpers in files without tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ralph.guardrails.inventory.model import Inventory
from ralph.guardrails.inventory.readers import TEST_PLACE, language, reader_of
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, FileChange
from ralph.system.patterns import later

SETS_UP = later(r"(?i)\.config\.|rc\.\w+$|(?:^|/)(?:config|build|scripts?)/|set-?up")
"""Code that may decide how other code is run."""


def may_notice(sides: Iterable[Inventory], changed: Sequence[str], there: frozenset[str]) -> bool:
    """What tests of a file may notice, on any of its sides; `there` is the tree after the change."""
    if not changed:
        return False
    if any(path not in there or language_of(path) is None or SETS_UP.search(path) for path in changed):
        return True
    known = False
    for side in sides:
        reached = side.reached()
        if reached is None or not reached.isdisjoint(changed):
            return True
        known = True
    return not known


def given(change: Change, sides: Mapping[str, tuple[Inventory, Inventory]]) -> Iterator[str]:
    """The files beside tests that hold none."""
    for file in change.files:
        if TEST_PLACE.search(file.path):
            known = sides.get(file.path)
            tests = (test for side in known or () for test in side.tests)
            if not (is_test(file, change) if known is None else any(test.kind == "test" for test in tests)):
                yield file.path


def is_test(file: FileChange, change: Change) -> bool:
    """By its name."""
    reader = reader_of(language(file, change))
    return reader is not None and reader.is_test_file(file.path)
