"""How often what agents claimed was true: by hat, agent and model, and as it went on."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.events import honesty
from ralph.events.honesty import By, Claim
from ralph.record import record
from ralph.web.plot import Plot, line_plot
from ralph.web.shown import Shown, line
from ralph.web.site import Site

GROUPS: tuple[By, ...] = ("hat", "agent", "model")
MOST = 100


@record
class TallyRow:
    name: Shown
    claims: int
    percent: float
    contradicted: int
    unproven: int


@record
class CheckRow:
    name: Shown
    claimed: Shown
    measured: Shown
    contradiction: bool


@record(kw_only=True)
class ClaimRow:
    time: str
    topic: Shown
    who: Shown
    task: Shown
    outcome: str
    checks: tuple[CheckRow, ...]


@record
class Group:
    """`plots` show the share of true claims, claim after claim, of those that claimed most."""

    by: str
    rows: tuple[TallyRow, ...]
    plots: tuple[tuple[Shown, Plot], ...]


@record
class ClaimsPage:
    number: int
    groups: tuple[Group, ...]
    newest: tuple[ClaimRow, ...]


def page(site: Site) -> ClaimsPage:
    """Raises StorageError."""
    recorded = honesty.read(site.root / honesty.CLAIMS)
    groups = tuple(_group(recorded, by) for by in GROUPS) if recorded else ()
    return ClaimsPage(len(recorded), groups, tuple(_claim(each) for each in reversed(recorded[-MOST:])))


def share_true(claims: Sequence[Claim]) -> list[float]:
    """After each claim, how many percent of them were true by then."""
    shares, true = [], 0
    for number, claim in enumerate(claims, start=1):
        true += claim.true
        shares.append(100 * true / number)
    return shares


def _group(recorded: list[Claim], by: By) -> Group:
    rows = honesty.tally(recorded, by)
    plots = []
    for row in sorted(rows, key=lambda each: -each.claims)[:6]:
        own = [claim for claim in recorded if (getattr(claim, by) or "unknown") == row.name]
        plots.append((line(row.name, 80), line_plot(share_true(own), "%", "claims", most=100)))
    shown = [TallyRow(line(row.name, 80), row.claims, row.percent, row.contradicted, row.unproven) for row in rows]
    return Group(by, tuple(shown), tuple(plots))


def _claim(claim: Claim) -> ClaimRow:
    outcome = "true" if claim.true else "contradicted" if claim.contradiction else "unproven"
    return ClaimRow(
        time=claim.time or "",
        topic=line(claim.topic, 80),
        who=line(" ".join(filter(None, (claim.hat, claim.agent, claim.model))) or "unknown", 120),
        task=line(claim.task or "", 80),
        outcome=outcome,
        checks=tuple(
            CheckRow(line(name, 60), line(each.claimed or "", 80), line(each.measured or "", 80), each.contradiction)
            for name, each in claim.checks.items()
        ),
    )
