"""The part of a verification that runs tools: steps, their controls, the tree after them, attribution to the base."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from ralph.audit.keys import SigningKey
from ralph.engine.baseline import base_result
from ralph.engine.case import Case, Judged
from ralph.engine.controlled import Controlled
from ralph.engine.elsewhere import Measured
from ralph.engine.measure import distrust, measure
from ralph.engine.unrun import Progress
from ralph.guardrails.change import read_change
from ralph.guardrails.model import Change
from ralph.record import record
from ralph.system.places import shadow_dir
from ralph.system.tree import Snapshot, snapshot
from ralph.system.wardens import Leash
from ralph.verdict import Attribution, Finding, StepResult, attribute


@record(kw_only=True)
class Examination:
    """How to measure a case. `evidence` is the run's pending audit directory."""

    case: Case
    change: Change
    evidence: Path
    key: SigningKey
    timeout_s: float
    jobs: int
    fail_fast: bool
    progress: Progress

    def judged(self, fixed: list[StepResult], findings: tuple[Finding, ...]) -> Judged:
        """Measure all required steps; `fixed` are the results that need no tool."""
        case = self.case
        with Controlled(
            case, self.change, self.evidence, self._base, timeout_s=self.timeout_s, jobs=self._jobs
        ) as controls:
            measured = measure(
                case,
                self.evidence,
                case.repo.root / ".ralph" / "aside",
                timeout_s=self.timeout_s,
                jobs=self.jobs,
                fail_fast=self.fail_fast,
                progress=partial(self._told, controls),
            )
            after = snapshot(case.repo, shadow_dir(case.repo.root), base=case.base_commit)
            results = distrust(case, measured, after, lambda: _changed_paths(case, after))
            results = [controls.judged(step) for step in results]
            attribution = _attribution(results, controls.base)
        return Judged(steps=[*fixed, *results], findings=findings, after=after, attribution=attribution)

    @property
    def _jobs(self) -> int:
        """Whoever wants the first failure at once does not want to pay for what runs beside it."""
        return 1 if self.fail_fast else self.jobs

    def _told(self, controls: Controlled, name: str, result: StepResult | None) -> None:
        if name == "tests" and result and not result.passed:
            controls.step_failed()
        self.progress(name, result)

    def _base(self, name: str, leash: Leash) -> Measured:
        def told(name: str, result: StepResult | None) -> None:
            self.progress(f"{name} of the base", result)

        return base_result(self.case, name, self.key, timeout_s=self.timeout_s, progress=told, leash=leash)


def _attribution(results: Sequence[StepResult], base: Callable[[str], Measured]) -> Attribution:
    """Tell new failures from old ones, where a step failed and the base can be measured."""
    now, before = [], []
    for step in results:
        if step.status == "fail" and step.failures and (known := base(step.name).step).status in ("pass", "fail"):
            now += [f"{step.name}: {failure}" for failure in step.failures]
            before += [f"{step.name}: {failure}" for failure in known.failures]
    return attribute(now, before)


def _changed_paths(case: Case, after: Snapshot) -> list[str]:
    return [file.path for file in read_change(case.repo, case.snapshot.tree, after.tree).files]
