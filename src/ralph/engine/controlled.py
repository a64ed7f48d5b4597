"""Runs the controls beside the steps, and lowers results by what they find (`ralph.controls`).

- They run beside the steps where each command has a network and temporary files of its own; elsewhere two runs of one
  suite would meet at its ports and paths, so they come one by one, after the steps.
- As soon as the tests have failed nobody asks for them any more.
- A change of documents alone has nothing that a control could find.
- The base is measured once and kept.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from ralph.controls import applying
from ralph.engine.case import Case
from ralph.engine.control_bench import Bench
from ralph.engine.control_runs import ControlRuns
from ralph.engine.controlled_lint import LintControls
from ralph.engine.controlled_tests import TestControls
from ralph.engine.elsewhere import Measured
from ralph.engine.schedule import stop
from ralph.guardrails.model import Change
from ralph.permissions.sandbox.model import Level
from ralph.results import StepResult
from ralph.system.wardens import Leash

MOST_AT_ONCE = 4
"""Beside the steps: canaries, what is restored, the base, and the changed tests alone. The last one is short, but
behind the others it would be waited for; so there is one more at once than there are processors for."""


class MeasureBase(Protocol):
    """Measures a step on the base, until the leash is pulled."""

    def __call__(self, name: str, leash: Leash) -> Measured: ...


class Controlled:
    """The controls of one verification: `with Controlled(...) as controls`, run the steps, `controls.judged(step)`.

    `base` measures a step on the base, or knows it. With one job nothing runs beside the steps.
    """

    def __init__(
        self,
        case: Case,
        change: Change,
        evidence: Path,
        base: MeasureBase,
        *,
        timeout_s: float,
        jobs: int,
    ) -> None:
        self._leash, self._base_leash = Leash(), Leash()
        runs = ControlRuns(case=case, change=change, evidence=evidence, timeout_s=timeout_s, leash=self._leash)
        beside = jobs > 1 and case.sandbox.level is Level.BUBBLEWRAP and not case.sandbox.open_network
        pool = ThreadPoolExecutor(max_workers=min(MOST_AT_ONCE, jobs)) if beside else None
        self._measure_base = partial(base, leash=self._base_leash)
        self._bench = Bench(case=case, change=change, runs=runs, base=self._measure_base, jobs=jobs, pool=pool)
        self._evidence = evidence
        self._controls: dict[str, TestControls | LintControls] = {}

    def __enter__(self) -> Self:
        measured = [name for name in ("tests", "lint") if self._bench.case.commands.get(name)]
        if "tests" in measured:
            self._controls["tests"] = TestControls(self._bench, self._evidence)
        if "lint" in measured:
            self._controls["lint"] = LintControls(self._bench)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leash.pull()
        self._base_leash.pull()
        if self._bench.pool:
            if kind is not None:
                stop([each.future for controls in self._controls.values() for each in controls.begun])
            self._bench.pool.shutdown(cancel_futures=True)

    def step_failed(self) -> None:
        """Nobody needs the controls of a verification that has failed by itself. The base may still be asked for."""
        self._leash.pull()

    def base(self, name: str) -> Measured:
        """The base's result of a step, however many ask for it."""
        controls = self._controls.get(name)
        return controls.base_tests() if isinstance(controls, TestControls) else self._measure_base(name)

    def judged(self, step: StepResult) -> StepResult:
        """The step with its controls, if it has any. What a step that did not pass lacks is no control."""
        controls = self._controls.get(step.name)
        if controls is None or not step.passed or self._leash.pulled:
            return step
        return applying.applied(step, controls.results(step), self._bench.modes)
