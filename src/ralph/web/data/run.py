"""One run: how it stands, what its agent does, its timeline, its tasks, what it used, and its hats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ralph.errors import RalphError
from ralph.loop import journal, standing
from ralph.loop.plan.files import PlanStore
from ralph.loop.plan.model import Task
from ralph.loop.state import State
from ralph.record import record
from ralph.web.data import approvals, hats, timeline
from ralph.web.data import turn as turns
from ralph.web.data.runs import folder_of, status_of
from ralph.web.drawing import Drawing
from ralph.web.shown import Shown, block, line
from ralph.web.site import Site

MOST_ROWS = 400
COLUMNS = ("pending", "in_progress", "blocked", "complete")


@record(kw_only=True)
class Facts:
    """How a run stands: what the live part of the page shows. `over`: nothing more will come. `waiting` is how many
    requests a person has to answer."""

    id: str
    status: str
    over: bool
    waiting: int
    facts: tuple[tuple[str, Shown], ...]
    verdict: str
    verdict_run: str


@record
class Card:
    """A task on the board."""

    id: Shown
    description: Shown
    priority: int
    notes: tuple[Shown, ...]


@record
class Board:
    """The tasks by where they stand, or why they cannot be read."""

    columns: tuple[tuple[str, tuple[Card, ...]], ...]
    problem: str = ""


@record(kw_only=True)
class RunPage:
    """`last` is the number of the last line that is shown, `earlier` how many rows are not. Where the hats cannot be
    read, it says why."""

    prompt: Shown
    facts: Facts
    turn: turns.Turn
    rows: tuple[timeline.Row, ...]
    earlier: int
    last: int
    usage: tuple[timeline.Used, ...]
    board: Board
    hats: Drawing | None
    hats_problem: str


def page(site: Site, run_id: str, *, everything: bool = False) -> RunPage:
    """Raises UsageError, StorageError."""
    folder = folder_of(site, run_id)
    moments, place = journal.moments(folder)
    rows = tuple(timeline.rows(moments, site.words.teller()))
    drawing, hats_problem = hats.of_run(site.root, folder)
    return RunPage(
        prompt=block(moments[-1].state.prompt),
        facts=facts(site, folder, moments[-1].state),
        turn=turns.newest(turns.seen(folder)),
        rows=rows if everything else rows[-MOST_ROWS:],
        earlier=0 if everything else max(0, len(rows) - MOST_ROWS),
        last=place.seq,
        usage=tuple(timeline.usage(moments)),
        board=board(site.root),
        hats=drawing,
        hats_problem=hats_problem,
    )


def facts(site: Site, folder: Path, state: State) -> Facts:
    """Raises RalphError."""
    now = standing.standing(state)
    status = status_of(site.root, now)
    return Facts(
        id=folder.name,
        status=status,
        over=now["status"] == "ended",
        waiting=approvals.waiting(site) if status == "running" else 0,
        facts=tuple((name, line(text, 600)) for name, text in _facts(site, now, status).items() if text),
        verdict=now["verdict"] or "",
        verdict_run=now["verdict_run"] or "",
    )


def _facts(site: Site, now: dict[str, Any], status: str) -> dict[str, str]:
    task, breaker = now["task"], now["breaker"]
    return {
        "why": now["why"],
        "now": now["doing"] if status in ("running", "paused") else "",
        "agent": now["agent"],
        "phase": f"{now['phase']}, iteration {now['iteration']}",
        "task": f"{task['id']}, attempt {task['attempt']}" if task else "",
        "breaker": f"{breaker['state']}: {breaker['last_failure_reason'] or ''}"
        if breaker["state"] != "closed"
        else "",
        "spent": site.words.spent(now["spent"]),
        "left": site.words.left(now["left"]),
        "near a limit": "; ".join(now["nearing"]),
    }


def board(root: Path) -> Board:
    """The project's plan: it is the newest run's."""
    try:
        plan = PlanStore(root).load_or_none()
    except RalphError as error:
        return Board((), str(line(error)))
    tasks = plan.tasks if plan else ()
    return Board(tuple((column, tuple(_card(each) for each in tasks if each.status == column)) for column in COLUMNS))


def _card(task: Task) -> Card:
    notes = (*task.blockers[-1:], *((task.completion_notes,) if task.completion_notes else ()))
    return Card(line(task.id, 80), line(task.description, 300), task.priority, tuple(line(note, 300) for note in notes))
