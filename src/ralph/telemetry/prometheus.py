"""A project's records in Prometheus' text format (version 0.0.4), without a library.

Rules: labels come from closed sets (outcomes, verdicts, states), or are kinds of agents, and models; never a run, a
task, a path. Of agents and models at most `MOST` have a label of their own, so that nothing grows without end; the rest
is `other`.
Counters are counted from the records, so they survive restarts; what cannot be read counts in `ralph_unreadable`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ralph.approvals.answering import Desk
from ralph.approvals.model import Status
from ralph.audit.store import AuditStore
from ralph.errors import RalphError, StorageError
from ralph.events import honesty
from ralph.loop import standing
from ralph.loop.journal import runs
from ralph.stats import facts
from ralph.system import files
from ralph.system.places import audit_dir
from ralph.telemetry.names import kind as kind_of

MOST = 20
LONGEST = 60
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_VERDICTS = ("PASS", "FAIL", "BLOCKED")
_ENDS = ("passed", "failed", "blocked", "waits", "limit", "stopped", "error")
Labels = tuple[tuple[str, str], ...]
Samples = Mapping[Labels, float]


def metrics(root: Path) -> str:
    """The page for a project. What is damaged is counted, and never an error: a page that fails tells nothing."""
    found = facts.read(root)
    states, breaker, unread = _runs(root)
    verdicts, unread_verdicts = _verdicts(root)
    claims, unread_claims = _claims(root)
    pending, unread_approvals = _approvals(root)
    tokens, cost, runtime = used(found.turns)
    outcomes = Counter[Labels]((("outcome", turn.outcome or "none"),) for turn in found.turns)
    failures = sum(turn.regressions for turn in found.turns)
    broken = len(found.problems) + unread + unread_verdicts + unread_claims + unread_approvals
    return "".join(
        _family(name, kind, text, samples)
        for name, kind, text, samples in (
            ("ralph_runs", "gauge", "Runs by how they stand.", states),
            ("ralph_breaker_open", "gauge", "Whether the newest run's breaker is open.", _one(breaker)),
            ("ralph_iterations_total", "counter", "Turns of agents, by what became of them.", outcomes),
            ("ralph_tokens_total", "counter", "Tokens used.", tokens),
            ("ralph_cost_usd_total", "counter", "US dollars, as far as they are known.", cost),
            ("ralph_agent_seconds_total", "counter", "Time in which agents worked.", runtime),
            ("ralph_verdicts_total", "counter", "Verdicts by kind.", verdicts),
            ("ralph_new_failures_total", "counter", "Failures that the base did not have.", _one(failures)),
            ("ralph_claims_total", "counter", "Measured claims, by whether they were true.", claims),
            ("ralph_approvals_pending", "gauge", "Questions to a person that are open.", _one(pending)),
            ("ralph_unreadable", "gauge", "Records that cannot be read.", _one(broken)),
        )
    )


def _one(value: float) -> Samples:
    return {(): value}


def used(turns: Sequence[facts.Turn]) -> tuple[Samples, Samples, Samples]:
    """Tokens, dollars and seconds, by agent and model."""
    agents, models = _few(kind_of(turn.agent) for turn in turns), _few(turn.model for turn in turns)
    tokens, cost, runtime = dict[Labels, float](), dict[Labels, float](), dict[Labels, float]()
    for turn in turns:
        who: Labels = (("agent", agents(kind_of(turn.agent))), ("model", models(turn.model)))
        known = turn.cost_usd is not None and math.isfinite(turn.cost_usd)
        for sums, value in ((tokens, turn.tokens), (runtime, turn.runtime_s), (cost, turn.cost_usd if known else 0.0)):
            sums[who] = sums.get(who, 0.0) + max(0.0, value or 0.0)
    return tokens, cost, runtime


def _runs(root: Path) -> tuple[Samples, float, int]:
    states = Counter[Labels]({(("state", state),): 0 for state in ("running", "paused", *_ENDS)})
    open_, unread = 0.0, 0
    for folder in runs(root):
        try:
            now = standing.of(folder)
        except StorageError:
            unread += 1
            continue
        states[(("state", now["end"] or now["status"]),)] += 1
        open_ = float(now["breaker"]["state"] == "open")
    return states, open_, unread


def _verdicts(root: Path) -> tuple[Samples, int]:
    store = AuditStore(audit_dir(root))
    counted = Counter[Labels]({(("verdict", each),): 0 for each in _VERDICTS})
    unread = 0
    for run_id in store.runs():
        try:
            kind = files.parse_json(files.read_bytes(store.path(run_id) / "verdict.json"))["type"]
        except (OSError, StorageError, ValueError, KeyError, TypeError):
            kind = None
        if kind in _VERDICTS:
            counted[(("verdict", kind),)] += 1
        else:
            unread += 1
    return counted, unread


def _claims(root: Path) -> tuple[Samples, int]:
    counted = Counter[Labels]({(("result", each),): 0 for each in ("true", "contradicted", "unproven")})
    try:
        recorded = honesty.read(root / honesty.CLAIMS)
    except StorageError:
        return counted, 1
    for claim in recorded:
        result = "true" if claim.true else "contradicted" if claim.contradiction else "unproven"
        counted[(("result", result),)] += 1
    return counted, 0


def _approvals(root: Path) -> tuple[float, int]:
    try:
        return float(sum(each.status is Status.OPEN for each in Desk(root, {}).entries())), 0
    except RalphError:
        return 0.0, 1


class _few:
    """The names that have a label of their own: the most frequent ones."""

    def __init__(self, names: Iterable[str]) -> None:
        self._known = {name for name, _ in Counter(names).most_common(MOST)}

    def __call__(self, name: str) -> str:
        return name[:LONGEST] if name in self._known else "other"


def _family(name: str, kind: str, text: str, samples: Samples) -> str:
    return "".join((f"# HELP {name} {text}\n", f"# TYPE {name} {kind}\n", *_lines(name, samples)))


def _lines(name: str, samples: Samples) -> Iterator[str]:
    for labels, value in sorted(samples.items()):
        shown = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels)
        yield f"{name}{f'{{{shown}}}' if shown else ''} {float(value)!r}\n"


def _escaped(text: str) -> str:
    clean = text.encode("utf-8", "replace").decode()
    return clean.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
