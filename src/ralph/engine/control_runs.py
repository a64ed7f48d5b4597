"""The runs that controls need: the test command in copies of a tree beside the user's (design: `ralph.controls`).

Every run leaves its log and report in `controls/<name>/` of the evidence. The user's tree is not touched, so that
nothing of a control can be left in it, however Ralph ends.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import SystemRandom

from ralph.controls import canary, former, negative, restored, suppressions
from ralph.controls.canary import Odd, Planted
from ralph.controls.canary_texts import is_test_file
from ralph.engine.case import Case
from ralph.engine.elsewhere import Measured, copy_of, measured
from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change, FileChange
from ralph.record import record
from ralph.results import StepResult
from ralph.steps.base import Workplace
from ralph.steps.reports.tests import TestReport
from ralph.steps.tools.recipe import AS_WRITTEN, Manner
from ralph.system.wardens import Leash

PAST_FAILURES = Manner(to_the_end=True)


@record
class CanaryRun:
    """A run among canaries; without any, nothing was run."""

    planted: Sequence[Planted]
    measured: Measured | None = None

    def odd(self, judged: frozenset[str]) -> set[Odd]:
        found = self.measured
        return canary.odd(self.planted, found.tests, found.step.exit_code, judged) if found else set()

    @property
    def own(self) -> TestReport:
        """What became of the project's own tests."""
        return canary.without(self.planted, self.measured.tests) if self.measured else TestReport()


@record(kw_only=True)
class ControlRuns:
    """`evidence` is the run's audit directory; pulling the `leash` ends what runs."""

    case: Case
    change: Change
    evidence: Path
    timeout_s: float
    leash: Leash

    def with_canaries(self, tree: str, name: str = canary.NAME) -> CanaryRun:
        """The whole command, past failures, among canaries."""
        paths = list(filter(is_test_file, self.case.repo.paths(tree)))
        if not paths:
            return CanaryRun(())
        changed = [file.path for file in self.change.files]
        with self._copy(tree, name) as place:
            planted = canary.plant(place.root, paths, changed, SystemRandom())
            return CanaryRun(planted, measured(self.case, "tests", place, PAST_FAILURES) if planted else None)

    def with_protected_of_the_base(self, paths: Iterable[str]) -> Measured:
        return self._with_base_files(paths, restored.NAME)

    def on_the_base_source(self, protected: Iterable[str]) -> Measured | None:
        """New and changed tests, and what stands beside them, with the base's product code. None: there is nothing."""
        kept = set(protected)
        product = [file.path for file in negative.product_files(self.change) if file.path not in kept]
        tests = [file.path for file in self.change.files if file.status != "D" and _can_be_named(file.path)]
        if not product or not tests:
            return None
        return self._with_base_files(product, negative.NAME, Manner(to_the_end=True, only=tuple(sorted(tests))))

    def as_on_the_base(self, tests: Iterable[str]) -> Measured:
        """The base's tests in these files, and all that stands beside tests there, with the head's product code."""
        beside = [file.path for file in self.change.files if is_support(file.path)]
        return self._with_base_files(beside, former.NAME, Manner(to_the_end=True, only=tuple(sorted(tests))))

    def without_suppressions(self, tree: str, name: str) -> StepResult:
        """The linter with the base's settings, and deaf to what the code tells it."""
        settings = suppressions.settings_files(self.change) if tree != self.case.base_tree else ()
        with self._copy(tree, name, settings) as place:
            return measured(self.case, "lint", place, Manner(unsuppressed=True)).step

    def _with_base_files(self, paths: Iterable[str], name: str, manner: Manner = AS_WRITTEN) -> Measured:
        with self._copy(self.case.snapshot.tree, name, paths) as place:
            return measured(self.case, "tests", place, manner)

    @contextmanager
    def _copy(self, tree: str, name: str, base_files: Iterable[str] = ()) -> Iterator[Workplace]:
        wanted = set(base_files)
        evidence = self.evidence / "controls" / name
        with copy_of(self.case, tree, timeout_s=self.timeout_s, evidence=evidence, leash=self.leash) as place:
            for file in self.change.files:
                if file.path in wanted:
                    _take_back(self.case, file, place.root)
            yield place


def _can_be_named(path: str) -> bool:
    """On a command line, as a test file."""
    return is_test_file(path) and not path.startswith("-")


def _take_back(case: Case, file: FileChange, root: Path) -> None:
    """Put the base's version of a file into a copy; nothing is written through a link."""
    path = root / file.path
    if not path.parent.resolve().is_relative_to(root.resolve()):
        return
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    content = case.repo.read(case.base_tree, file.path)
    if content is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o755 if file.old_mode == "100755" else 0o644)
