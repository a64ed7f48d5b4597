"""`ralph status`: how the newest run stands, from another terminal or after it (design decisions 24 and 29)."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ralph.cli.amounts import left_text, span, spent_text
from ralph.cli.options import directory_option, json_option, working_copy
from ralph.cli.output import print_json
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.loop.control import Alive

LOOK_S = 0.25
ANOMALIES = 3
SHOWN = (
    "agent",
    "prompt",
    "phase",
    "iteration",
    "task",
    "tasks",
    "doing",
    "end",
    "why",
    "verdict",
    "verdict_run",
    "context",
    "breaker",
    "spent",
    "left",
    "nearing",
    "told",
    "hints",
)
"""What is shown of how a run stands (`loop.standing`)."""


@click.command()
@click.option("--follow", "-f", is_flag=True, help="Go on telling what happens, until the run ends.")
@directory_option
@json_option
def status(follow: bool, directory: Path, as_json: bool) -> None:
    """Show how the newest run stands: phase, task, verdict, breaker, what was spent and is left, and what waits.

    With --json one document; with --json and --follow a line for each thing that happens.
    """
    root = working_copy(directory)
    if follow:
        _follow(root, as_json)
        return
    document = situation(root)
    if as_json:
        print_json(document)
        return
    for line in lines(document):
        click.echo(line)


def situation(root: Path) -> dict[str, Any]:
    """Everything that `ralph status` says. Raises StorageError if it cannot be known."""
    from ralph.loop.control import Control, alive
    from ralph.loop.standing import newest

    at_work, found = alive(root), newest(root)
    folder, now = found or (None, None)
    return {
        "run": now["run"] if now else None,
        "status": _status(now, at_work),
        "process": at_work.pid if at_work else None,
        **{key: (now or {}).get(key) for key in SHOWN},
        "waiting": {"approvals": _approvals(root), "gate": _gates(root)},
        "anomalies": _anomalies(root) | {"orders": list(Control(root).unusable())},
        "folder": str(folder.relative_to(root)) if folder else None,
        "next": _next(now, at_work),
    }


def lines(document: dict[str, Any]) -> list[str]:
    """The same for people."""
    if document["run"] is None:
        head = ["Nothing ran here yet."]
        rows = {}
    else:
        head = [f"Run {visible(document['run'])}: {_headline(document)}"]
        rows = _rows(document)
    waiting, anomalies = document["waiting"], document["anomalies"]
    rows["waiting"] = ", ".join(f"{number} {name} (`ralph {name} list`)" for name, number in waiting.items() if number)
    if anomalies["violations"]:
        rows["anomalies"] = f"{anomalies['violations']} refused actions in state/progress.jsonl, the last ones:"
    listed = [f"    {visible(each)}" for each in (*anomalies["last"], *anomalies["orders"])]
    shown = [f"  {name:<10} {visible(value)}" for name, value in rows.items() if value]
    return [*head, *shown, *listed, *(f"→ {each}" for each in document["next"])]


def _status(now: dict[str, Any] | None, at_work: Alive | None) -> str:
    if now is None:
        return "none"
    if now["status"] != "ended" and (at_work is None or at_work.run != now["run"]):
        return "interrupted"
    return str(now["status"])


def _headline(document: dict[str, Any]) -> str:
    match document["status"]:
        case "ended":
            first, *more = [line for line in document["why"].splitlines() if line.strip()] or [""]
            return f"{document['end']}. {visible(first)}" + (f" (and {len(more)} more lines)" if more else "")
        case "interrupted":
            return "its process is gone."
    return f"{document['status']}, process {document['process']}."


def _rows(document: dict[str, Any]) -> dict[str, str]:
    task, tasks, breaker = document["task"], document["tasks"], document["breaker"]
    blocked = f", {len(tasks['blocked'])} blocked ({', '.join(tasks['blocked'])})" if tasks["blocked"] else ""
    verdict = document["verdict"] or ""
    audit = f" (`ralph audit show {document['verdict_run']}`)" if document["verdict_run"] else ""
    context = document["context"]
    return {
        "agent": document["agent"],
        "phase": f"{document['phase']}, iteration {document['iteration']}",
        "task": f"{task['id']}, attempt {task['attempt']}" if task else "",
        "tasks": f"{tasks['complete']} complete, {tasks['open']} open{blocked}",
        "now": document["doing"] if document["status"] in ("running", "paused") else "",
        "verdict": f"{verdict}{audit}",
        "context": f"{context:.0%} of the window" if context is not None else "",
        "breaker": breaker_text(breaker, datetime.now(UTC)),
        "spent": spent_text(document["spent"]),
        "left": left_text(document["left"]),
        "near": "; ".join(document["nearing"]),
        "hints": f"{document['hints']} for the next prompt" if document["hints"] else "",
        "folder": document["folder"] or "",
    }


def breaker_text(breaker: dict[str, Any], now: datetime) -> str:
    """The breaker on one line."""
    counts = f"{breaker['failure_count']} failures, {breaker['stagnation_count']} iterations without progress"
    if breaker["state"] == "open":
        left = cooldown_left_s(breaker, now)
        until = f", may be tried again in {span(left)}" if left else ", may be tried again"
        return f"open ({breaker['halted_by'] or 'open'}){until if breaker['opened_for'] != 'limit' else ''}"
    last = f", the last one: {breaker['last_failure_reason']}" if breaker["last_failure_reason"] else ""
    return f"{breaker['state'].replace('_', '-')} ({counts}{last})"


def cooldown_left_s(breaker: dict[str, Any], now: datetime) -> float:
    """How long an open breaker stays so by itself."""
    from ralph.loop import breaker as breakers

    opened = breakers.Breaker(state=breaker["state"], opened_at=breaker["opened_at"])
    return breakers.cooldown_left_s(opened, breakers.BreakerSettings(cooldown_s=breaker["cooldown_s"]), now)


def _next(now: dict[str, Any] | None, at_work: Alive | None) -> list[str]:
    """What a person can do now."""
    state = _status(now, at_work)
    if state == "none" or now is None:
        return ['begin: ralph run "what is wanted"']
    if state == "running":
        return ["watch: ralph status --follow; stop: ralph stop; tell the agent something: ralph inject TEXT"]
    if state in ("paused", "interrupted"):
        return ["go on: ralph resume"]
    if now["end"] == "passed":
        return ["look at what was done, and commit it"]
    reset = ["when the cause is gone: ralph breaker reset --reason R"] if now["breaker"]["state"] == "open" else []
    return [*reset, "go on: ralph resume"]


def _approvals(root: Path) -> int:
    """How many requests wait for a person. Where there are none it costs no time to look."""
    folder = root / ".ralph" / "approvals"
    if not folder.is_dir() or not any(folder.glob("*.json")):
        return 0
    from ralph.approvals.answering import Desk
    from ralph.approvals.model import Status

    return sum(each.status is Status.OPEN for each in Desk(root, {}).entries())


def _gates(root: Path) -> int:
    if not (root / ".ralph" / "gates").is_dir():
        return 0
    from ralph.gates.state import ENDED, Shelf

    return sum(gate.state == "blocked" for run in Shelf(root).runs() if run.state not in ENDED for gate in run.gates)


def _anomalies(root: Path) -> dict[str, Any]:
    """How many actions were refused, and the last of them."""
    from ralph.system import ledger

    entries, damaged = ledger.intact(root / "state" / "progress.jsonl")
    found = [
        entry
        for entry in entries
        if isinstance(entry.record, dict) and str(entry.record.get("type", "")).endswith("violation")
    ]
    last = [
        f"{entry.time} {entry.record.get('violationType')}: {entry.record.get('target')} ({entry.record.get('reason')})"
        for entry in found[-ANOMALIES:]
    ]
    return {"violations": len(found), "last": last, "damaged_lines": damaged}


def _follow(root: Path, as_json: bool) -> None:
    """Tell what is new until the run ends, or its process does."""
    from ralph.cli.live import JsonView, Lines, Steady
    from ralph.cli.telling import account
    from ralph.errors import UsageError
    from ralph.loop import journal as journals
    from ralph.loop.control import alive

    journal, out = journals.latest(root), Steady(sys.stdout)
    if journal is None:
        raise UsageError("Nothing ran here yet: begin with `ralph run`.")
    view: JsonView | Lines = JsonView(out) if as_json else Lines(out)
    view.moved(None, journal.state)
    while journal.state.status != "ended":
        at_work = alive(root)
        if journal.path.stat().st_size > journal.place.offset:
            for given in journal.follow():
                view.moved(given, journal.state)
        elif at_work is None or at_work.run != journal.state.run:
            break
        else:
            time.sleep(LOOK_S)
    for line in () if as_json else account(journal.state):
        out.line(line)
