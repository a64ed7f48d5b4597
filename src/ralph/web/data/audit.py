"""What is recorded, and whether it still holds: the chains of the logs, and the signatures of the verdicts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ralph.audit.check import check
from ralph.audit.keys import trusted_keys
from ralph.errors import RalphError
from ralph.events.honesty import CLAIMS
from ralph.loop.control import CONTROL
from ralph.loop.journal import LOG, runs
from ralph.record import record
from ralph.system import ledger
from ralph.web.data.evidence import opened
from ralph.web.shown import Shown, line
from ralph.web.site import Site

MOST_CHECKED = 20
LOGS = (
    Path("state", "learning.jsonl"),
    Path("state", "progress.jsonl"),
    Path(".ralph", "events.jsonl"),
    CLAIMS,
    CONTROL,
)


@record
class Chain:
    """A log whose lines are chained. `problem` is "" if all of it holds."""

    name: str
    lines: int
    problem: Shown


@record
class VerdictRow:
    """A verdict; `type` is None if nothing that can be trusted says it, `problems` what does not hold."""

    id: str
    type: str | None
    failed_step: str
    holds: bool
    problem: Shown


@record
class AuditPage:
    """`more` is how many older verdicts were not checked."""

    chains: tuple[Chain, ...]
    verdicts: tuple[VerdictRow, ...]
    more: int
    keys: tuple[str, ...]


def page(site: Site, *, everything: bool = False) -> AuditPage:
    """Raises RalphError."""
    repo, store = opened(site)
    keys = trusted_keys()
    found = store.runs()
    chosen = found if everything else found[-MOST_CHECKED:]
    rows = []
    for run_id in reversed(chosen):
        done = check(store, run_id, keys, repo)
        verdict = done.verdict
        problem = line(done.problems[0] if done.problems else "", 600)
        kind, step = (str(verdict.type), verdict.failed_step or "") if verdict else (None, "")
        rows.append(VerdictRow(str(line(run_id, 100)), kind, step, done.holds, problem))
    chains = tuple(_chains(site.root, store.ledger))
    return AuditPage(chains, tuple(rows), len(found) - len(chosen), tuple(sorted(keys)))


def _chains(root: Path, evidence: Path) -> Iterator[Chain]:
    logs = [evidence, *(root / name for name in LOGS), *(folder / LOG for folder in runs(root)[-MOST_CHECKED:])]
    for path in logs:
        if not path.exists():
            continue
        name = str(line(path.relative_to(root)))
        try:
            report = ledger.verify(path)
        except RalphError as error:
            yield Chain(name, 0, line(error, 600))
        else:
            problem = "" if report.ok else f"line {report.line}: {report.reason}"
            yield Chain(name, report.entries, line(problem, 600))
