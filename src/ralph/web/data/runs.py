"""The runs of the project, the newest first, and how each stands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from ralph.approvals.folder import PLACE
from ralph.errors import RalphError, UsageError
from ralph.loop import journal, standing
from ralph.loop.control import alive
from ralph.record import record
from ralph.web.shown import NOTHING, Shown, line
from ralph.web.site import Site

MOST = 50
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@record(kw_only=True)
class RunRow:
    """`problem` says why nothing else is known."""

    id: str
    status: str
    prompt: Shown
    agent: Shown = NOTHING
    phase: str = ""
    iteration: int = 0
    verdict: str = ""
    tasks: str = ""
    spent: str = ""
    why: Shown = NOTHING
    doing: Shown = NOTHING
    problem: str = ""


@record
class RunsPage:
    """`more` is how many older runs are not shown, `waiting` how many requests a person has to answer."""

    rows: tuple[RunRow, ...]
    more: int
    waiting: int = 0
    refused: int = 0
    last_refused: tuple[Shown, ...] = ()
    next: tuple[Shown, ...] = ()
    problem: str = ""


def page(site: Site, *, everything: bool = False) -> RunsPage:
    """Raises RalphError."""
    found = journal.runs(site.root)
    chosen = found if everything else found[-MOST:]
    rows = tuple(row(site, folder) for folder in reversed(chosen))
    try:
        now = site.words.situation(site.root)
    except RalphError as error:
        return RunsPage(rows, len(found) - len(chosen), problem=str(line(error, 600)))
    return RunsPage(
        rows=rows,
        more=len(found) - len(chosen),
        waiting=now["waiting"]["approvals"],
        refused=now["anomalies"]["violations"],
        last_refused=tuple(line(each, 300) for each in now["anomalies"]["last"]),
        next=tuple(line(each) for each in now["next"]),
    )


def signature(root: Path) -> object:
    """What changes when the list of runs may have to be made anew; cheap to look at."""
    logs = [(folder.name, (folder / journal.LOG).stat().st_size) for folder in journal.runs(root)]
    return logs, alive(root), requests_changed(root)


def requests_changed(root: Path) -> int:
    """When a request or an answer came last, as a number that is only good for comparing."""
    requests = root.joinpath(*PLACE)
    return requests.stat().st_mtime_ns if requests.is_dir() else 0


def row(site: Site, folder: Path) -> RunRow:
    """One run; what is wrong with its files hides none of the others."""
    if not _ID.fullmatch(folder.name):
        name = str(line(folder.name, 100))
        return RunRow(
            id=name, status="damaged", prompt=NOTHING, problem="No run of Ralph's has such a name: remove it."
        )
    try:
        now = standing.of(folder)
        status = status_of(site.root, now)
    except RalphError as error:
        return RunRow(id=folder.name, status="damaged", prompt=NOTHING, problem=str(line(error)))
    tasks = now["tasks"]
    return RunRow(
        id=folder.name,
        status=status,
        prompt=line(now["prompt"], 160),
        agent=line(now["agent"], 80),
        phase=now["phase"],
        iteration=now["iteration"],
        verdict=now["verdict"] or "",
        tasks=f"{tasks['complete']} of {tasks['complete'] + tasks['open'] + len(tasks['blocked'])}",
        spent=site.words.spent(now["spent"]["here"] | {"here": now["spent"]["here"]}),
        why=line(now["why"], 300),
        doing=line(now["doing"] if status in ("running", "paused") else "", 200),
    )


def status_of(root: Path, now: dict[str, Any]) -> str:
    """How a run ended, or whether anybody is at work on it."""
    if now["status"] == "ended":
        return str(now["end"])
    at_work = alive(root)
    return str(now["status"]) if at_work is not None and at_work.run == now["run"] else "interrupted"


def folder_of(site: Site, run_id: str) -> Path:
    """The folder of a run that there is. Raises UsageError."""
    if _ID.fullmatch(run_id):
        for folder in journal.runs(site.root):
            if folder.name == run_id:
                return folder
    raise UsageError(f"There is no run {line(run_id, 60)} here.")
