"""The controls of the tests step (`ralph.controls` says what each is for)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from ralph.controls import canary, former, inventory, mutants, negative, restored
from ralph.controls.canary_texts import is_test_file
from ralph.controls.changed_tests import ChangedTests, changed_tests
from ralph.controls.faults import faults
from ralph.controls.findings import idle, unsure
from ralph.controls.ids import Places
from ralph.controls.protected import protected
from ralph.engine import canary_verdict
from ralph.engine.control_bench import Bench
from ralph.engine.control_runs import CanaryRun
from ralph.engine.elsewhere import Measured
from ralph.engine.mutant_runs import try_faults
from ralph.engine.timed import Timed
from ralph.guardrails.inventory.readers import is_support
from ralph.results import ControlResult, StepResult
from ralph.steps import outcomes
from ralph.steps.reports.tests import TestReport


class TestControls:
    """Begins with the steps; `results` asks for what came of it."""

    __test__ = False  # pytest would collect it by its name

    def __init__(self, bench: Bench, evidence: Path) -> None:
        self._bench, self._evidence = bench, evidence
        self._protected = protected(bench.change, filter(None, bench.case.commands.values()))
        runs, head, deciding = bench.runs, bench.case.snapshot.tree, self._protected
        self._canary: Timed[CanaryRun] | None = self._begin(canary.NAME, lambda: runs.with_canaries(head))
        self._restored: Timed[Measured] | None = None
        if bench.wants(restored.NAME) and deciding:
            self._restored = bench.later(lambda: runs.with_protected_of_the_base(deciding))
        self._base: Timed[Measured] | None = self._begin(inventory.NAME, lambda: bench.base("tests"))
        self._negative: Timed[Measured | None] | None = None
        if bench.wants(negative.NAME) or bench.wants(former.NAME):
            self._negative = bench.later(lambda: runs.on_the_base_source(deciding))

    @property
    def begun(self) -> list[Timed[Any]]:
        return [each for each in (self._canary, self._restored, self._base, self._negative) if each]

    def results(self, step: StepResult) -> list[ControlResult]:
        """Of a step that passed."""
        here = outcomes.kept((self._evidence / (step.log or "")).parent)
        runs: dict[str, Timed[Any] | None] = {
            inventory.NAME: self._base,
            canary.NAME: self._canary,
            restored.NAME: self._restored,
            negative.NAME: self._negative,
            former.NAME: None,
        }
        judges: dict[str, Callable[[TestReport], ControlResult]] = {
            inventory.NAME: self._judge_inventory,
            canary.NAME: partial(self._judge_canary, flaky=step.flaky),
            restored.NAME: self._judge_restored,
            negative.NAME: self._judge_negative,
            former.NAME: self._judge_former,
        }
        found = [self._bench.result(name, run, partial(judges[name], here)) for name, run in runs.items()]
        return [*found, self._bench.result(mutants.NAME, None, lambda: self._judge_mutants(step, found))]

    def base_tests(self) -> Measured:
        return self._base.result() if self._base else self._bench.base("tests")

    def _begin(self, name: str, work: Callable[[], Any]) -> Timed[Any] | None:
        return self._bench.later(work) if self._bench.wants(name) else None

    def _judge_inventory(self, here: TestReport) -> ControlResult:
        base = self.base_tests()
        if not base.tests.ids:
            if not any(map(_is_beside_tests, self._bench.change.blobs.paths_before())):
                return idle(inventory.NAME, "the base has no tests")
            return unsure(inventory.NAME, f"the tests of the base are unknown ({base.step.reason or 'none ran'})")
        if self._bench.controls.test_inventory == "unchanged":
            return inventory.unchanged(base.tests, here)
        return inventory.judge(base.tests, here, self._tests, self._places)

    def _judge_canary(self, here: TestReport, *, flaky: bool) -> ControlResult:
        assert self._canary is not None
        return canary_verdict.judge(
            self._canary.result(),
            here,
            case=self._bench.case,
            runs=self._bench.runs,
            places=self._places,
            base=self.base_tests,
            flaky=flaky,
        )

    def _judge_restored(self, here: TestReport) -> ControlResult:
        if self._restored is None:
            return idle(restored.NAME, "the change touches nothing that decides how tests are run")
        return restored.judge(
            self._protected,
            here=here,
            copy=self._canary.result().own if self._canary else None,
            there=self._restored.result().tests,
            tests=self._tests,
            places=self._places,
        )

    def _judge_negative(self, here: TestReport) -> ControlResult:
        there = self._negative.result() if self._negative else None
        if there is None:
            return idle(negative.NAME, "no product code was changed together with tests")
        if not there.tests.ids:
            return unsure(negative.NAME, f"nothing ran on the base's source ({there.step.reason})")
        interesting = negative.of_interest(self._tests, here, self.base_tests().tests, self._places)
        return negative.judge(interesting, there.tests)

    def _judge_former(self, here: TestReport) -> ControlResult:
        there = self._negative.result() if self._negative else None
        if there is None:
            return idle(former.NAME, "no product code was changed together with tests")
        base, places = self.base_tests().tests, self._places
        suspected = former.suspects(self._tests, here, base, there.tests, places)
        if not suspected:
            return idle(former.NAME, "no changed test passes on the base's source as well")
        files = {place.path for test in suspected if (place := places.of(test))}
        return former.judge(suspected, self._bench.runs.as_on_the_base(files).tests, self._tests, places)

    def _judge_mutants(self, step: StepResult, before: list[ControlResult]) -> ControlResult:
        modes = self._bench.modes
        if any(each.status == "broken" and modes[each.name] in ("fail", "strict") for each in before):
            return idle(mutants.NAME, "another control broke")
        found = faults(self._bench.change)
        if not found:
            return mutants.judge((), (), 0)
        budget_s, usual_s = self._bench.controls.mutants_budget_s, step.duration_ms / 1000
        agrees = any(each.name == canary.NAME and each.status == "held" for each in before)
        tried = try_faults(
            self._bench.runs, found, budget_s=budget_s, usual_s=usual_s, jobs=self._bench.jobs, agrees=agrees
        )
        if tried is None:
            return unsure(mutants.NAME, "the tests do not pass in a copy of the tree")
        return mutants.judge(found, tried.survived, tried.number)

    @cached_property
    def _tests(self) -> ChangedTests:
        return changed_tests(self._bench.change)

    @cached_property
    def _places(self) -> Places:
        blobs = self._bench.change.blobs
        return Places(filter(is_test_file, blobs.paths_before() | blobs.paths_after()))


def _is_beside_tests(path: str) -> bool:
    return is_test_file(path) or is_support(path)
