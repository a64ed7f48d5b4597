"""The pages people read: SUMMARY.md, BLOCKED_REPORT.md and REVIEW.md, made from a verdict. Pure.

Whatever an agent wrote (paths, snippets, tool output) is shown as code, with control characters made visible:
a report cannot be dressed up by what it reports on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ralph.record import record
from ralph.system.clock import rfc3339
from ralph.system.text import visible
from ralph.verdict import Finding, StepResult, Verdict, VerdictType

ORDER = ("percent", "tests", "failures", "errors", "findings", "lines_added")
"""Counts are shown in this order, the others after them by name."""

MOST_DETAILS = 20

ACTIONS = {
    VerdictType.PASS: "The work may proceed. A person reads REVIEW.md and approves or rejects.",
    VerdictType.FAIL: "Fix what failed and verify again.",
    VerdictType.BLOCKED: "Remove what is listed in BLOCKED_REPORT.md; it cannot be bypassed.",
}


@record
class FileStat:
    """One changed file; line counts are None for a binary file."""

    path: str
    status: str
    added: int | None
    deleted: int | None


def code(text: str) -> str:
    """`text` as an inline code span that its own content cannot end."""
    shown = visible(text.replace("\n", " "))
    fence = "`" * (_longest_run(shown) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") or not shown else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def summary(verdict: Verdict, files: Sequence[FileStat]) -> str:
    """SUMMARY.md: the verdict at a glance."""
    lines = [f"# {verdict.type.value}: {code(verdict.project)}", ""]
    if excused := sum(finding.excused for finding in verdict.findings):
        lines += [f"**With exceptions**: a person excuses {excused} of the findings below.", ""]
    if verdict.failure_reason:
        lines += [f"**{verdict.failed_step}**: {code(verdict.failure_reason)}", ""]
    lines += [ACTIONS[verdict.type], "", "| step | status | time | what was measured |", "|---|---|---|---|"]
    lines += [_row(step) for step in verdict.steps]
    if verdict.reused_from:
        lines += ["", f"The steps' results were reused from run {code(verdict.reused_from)}: its inputs are the same."]
    lines += ["", *_controls(verdict), *_attribution(verdict), *_finding_lines(verdict.findings), "## The change", ""]
    lines += [*_file_lines(files), "", "## Identity", "", *_identity(verdict), ""]
    return "\n".join(lines)


def blocked(verdict: Verdict) -> str:
    """BLOCKED_REPORT.md: what blocks, where, and the only way on."""
    lines = [f"# BLOCKED: {code(verdict.project)}", "", f"{code(verdict.failure_reason or '')}", ""]
    blocking = [finding for finding in verdict.findings if finding.blocks]
    for number, finding in enumerate(blocking, start=1):
        lines += [
            f"## {number}. {code(finding.rule)} in {code(_place(finding))}",
            "",
            f"- Why: {visible(finding.reason)}",
            f"- Found: {code(finding.snippet)}",
        ]
        lines += [f"- Instead: {visible(finding.fix)}"] if finding.fix else []
        lines += [f"- {_excuse(finding)}"] if finding.exception else []
        lines.append("")
    lines += [
        "## What happens now",
        "",
        "- The agent has one attempt that may only remove what is listed here.",
        "- A second BLOCKED on the same task stops the run.",
        "- A person decides whether the agent misbehaves or the policy is too strict; that changes by a new version.",
        "",
    ]
    return "\n".join(lines)


def review(verdict: Verdict, files: Sequence[FileStat], commits: Sequence[str]) -> str:
    """REVIEW.md: what a person still has to look at after a PASS."""
    lines = [f"# Review: {code(verdict.project)}", "", "## What changed", "", *_file_lines(files), "", "## Why", ""]
    lines += [f"- {code(subject)}" for subject in commits] or [
        "The change is not committed, so no message says why; compare it with the task that was given."
    ]
    lines += ["", "## What was verified", ""]
    lines += [f"- {step.name}: {measured(step) or step.status}" for step in verdict.steps if step.passed]
    lines += ["", "## What you should still look at", ""]
    lines += [f"- {item}" for item in _open_questions(verdict)]
    lines.append("")
    return "\n".join(lines)


def measured(step: StepResult) -> str:
    """The counts of a step as words: `12 tests, 1 failure`."""
    return ", ".join(_count(name, value) for name, value in sorted(step.counts.items(), key=_place_of_count))


def _count(name: str, value: float) -> str:
    amount = f"{math.floor(value * 100) / 100:.2f}".rstrip("0").rstrip(".")  # 79.999 is not 80
    thing, _, rest = name.partition("_")
    if name == "percent":
        return f"{amount} %"
    return f"{amount} {thing.removesuffix('s') if value == 1 else thing}{' ' + rest if rest else ''}"


def _place_of_count(count: tuple[str, float]) -> tuple[int, str]:
    return (ORDER.index(count[0]) if count[0] in ORDER else len(ORDER), count[0])


def _open_questions(verdict: Verdict) -> Iterator[str]:
    for finding in verdict.findings:
        excuse = f" ({_excuse(finding)})" if finding.exception else ""
        yield f"{code(finding.rule)} in {code(_place(finding))}: {visible(finding.reason)}{excuse}"
    for step in verdict.steps:
        if step.status == "not_applicable":
            yield f"{step.name} was not measured: {visible(step.reason or '')}"
        if step.flaky:
            yield f"{step.name} is flaky: it failed and then passed on the same tree."
        if skipped := step.counts.get("skipped"):
            yield f"{step.name}: {skipped:.0f} were skipped."
        yield from _left_by_controls(step)
    yield "Does the change do what was asked? Ralph measures checks, not meaning."
    yield "Is the cause mended, or only the symptom that the tests show?"
    yield "Does it touch something that no test looks at?"
    yield "Is it safe? Security is not judged here beyond the guardrails."
    if verdict.sandbox_level == "none":
        yield "No sandbox held the steps: code under test could reach what you can reach, the signing key too."


def _left_by_controls(step: StepResult) -> Iterator[str]:
    """What a control found that does not fail the step, what it could not tell, and what it told apart."""
    for control in step.controls:
        about = f"{step.name}, control {control.name}"
        if control.status in ("broken", "open"):
            yield f"{about}: {visible(control.reason or '')}"
        if control.status in ("broken", "open", "held"):
            yield from (f"{about}: {code(detail)}" for detail in control.details[:MOST_DETAILS])
            if len(control.details) > MOST_DETAILS:
                yield f"{about}: ... and {len(control.details) - MOST_DETAILS} more in verdict.json"


def _row(step: StepResult) -> str:
    what = visible(step.reason) if step.reason else measured(step)
    return f"| {step.name} | {step.status}{' (flaky)' if step.flaky else ''} | {step.duration_ms} ms | {_cell(what)} |"


def _controls(verdict: Verdict) -> Iterator[str]:
    """What tested the test run itself, and what it cost."""
    rows = [(step, control) for step in verdict.steps for control in step.controls]
    if rows:
        yield from ("## Controls", "", "| control | of | found | time | |", "|---|---|---|---|---|")
        for step, control in rows:
            what = _cell(visible(control.reason or ""))
            yield f"| {control.name} | {step.name} | {control.status} | {control.duration_ms} ms | {what} |"
        yield ""


def _attribution(verdict: Verdict) -> Iterator[str]:
    kinds = (
        ("New failures", verdict.regressions),
        ("Failures that the base has too", verdict.pre_existing),
        ("Failures of the base that are gone", verdict.fixed),
    )
    for title, items in kinds:
        if items:
            yield from (f"## {title}", "", *(f"- {code(item)}" for item in items), "")


def _finding_lines(findings: Sequence[Finding]) -> Iterator[str]:
    if findings:
        yield from ("## Findings", "")
        for finding in findings:
            kind = "excused" if finding.excused else finding.severity
            yield f"- **{kind}** {code(finding.rule)} in {code(_place(finding))}: {visible(finding.reason)}"
            if finding.exception:
                yield f"  - {_excuse(finding)}"
        yield ""


def _file_lines(files: Sequence[FileStat]) -> Iterator[str]:
    if not files:
        yield "Nothing: the tree is that of the base."
        return
    yield from ("| file | | added | deleted |", "|---|---|---|---|")
    for file in files:
        amounts = ("binary" if count is None else str(count) for count in (file.added, file.deleted))
        yield f"| {_cell(code(file.path))} | {file.status} | {' | '.join(amounts)} |"


def _identity(verdict: Verdict) -> Iterator[str]:
    rows = (
        ("run", verdict.run_id),
        ("tree", verdict.tree_hash),
        ("base", verdict.base_commit),
        ("policy", f"{verdict.policy_version} sha256:{verdict.policy_digest}"),
        ("contract", verdict.contract or "none: the policy's thresholds apply"),
        ("context", f"sha256:{verdict.context_digest}"),
        ("inputs", f"sha256:{verdict.inputs_digest}"),
        ("sandbox", verdict.sandbox_level),
        ("ralph", verdict.ralph_version),
        ("started", rfc3339(verdict.started_at)),
        ("completed", rfc3339(verdict.completed_at)),
    )
    return (f"- {name}: {code(value)}" for name, value in rows)


def _excuse(finding: Finding) -> str:
    """What a person's exception says to it, in words that a person wrote."""
    return code(finding.exception.sentence) if finding.exception else ""


def _place(finding: Finding) -> str:
    return f"{finding.path}:{finding.line}" if finding.line else finding.path


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _longest_run(text: str) -> int:
    longest = current = 0
    for char in text:
        current = current + 1 if char == "`" else 0
        longest = max(longest, current)
    return longest
