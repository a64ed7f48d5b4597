"""The control of the lint step: what the linter was told to overlook (`controls.suppressions`)."""

from __future__ import annotations

from ralph.controls import suppressions
from ralph.controls.findings import idle
from ralph.engine.control_bench import Bench
from ralph.engine.elsewhere import Measured
from ralph.engine.timed import Timed
from ralph.results import ControlResult, StepResult
from ralph.steps.invocation import find

NAME = suppressions.NAME


class LintControls:
    """Begins with the steps; `results` asks for what came of it."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        case, runs = bench.case, bench.runs
        self.begun: list[Timed[StepResult]] = []
        self._plain_base: Timed[Measured] | None = None
        if bench.wants(NAME) and self._can_be_asked():
            head, base = case.snapshot.tree, case.base_tree
            self.begun = [
                bench.later(lambda: runs.without_suppressions(head, NAME)),
                bench.later(lambda: runs.without_suppressions(base, f"{NAME}-base")),
            ]
            self._plain_base = bench.later(lambda: bench.base("lint"))

    def results(self, step: StepResult) -> list[ControlResult]:
        slowest = max(self.begun, key=lambda each: each.duration_ms, default=None)
        return [self._bench.result(NAME, slowest, lambda: self._judge(step))]

    def _judge(self, here: StepResult) -> ControlResult:
        if self._plain_base is None:
            return idle(NAME, "Ralph knows no way to ask this linter for what is suppressed")
        here_all, base_all = (each.result() for each in self.begun)
        return suppressions.judge(here, here_all, self._plain_base.result().step, base_all)

    def _can_be_asked(self) -> bool:
        line = self._bench.case.commands.get("lint")
        found = find(line, "diagnostics", self._bench.case.repo.root).invocations if line else ()
        return any(each.recipe.unsuppressed for each in found)
