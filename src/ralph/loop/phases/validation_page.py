"""`.ralph/validation_report.md`: a validation as people read it, made from its report. Pure.

What agents and tools wrote is shown as code with control characters made visible: the page cannot be dressed up by what
it reports on. What is only claimed is said in the first lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ralph.audit.report import code, measured
from ralph.loop.phases.validation import Requirement, ValidationReport
from ralph.verdict import Verdict

PAGE = Path(".ralph", "validation_report.md")

_STEPS = (("Tests", "tests"), ("Lint", "lint"), ("Type check", "typecheck"), ("Coverage", "coverage"))
_APPROVAL = {
    "not needed": "Nobody was asked.",
    "waits": "A person has to agree before this counts: `ralph approvals list` shows the question.",
    "given": "A person agreed.",
    "refused": "A person did not agree.",
}


def page(report: ValidationReport) -> str:
    """The text of the page."""
    lines = [f"# Validation: {_headline(report)}", "", *_summary(report), ""]
    lines += ["## What Ralph measured", "", *_measured(report.verdict, claimed=report.claimed), ""]
    lines += ["## Requirements", "", *_requirements(report.requirements), ""]
    if report.problems:
        lines += ["## Problems", "", *(f"- {code(problem)}" for problem in report.problems), ""]
    if report.reopen:
        lines += ["## What goes back to building", "", *(f"- {code(task)}" for task in report.reopen), ""]
    lines += ["## Approval", "", _APPROVAL[report.approval], ""]
    return "\n".join(lines)


def question(report: ValidationReport) -> str:
    """What a person is asked to agree to, in a few words that are the same whenever the same tree is measured."""
    return f"The validation holds. {' '.join(_summary(report))} Read {PAGE} first."


def _headline(report: ValidationReport) -> str:
    if report.passed:
        return "PASSED" if report.verdict else "PASSED AS CLAIMED"
    return "WAITS FOR A PERSON" if report.holds and report.approval == "waits" else "NOT PASSED"


def _summary(report: ValidationReport) -> Iterator[str]:
    standings = [each.standing for each in report.requirements]
    yield f"{standings.count('holds')} of {len(standings)} requirements were measured and hold."
    if claimed := standings.count("claimed"):
        yield f"{claimed} {'is' if claimed == 1 else 'are'} only claimed: no command measures them."
    if failing := len(standings) - standings.count("holds") - claimed:
        yield f"{failing} {'does' if failing == 1 else 'do'} not hold or could not be measured."


def _measured(verdict: Verdict | None, *, claimed: bool) -> Iterator[str]:
    if verdict is None:
        why = "a person chose that evidence is `claimed` in this project" if claimed else "there is no verdict"
        yield f"Nothing: {why}."
        return
    reason = f": {code(verdict.failure_reason)}" if verdict.failure_reason else ""
    yield f"The verdict is **{verdict.type.value}**{reason}. The evidence lies in {code(verdict.artifact_path)}."
    yield from ("", "| check | result | what was measured |", "|---|---|---|")
    named = dict(_STEPS)
    others = [(step.name, step.name) for step in verdict.steps if step.name not in named.values()]
    for title, name in (*_STEPS, *others):
        step = verdict.step(name)
        what = "it was not run" if step is None else step.reason or measured(step)
        yield f"| {title} | {step.status if step else 'not run'} | {_cell(what)} |"


def _requirements(requirements: tuple[Requirement, ...]) -> Iterator[str]:
    if not requirements:
        yield "None is written down."
        return
    yield from ("| from | requirement | status | how |", "|---|---|---|---|")
    for each in requirements:
        how = " ".join(_cell(part) for part in (each.command, each.detail) if part)
        yield f"| {_cell(each.source)} | {_cell(each.text)} | {each.standing} | {how} |"


def _cell(text: str) -> str:
    return code(text).replace("|", "\\|") if text else ""
