"""The ConfessionReport: what a confessor says of finished work, and how strictly it is read. Pure.

Spec: events, evidence and confession, "The Confession Phase". The payload is one JSON object and nothing else; a report
that cannot be read to the last key is none. Rules:

- Every objective has evidence and a confidence from 0 to 100. There is at least one objective.
- Exactly one thing is easiest to verify: a command and how it ends, or a file and a text that is in it or missing.
- Issues are: an objective not met or under the confidence limit, a shortcut, an uncertainty. With any of them the
  decision is `issues_found`, whatever the report or its topic says.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Literal

from ralph.errors import ConfigError
from ralph.record import record, replace
from ralph.system.files import parse_json
from ralph.system.records import parse
from ralph.system.text import visible

CLEAN = "confession.clean"
ISSUES_FOUND = "confession.issues_found"

Decision = Literal["clean", "issues_found"]
Ending = Literal["pass", "fail"]

_IDLE = frozenset({"", "true", "false", ":", "exit", "return", "echo", "printf", "sleep", "pwd", "date", "wait"})
"""Commands whose end says nothing about a project. It is no wall: nobody can list all that say nothing."""


@record(kw_only=True)
class Objective:
    """One thing that the work had to achieve."""

    objective: str
    met: bool
    evidence: str
    confidence: float


@record(kw_only=True)
class EasiestIssue:
    """The claim that is easiest to check. A command ends well (`pass`) or not (`fail`) if the claim is true, and a
    report that was read says which; a file `contains` a text, or the text is `absent` from it.
    """

    kind: Literal["command", "file"]
    claim: str
    command: str | None = None
    expect: Ending | None = None
    path: str | None = None
    contains: str | None = None
    absent: str | None = None


@record(kw_only=True)
class ConfessionReport:
    """A report as its author wrote it. What follows from it says `decision_of`."""

    objectives: tuple[Objective, ...]
    easiest_issue: EasiestIssue
    decision: Decision
    shortcuts: tuple[str, ...] = ()
    uncertainties: tuple[str, ...] = ()

    @property
    def confidence(self) -> float:
        """The confidence in the objective that is least sure."""
        return min(each.confidence for each in self.objectives)


@record
class Unreadable:
    """A payload that is no report, and why: one sentence for the confessor."""

    reason: str


def read(topic: str, payload: str) -> ConfessionReport | Unreadable:
    """The report in the payload of `confession.clean` or `confession.issues_found`. Never raises."""
    try:
        loaded = parse_json(payload.encode("utf-8"))
    except ValueError as error:
        return Unreadable(f"The payload must be one JSON object and nothing else: {error}.")
    try:
        report = parse(ConfessionReport, loaded, "The report")
    except ConfigError as error:
        return Unreadable(str(error))
    problem = _problem(report) or _issue_problem(report.easiest_issue) or _negative(report)
    if problem is None and topic == CLEAN and report.decision != "clean":
        problem = f"its decision is issues_found, but it was published as {CLEAN}; publish it as {ISSUES_FOUND}"
    return Unreadable(f"The report: {problem}.") if problem else _complete(report)


def issues(report: ConfessionReport, limit: float) -> tuple[str, ...]:
    """Everything in a report that speaks against the work, one line each."""
    found = []
    for each in report.objectives:
        if not each.met:
            found.append(f"not met: {each.objective} ({each.evidence})")
        elif each.confidence < limit:
            found.append(f"not sure ({each.confidence:g} of {limit:g} wanted): {each.objective} ({each.evidence})")
    found += [f"shortcut: {each}" for each in report.shortcuts]
    found += [f"uncertain: {each}" for each in report.uncertainties]
    if report.decision == "issues_found":
        found.append(f"claimed: {report.easiest_issue.claim}")
    return tuple(map(visible, found))


def decision_of(report: ConfessionReport, limit: float) -> Decision:
    """What follows from a report, whatever it decided itself."""
    return "issues_found" if issues(report, limit) else "clean"


def _complete(report: ConfessionReport) -> ConfessionReport:
    """With how a command is expected to end: what shows that work is good passes, what shows an issue fails."""
    issue = report.easiest_issue
    if issue.kind == "file" or issue.expect is not None:
        return report
    return replace(report, easiest_issue=replace(issue, expect="pass" if report.decision == "clean" else "fail"))


def _negative(report: ConfessionReport) -> str | None:
    """Nothing is easier than a command that fails and a text that stands nowhere: they show no good work."""
    issue = report.easiest_issue
    if report.decision == "clean" and (issue.expect == "fail" or issue.absent is not None):
        return "a clean report shows something that holds: a command that ends well, or a text that a file contains"
    return None


def _problem(report: ConfessionReport) -> str | None:
    if not report.objectives:
        return "objectives is empty; assess at least one thing that the work had to achieve"
    for number, each in enumerate(report.objectives):
        for key in ("objective", "evidence"):
            if not getattr(each, key).strip():
                return f"objectives.{number}.{key} is empty; say it in words"
        if not 0 <= each.confidence <= 100:
            return f"objectives.{number}.confidence must be from 0 to 100, but is {each.confidence:g}"
    for key in ("shortcuts", "uncertainties"):
        if not all(text.strip() for text in getattr(report, key)):
            return f"{key} has an empty entry; say what it is, or leave it out"
    return None


def _issue_problem(issue: EasiestIssue) -> str | None:
    """What is wrong with the easiest issue. Each kind has its own keys, and no others."""
    if not issue.claim.strip():
        return "easiest_issue.claim is empty; say what the check shows"
    given = {key for key in ("command", "expect", "path", "contains", "absent") if getattr(issue, key) is not None}
    foreign = given - ({"command", "expect"} if issue.kind == "command" else {"path", "contains", "absent"})
    if foreign:
        return f"easiest_issue of the kind {issue.kind!r} has no {sorted(foreign)[0]!r}; remove it, or change the kind"
    return _command_problem(issue) if issue.kind == "command" else _file_problem(issue)


def _command_problem(issue: EasiestIssue) -> str | None:
    command = issue.command or ""
    if not command.strip():
        return "easiest_issue.command is missing; give the command that shows it"
    if visible(command, keep="\n\t") != command:
        return "easiest_issue.command holds characters that cannot be seen; write it anew"
    if all((part.split() or [""])[0] in _IDLE for part in re.split(r"[;&|!(){}\n]+", command)):
        return f"easiest_issue.command {command!r} says nothing about the project; give one that looks at it"
    return None


def _file_problem(issue: EasiestIssue) -> str | None:
    path = PurePosixPath(issue.path or "")
    if not path.parts or path.is_absolute() or ".." in path.parts or visible(str(path)) != str(path):
        return f"easiest_issue.path must be a path inside the project, not {issue.path!r}"
    texts = [text for text in (issue.contains, issue.absent) if text is not None]
    if len(texts) != 1 or not texts[0].strip():
        return "easiest_issue needs either `contains` or `absent`, with the text to look for"
    return None
