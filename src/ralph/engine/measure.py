"""Measures the steps of a case on the working tree, and distrusts the result if the ground moved meanwhile.

Design decisions 2, 7, 13: when the tree or a tool is not the same after the steps as before, nothing that ran was
measured on what is judged, so every step that ran is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ralph.contracts import Controls
from ralph.engine.case import Case
from ralph.engine.schedule import INDEPENDENT, run_steps
from ralph.engine.scripts import replaced_commands
from ralph.engine.unrun import Progress
from ralph.record import replace
from ralph.steps.base import Requirement, Workplace, unmeasured
from ralph.steps.run import run_step
from ralph.steps.tool_digests import changed_tools, tool_digests
from ralph.steps.tools.recipe import AS_WRITTEN, Manner
from ralph.system.tree import Snapshot
from ralph.verdict import COULD_NOT_VERIFY, StepResult

ALONGSIDE = frozenset(INDEPENDENT) - {"tests"}
"""Steps that may run while the tests do: only one step at a time can have the report files to itself."""


def measure(
    case: Case, evidence: Path, aside: Path, *, timeout_s: float, jobs: int, fail_fast: bool, progress: Progress
) -> list[StepResult]:
    """Results of all required steps, in order."""
    place = Workplace(
        root=case.repo.root, evidence=evidence, aside=aside, env=case.env, sandbox=case.sandbox, timeout_s=timeout_s
    )
    controls = case.contract.controls if case.contract else Controls()

    replaced = replaced_commands(case)

    def run(name: str) -> StepResult:
        if name in replaced:
            return unmeasured(name, replaced[name], case.commands[name])
        result = step(case, name, place)
        if name == "tests" and result.status == "fail" and controls.rerun_failed_tests:
            again = step(case, name, place, attempt=2)
            return _flaky(result, again, accept=controls.accept_flaky)
        return result

    return run_steps(case.required, run, jobs=jobs, fail_fast=fail_fast, progress=progress)


def step(case: Case, name: str, place: Workplace, attempt: int = 1, manner: Manner = AS_WRITTEN) -> StepResult:
    """One step of a case in a workplace (the working tree, or the base's)."""
    paths, rule = case.context.paths, case.policy.steps.get(name)
    reports = {"coverage": paths.coverage_report, "tests": paths.test_report}
    wanted = Requirement(
        max_errors=(rule.max_errors if rule else None) or 0,
        min_percent=(rule.min_percent if rule else None) or case.policy.min_coverage,
    )
    return run_step(
        name,
        case.context.commands.for_step(name),
        workplace=place,
        tool_hint=case.context.context.for_step(name),
        report_path=reports.get(name),
        keep=[] if name in ALONGSIDE else [path for path in reports.values() if path],
        requirement=wanted,
        attempt=attempt,
        manner=manner,
    )


def distrust(
    case: Case, results: Sequence[StepResult], after: Snapshot, differing: Callable[[], list[str]]
) -> list[StepResult]:
    """The results, or errors in their place when tree or tools changed while the steps ran."""
    reason = None
    if after.tree != case.snapshot.tree:
        changed = differing()
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        reason = f"the tree changed while the steps ran: {changed[0] if changed else 'unknown file'}{more}"
    else:
        commands = [command for command in case.commands.values() if command]
        moved = changed_tools(
            case.tools, tool_digests(commands, root=case.repo.root, env=case.env, known=case.known_tools)
        )
        if moved:
            reason = f"tools changed while the steps ran: {moved[0]}"
    if reason is None:
        return list(results)
    return [_void(result, reason) if result.status in ("pass", "fail") else result for result in results]


def _void(result: StepResult, reason: str) -> StepResult:
    sentence = f"{COULD_NOT_VERIFY} {result.name}: {reason}"
    return replace(result, status="error", counts={}, failures=(), reason=sentence)


def _flaky(first: StepResult, second: StepResult, *, accept: bool) -> StepResult:
    """Two runs on one tree: equal results stand; different ones are flaky, and pass only where that is accepted."""
    if second.status == first.status and second.failures == first.failures:
        return first
    if second.passed and accept:
        return replace(second, flaky=True)
    note = "flaky: two runs on the same tree gave different results"
    return replace(first, status="fail", flaky=True, reason=f"{note} ({first.reason})")
