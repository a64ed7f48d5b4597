"""The evidence of one verdict: steps, logs, findings with their code, whether its signatures hold, and its replay."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ralph.audit.check import check
from ralph.audit.keys import trusted_keys
from ralph.audit.replay import replay
from ralph.audit.report import measured
from ralph.audit.store import AuditStore
from ralph.errors import RepositoryError, UsageError
from ralph.record import record
from ralph.system import files
from ralph.system.clock import rfc3339
from ralph.system.git import Repository, open_repository
from ralph.system.places import audit_dir
from ralph.verdict import Finding, StepResult, Verdict
from ralph.web.shown import Shown, block, line, whole
from ralph.web.site import Site

AROUND = 3
MOST_FINDINGS = 200
MOST_FILES = 500


@record(kw_only=True)
class StepRow:
    name: str
    status: str
    time: str
    what: Shown
    command: Shown
    log: str
    report: str


@record
class CodeLine:
    number: int
    text: str
    hit: bool


@record(kw_only=True)
class FindingCard:
    rule: str
    severity: str
    place: Shown
    reason: Shown
    fix: Shown
    code: tuple[CodeLine, ...]


@record
class Replayed:
    outcome: str
    details: tuple[Shown, ...]


@record(kw_only=True)
class VerdictPage:
    """`type` is None when the evidence does not even hold a verdict that can be trusted; `problems` say why."""

    id: str
    type: str | None
    holds: bool
    problems: tuple[Shown, ...]
    reason: Shown
    facts: tuple[tuple[str, Shown], ...]
    steps: tuple[StepRow, ...]
    findings: tuple[FindingCard, ...]
    more_findings: int
    groups: tuple[tuple[str, tuple[Shown, ...]], ...]
    files: tuple[str, ...]
    replayed: Replayed | None


def page(site: Site, run_id: str, *, again: bool = False) -> VerdictPage:
    """`again` judges the recorded tree once more. Raises RalphError."""
    repo, store = opened(site)
    keys = trusted_keys()
    checked = check(store, known(store, run_id), keys, repo)
    result = replay(store, checked, keys, repo) if again else None
    verdict = checked.verdict
    return VerdictPage(
        id=run_id,
        type=str(verdict.type) if verdict else None,
        holds=checked.holds,
        problems=tuple(line(each, 1000) for each in checked.problems),
        reason=block((verdict.failure_reason if verdict else None) or ""),
        facts=tuple(_facts(verdict)) if verdict else (),
        steps=tuple(_step(each) for each in verdict.steps) if verdict else (),
        findings=tuple(_finding(each, verdict, repo) for each in verdict.findings[:MOST_FINDINGS]) if verdict else (),
        more_findings=max(0, len(verdict.findings) - MOST_FINDINGS) if verdict else 0,
        groups=tuple(_groups(verdict)) if verdict else (),
        files=tuple(_names(store.path(run_id))),
        replayed=Replayed(result.outcome, tuple(line(each, 1000) for each in result.details)) if result else None,
    )


def file(site: Site, run_id: str, name: str) -> Shown:
    """A file of the evidence as a text. Raises UsageError, StorageError."""
    _, store = opened(site)
    folder = store.path(known(store, run_id))
    if name not in _names(folder):
        raise UsageError(f"The evidence of {run_id} has no file {line(name, 100)}.")
    return whole(files.read_bytes(folder / name).decode("utf-8", "backslashreplace"))


def opened(site: Site) -> tuple[Repository, AuditStore]:
    repo = open_repository(site.root)
    return repo, AuditStore(audit_dir(repo.root))


def known(store: AuditStore, run_id: str) -> str:
    """The id of a verdict that there is. Raises UsageError."""
    if run_id not in store.runs():
        raise UsageError(f"There is no verdict {line(run_id, 60)} here.")
    return run_id


def _names(folder: Path) -> list[str]:
    """The plain files below a folder, none through a link. One whose name cannot be shown is not Ralph's, and is told
    among the problems."""
    found = [
        str(Path(place, name).relative_to(folder))
        for place, _, names in os.walk(folder)
        for name in names
        if not Path(place, name).is_symlink()
    ]
    return sorted(name for name in found if line(name).text == name)[:MOST_FILES]


def _facts(verdict: Verdict) -> Iterator[tuple[str, Shown]]:
    pairs = {
        "project": verdict.project,
        "completed": rfc3339(verdict.completed_at),
        "failed step": verdict.failed_step or "",
        "policy": f"{verdict.policy_version} sha256:{verdict.policy_digest}",
        "contract": verdict.contract or "",
        "base": verdict.base_commit,
        "tree": verdict.tree_hash,
        "sandbox": verdict.sandbox_level,
        "autonomy": verdict.autonomy_level + (", needs review" if verdict.needs_review else ""),
        "measured by": verdict.reused_from or "",
    }
    yield from ((name, line(text)) for name, text in pairs.items() if text)


def _step(step: StepResult) -> StepRow:
    return StepRow(
        name=step.name,
        status=step.status + (" (flaky)" if step.flaky else ""),
        time=f"{step.duration_ms / 1000:.2f} s" if step.duration_ms else "",
        what=line(step.reason or measured(step), 1000),
        command=line(step.command or "", 600),
        log=step.log or "",
        report=step.report or "",
    )


def _finding(finding: Finding, verdict: Verdict, repo: Repository) -> FindingCard:
    place = f"{finding.path}:{finding.line}:{finding.column}" if finding.line else finding.path
    return FindingCard(
        rule=finding.rule,
        severity=finding.severity,
        place=line(place),
        reason=line(finding.reason, 1000),
        fix=line(finding.fix or "", 1000),
        code=_code(finding, verdict.tree_hash, repo),
    )


def _code(finding: Finding, tree: str, repo: Repository) -> tuple[CodeLine, ...]:
    """The line as it stands in the judged tree, with those around it; else what the finding itself quotes."""
    quoted = (CodeLine(finding.line, line(finding.snippet, 300).text, True),) if finding.snippet else ()
    try:
        data = repo.read(tree, finding.path) if finding.line else None
    except (RepositoryError, ValueError):
        return quoted
    lines = (data or b"").decode("utf-8", "backslashreplace").removesuffix("\n").split("\n")
    if not 0 < finding.line <= len(lines):
        return quoted
    first = max(1, finding.line - AROUND)
    around = enumerate(lines[first - 1 : finding.line + AROUND], start=first)
    return tuple(CodeLine(number, line(text, 300).text, number == finding.line) for number, text in around)


def _groups(verdict: Verdict) -> Iterator[tuple[str, tuple[Shown, ...]]]:
    for title, failures in (
        ("New failures", verdict.regressions),
        ("Failures that the base has too", verdict.pre_existing),
        ("Failures of the base that are gone", verdict.fixed),
    ):
        if failures:
            yield title, tuple(line(each) for each in failures[:100])
