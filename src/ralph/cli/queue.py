"""`ralph queue`: the jobs and the workers of a queue, and what a person does about them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.worker import queue_option

if TYPE_CHECKING:
    from ralph.fleet.model import Do, Job
    from ralph.fleet.protocol import Fleet

job_argument = click.argument("job_id", metavar="JOB")


@click.group()
def queue() -> None:
    """See the jobs and the workers of a queue; cancel, retry, answer."""


@queue.command("list")
@click.option("--limit", type=click.IntRange(1, 10_000), default=30, metavar="N", help="Show the newest N [30].")
@queue_option
@directory_option
@json_option
def list_jobs(limit: int, queue_address: str | None, directory: Path, as_json: bool) -> None:
    """List the newest jobs."""
    from ralph.cli.output import print_json

    with _opened(queue_address, directory) as fleet:
        found = fleet.jobs(limit)
    if as_json:
        print_json({"jobs": [job.to_dict() for job in found]})
        return
    for job in found:
        click.echo(_line(job))
    if not found:
        click.echo("There are no jobs.")


@queue.command()
@job_argument
@queue_option
@directory_option
@json_option
def show(job_id: str, queue_address: str | None, directory: Path, as_json: bool) -> None:
    """Show one job: what it is, how it stands, what it waits for, where its evidence lies."""
    with _opened(queue_address, directory) as fleet:
        _shown(fleet.find(job_id), as_json)


@queue.command()
@job_argument
@queue_option
@directory_option
@json_option
def cancel(job_id: str, queue_address: str | None, directory: Path, as_json: bool) -> None:
    """End a job; everything that it runs is killed. What a run did stays."""
    with _opened(queue_address, directory) as fleet:
        _shown(fleet.cancel(fleet.find(job_id)), as_json)


@queue.command()
@job_argument
@queue_option
@directory_option
@json_option
def retry(job_id: str, queue_address: str | None, directory: Path, as_json: bool) -> None:
    """Begin a job anew that is over; a run goes on where it ended."""
    with _opened(queue_address, directory) as fleet:
        _shown(fleet.retry(fleet.find(job_id)), as_json)


@queue.command()
@job_argument
@click.argument("decision", type=click.Choice(["approve", "reject", "suggest", "go-on"]))
@click.option("--reason", default="", metavar="R", help="Why; the policy may require one.")
@click.option("--text", default="", metavar="T", help="What the agent should do instead, for suggest.")
@queue_option
@directory_option
@json_option
def answer(
    job_id: str, decision: str, reason: str, text: str, queue_address: str | None, directory: Path, as_json: bool
) -> None:
    """Answer a run that waits: for an approval, or, with go-on, for its breaker to be closed."""
    from ralph.approvals import person
    from ralph.errors import UsageError
    from ralph.fleet.model import Word

    person.refuse_agents(os.environ)
    if decision == "suggest" and not text.strip():
        raise UsageError("A suggestion needs a text that says what the agent should do instead: give --text.")
    do: Do = "go on" if decision == "go-on" else decision  # type: ignore[assignment]
    with _opened(queue_address, directory) as fleet:
        _shown(fleet.answer(fleet.find(job_id), Word(do=do, by=person.name(), reason=reason, text=text)), as_json)


@queue.command()
@queue_option
@directory_option
@json_option
def workers(queue_address: str | None, directory: Path, as_json: bool) -> None:
    """List the workers that were seen in the last day."""
    from ralph.cli.output import print_json
    from ralph.system.text import visible

    with _opened(queue_address, directory) as fleet:
        found = fleet.workers()
    if as_json:
        print_json({"workers": [asdict(each) for each in found]})
        return
    for each in found:
        lives = f"heard of {each.seen_s:.0f} s ago" if each.alive else "gone"
        at_work = f"{each.running} of {each.concurrency} at work"
        click.echo(visible(f"{each.name}  {lives}  {at_work}  process {each.pid} on {each.host}"))
    if not found:
        click.echo("No worker was seen: start one with `ralph worker`.")


@contextmanager
def _opened(queue_address: str | None, directory: Path) -> Iterator[Fleet]:
    from ralph.fleet.opening import opened

    fleet = opened(queue_address, directory, os.environ)
    try:
        yield fleet
    finally:
        fleet.close()


def _shown(job: Job, as_json: bool) -> None:
    from ralph.cli.output import print_json

    if as_json:
        print_json(job.to_dict())
    else:
        describe(job)


def describe(job: Job) -> None:
    """A job for people."""
    from ralph.system.text import visible

    click.echo(_line(job))
    waits = job.waits or {}
    action = waits.get("action") or {}
    rows = {
        "why": job.why,
        "commit": job.work.commit,
        "held by": job.holder or "",
        "folder": str(job.result.get("folder", "")),
        "evidence": str(job.result.get("run_id", "")),
        "waits for": f"{waits['for']} {waits.get('request', '')}".rstrip() if waits else "",
        "action": str(action.get("text", "")),
        "answer": _way(job) if waits else "",
    }
    for name, text in rows.items():
        if text:
            click.echo(f"  {name:<10} {visible(text)}")


def _way(job: Job) -> str:
    if (job.waits or {}).get("for") == "approval":
        return f"`ralph queue answer {job.id[:12]} approve --reason R`, or reject, or suggest --text T"
    return f"`ralph queue answer {job.id[:12]} go-on` closes the breaker; it is tried by itself after its cooldown"


def _line(job: Job) -> str:
    from ralph.system.text import visible

    when = datetime.fromtimestamp(job.submitted_at, UTC).strftime("%Y-%m-%d %H:%M:%S")
    outcome = job.outcome if job.state == "done" else ""
    return visible(f"{job.id[:12]}  {when}  {job.kind:<6}  {outcome or job.state:<9}  {job.work.repository}")
