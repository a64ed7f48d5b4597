"""A verdict as a person reads it: the judgement, the steps, the findings with their line, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ralph.audit.report import measured
from ralph.cli.output import console
from ralph.system.text import visible
from ralph.verdict import Finding, StepResult, Verdict, VerdictType

COLOURS = {VerdictType.PASS: "bold green", VerdictType.FAIL: "bold red", VerdictType.BLOCKED: "bold magenta"}
STATUS_COLOURS = {"pass": "green", "fail": "red", "error": "red", "skipped": "dim", "not_applicable": "dim"}
SHOWN = 20


def render_verdict(verdict: Verdict, root: Path) -> None:
    from rich.table import Table
    from rich.text import Text

    out = console()
    out.width = max(out.width, 120) if not out.is_terminal else out.width
    heading = Text(verdict.type.value, style=COLOURS[verdict.type])
    heading.append(f"  {visible(verdict.project)}", style="default")
    out.print(heading)
    table = Table(box=None, pad_edge=False, show_edge=False, header_style="dim")
    for column in ("step", "status", "time", "measured"):
        table.add_column(column, overflow="fold", justify="right" if column == "time" else "left")
    for step in verdict.steps:
        status = Text(step.status + (" (flaky)" if step.flaky else ""), style=STATUS_COLOURS[step.status])
        table.add_row(step.name, status, _time(step), visible(step.reason or measured(step)))
    out.print(table)
    if verdict.reused_from:
        out.print(f"measured by run {verdict.reused_from}, whose inputs are the same; --fresh measures again")
    for line in _details(verdict):
        out.print(line)
    out.print(f"evidence: {visible(str(root / verdict.artifact_path))} (signed)")
    for line in next_steps(verdict):
        out.print(Text("→ ", style="bold") + Text(line))


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
    yield f"{visible(place)}: {finding.severity}: {visible(finding.reason)} [{finding.rule}]"
    if finding.snippet:
        yield f"    {visible(finding.snippet)}"
    if finding.fix:
        yield f"    instead: {visible(finding.fix)}"


def _time(step: StepResult) -> str:
    return f"{step.duration_ms / 1000:.2f} s" if step.duration_ms else ""
