"""A verdict as a person reads it: the judgement, the steps, the findings with their line, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from ralph.audit.report import measured
from ralph.system.text import visible
from ralph.verdict import Finding, StepResult, Verdict, VerdictType

COLOURS = {VerdictType.PASS: "green", VerdictType.FAIL: "red", VerdictType.BLOCKED: "magenta"}
STATUS_COLOURS = {"pass": "green", "fail": "red", "error": "red"}
SHOWN = 20


def render_verdict(verdict: Verdict, root: Path) -> None:
    click.secho(verdict.type.value, fg=COLOURS[verdict.type], bold=True, nl=False)
    excused = sum(finding.excused for finding in verdict.findings)
    click.echo(f"  {visible(verdict.project)}" + (f" (with {excused} excused by a person)" if excused else ""))
    _steps(verdict.steps)
    for line in _controls(verdict.steps):
        click.echo(line)
    if verdict.reused_from:
        click.echo(f"measured by run {verdict.reused_from}, whose inputs are the same; --fresh measures again")
    for line in _details(verdict):
        click.echo(line)
    click.echo(f"evidence: {visible(str(root / verdict.artifact_path))} (signed)")
    for line in next_steps(verdict):
        click.echo(f"→ {visible(line)}")


def _steps(steps: Sequence[StepResult]) -> None:
    """A table: name, status, time, and what was measured or why not."""
    rows = [
        (
            step.name,
            step.status + (" (flaky)" if step.flaky else ""),
            _time(step),
            visible(step.reason or measured(step)),
        )
        for step in steps
    ]
    names, statuses, times = (max(len(row[column]) for row in rows) for column in range(3))
    for step, (name, status, time, what) in zip(steps, rows, strict=True):
        shown = click.style(
            status.ljust(statuses), fg=STATUS_COLOURS.get(step.status), dim=step.status not in STATUS_COLOURS
        )
        click.echo(f"  {name.ljust(names)}  {shown}  {time.rjust(times)}  {what}".rstrip())


def _controls(steps: Sequence[StepResult]) -> Iterator[str]:
    """One line of all controls that ran, and one for each that found something or could not tell."""
    run = [control for step in steps for control in step.controls if control.status not in ("idle", "off")]
    if run:
        told = (f"{control.name} {control.status} ({control.duration_ms / 1000:.2f} s)" for control in run)
        yield f"controls: {', '.join(told)}"
    for control in run:
        if control.status in ("broken", "open"):
            yield f"  {control.name}: {visible(control.reason or '')}"


def next_steps(verdict: Verdict) -> Iterator[str]:
    """What a person or an agent does now."""
    if verdict.type is VerdictType.PASS:
        yield f"read {verdict.artifact_path}/REVIEW.md, then approve or reject the change"
        if verdict.needs_review:
            yield "findings for review need a person before the change counts (autonomy level L1)"
    elif verdict.type is VerdictType.BLOCKED:
        yield f"remove what is listed in {verdict.artifact_path}/BLOCKED_REPORT.md; it cannot be bypassed"
    else:
        yield f"fix {verdict.failed_step} and verify again; full logs: {verdict.artifact_path}"
        if verdict.pre_existing and not verdict.regressions:
            yield "every failure is in the base as well: a person decides whether to mend the base first"
    yield f"check this evidence with: ralph audit verify {verdict.run_id}"


def _details(verdict: Verdict) -> Iterator[str]:
    for finding in verdict.findings[:SHOWN]:
        yield from _finding(finding)
    if len(verdict.findings) > SHOWN:
        yield f"... and {len(verdict.findings) - SHOWN} more findings in the evidence"
    for title, failures in (
        ("new failures", verdict.regressions),
        ("failures that the base has too", verdict.pre_existing),
        ("failures of the base that are gone", verdict.fixed),
    ):
        if failures:
            yield f"{title}:"
            yield from (f"  {visible(failure)}" for failure in failures[:SHOWN])
            if len(failures) > SHOWN:
                yield f"  ... and {len(failures) - SHOWN} more"


def _finding(finding: Finding) -> Iterator[str]:
    place = f"{finding.path}:{finding.line}:{finding.column}" if finding.line else finding.path
    kind = "excused" if finding.excused else finding.severity
    yield f"{visible(place)}: {kind}: {visible(finding.reason)} [{finding.rule}]"
    if finding.exception:
        yield f"    {visible(finding.exception.sentence)}"
    if finding.snippet:
        yield f"    {visible(finding.snippet)}"
    if finding.fix:
        yield f"    instead: {visible(finding.fix)}"


def _time(step: StepResult) -> str:
    return f"{step.duration_ms / 1000:.2f} s" if step.duration_ms else ""
