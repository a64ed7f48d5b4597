"""The part of a verification that runs tools: steps, the tree after them, the inventory, attribution to the base."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ralph.audit.keys import SigningKey
from ralph.engine.baseline import base_results
from ralph.engine.case import Case, Judged
from ralph.engine.inventory import compare_inventory
from ralph.engine.measure import distrust, measure
from ralph.engine.unrun import Progress
from ralph.guardrails.change import read_change
from ralph.system.places import shadow_dir
from ralph.system.tree import Snapshot, snapshot
from ralph.verdict import Attribution, Finding, StepResult, attribute


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """How to measure a case. `evidence` is the run's pending audit directory."""

    case: Case
    evidence: Path
    key: SigningKey
    timeout_s: float
    jobs: int
    fail_fast: bool
    progress: Progress

    def judged(self, fixed: list[StepResult], findings: tuple[Finding, ...]) -> Judged:
        """Measure all required steps; `fixed` are the results that need no tool."""
        case = self.case
        measured = measure(
            case,
            self.evidence,
            case.repo.root / ".ralph" / "aside",
            timeout_s=self.timeout_s,
            jobs=self.jobs,
            fail_fast=self.fail_fast,
            progress=self.progress,
        )
        after = snapshot(case.repo, shadow_dir(case.repo.root), base=case.base_commit)
        results = distrust(case, measured, after, lambda: _changed_paths(case, after))
        results = compare_inventory(case.contract, results, lambda: self._base(["tests"])["tests"])
        return Judged(steps=[*fixed, *results], findings=findings, after=after, attribution=self._attribution(results))

    def _attribution(self, results: list[StepResult]) -> Attribution:
        """Tell new failures from old ones, where a step failed and the base can be measured."""
        failing = [step for step in results if step.status == "fail" and step.failures]
        if not failing:
            return Attribution()
        base = self._base([step.name for step in failing])
        now, before = [], []
        for step in failing:
            known = base[step.name]
            if known.status in ("pass", "fail"):
                now += [f"{step.name}: {failure}" for failure in step.failures]
                before += [f"{step.name}: {failure}" for failure in known.failures]
        return attribute(now, before)

    def _base(self, names: list[str]) -> Mapping[str, StepResult]:
        def told(name: str, result: StepResult | None) -> None:
            self.progress(f"{name} of the base", result)

        return base_results(self.case, names, self.key, timeout_s=self.timeout_s, progress=told)


def _changed_paths(case: Case, after: Snapshot) -> list[str]:
    return [file.path for file in read_change(case.repo, case.snapshot.tree, after.tree).files]
