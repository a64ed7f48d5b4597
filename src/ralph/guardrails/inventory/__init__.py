"""The inventory of tests: what was tested before the change and is no longer tested after it (`losses` has the rules).

Each language brings an extractor, a module named in `readers.READERS` with what `readers.Reader` asks for; `model` says
what it must tell about a test. Only changed files are read: a test in an untouched file has lost nothing. A test that
is the same on both sides, with all that it depends on, is struck out before anybody asks for its facts.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from ralph.guardrails.model import Change, ChangeDetector, Hit


def lost_tests(change: Change) -> Iterable[Hit]:
    """Every loss of tests or of their strength. A change without any file that may hold tests loads nothing more."""
    from ralph.guardrails.inventory.readers import files_with_tests

    files = files_with_tests(change)
    if not files:
        return ()
    from ralph.guardrails.golang.skipped.tagged import with_their_runs
    from ralph.guardrails.inventory import losses
    from ralph.guardrails.rust.features import with_their_code
    from ralph.guardrails.rust.inner import newly_left_out

    found = with_their_code(chain(losses.losses(change, files), newly_left_out(change)), change)
    return with_their_runs(found, change)


def recorded_results(change: Change) -> Iterable[Hit]:
    """Recorded results that want something else than before."""
    from ralph.guardrails.inventory.recorded import changed_records

    return changed_records(change)


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (lost_tests, recorded_results)
