"""`ralph notify`: who is told of what, and what became of it (docs/notifications.md)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json
from ralph.system.text import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ralph.config.notify import NotifyEntry
    from ralph.notify.outbox import Outbox


@click.group()
def notify() -> None:
    """See what people were told of; send what is left; try a target."""


@notify.command("list")
@directory_option
@json_option
def list_messages(directory: Path, as_json: bool) -> None:
    """List what is to be sent, could not be sent, and was sent."""
    outbox, _ = _open(directory)
    found, damaged = outbox.all()
    rows = [
        {
            "id": message.notice.id,
            "target": message.target,
            "state": {"queue": "waiting"}.get(box, box),
            "event": message.notice.event,
            "at": message.notice.at,
            "attempts": message.attempts,
            "error": message.error if box != "sent" else "",
        }
        for box, message in found
    ]
    if as_json:
        print_json({"messages": rows, "damaged": damaged})
        return
    for row in rows:
        line = f"{row['at']}  {row['state']:<8} {row['target']:<12} {row['event']:<9} {row['error']}"
        click.echo(visible(line.rstrip()))
    for sentence in damaged:
        click.echo(visible(sentence))
    if not rows and not damaged:
        click.echo("Nobody was told of anything yet.")


@notify.command()
@directory_option
@json_option
def flush(directory: Path, as_json: bool) -> int:
    """Send everything that is left, now. Exit 0 if nothing is left after that, else 1."""
    from ralph.approvals.person import refuse_agents
    from ralph.notify.following import catch_up
    from ralph.notify.post import drain
    from ralph.system import clock

    refuse_agents(os.environ)
    outbox, targets = _open(directory)
    catch_up(outbox, targets, clock.now)
    done = drain(outbox, targets, os.environ, clock.now, everything=True)
    if as_json:
        print_json({"sent": done.sent, "left": done.left, "problems": list(done.problems)})
    else:
        click.echo(f"{done.sent} sent, {done.left} left.")
        for problem in done.problems:
            click.echo(f"  {visible(problem)}")
    return 1 if done.left or done.problems else 0


@notify.command()
@click.argument("target", metavar="[TARGET]", default="")
@directory_option
@json_option
def test(target: str, directory: Path, as_json: bool) -> int:
    """Send a message to TARGET, or to all, at once. Exit 0 if it was taken, else 1."""
    from ralph.approvals.person import refuse_agents
    from ralph.errors import RalphError, UsageError
    from ralph.notify.notices import Notice
    from ralph.notify.ways import deliver
    from ralph.system import clock
    from ralph.system.clock import rfc3339

    refuse_agents(os.environ)
    outbox, targets = _open(directory)
    chosen = {name: each for name, each in targets.items() if target in ("", name)}
    if not chosen:
        known = f"there are: {', '.join(targets)}" if targets else "ralph.yml names none under `notify`"
        raise UsageError(f"There is no target {target!r} to tell; {known}." if target else f"Nobody is told: {known}.")
    now = clock.now()
    notice = Notice(
        id=f"test.{os.urandom(8).hex()}",
        event="ended",
        at=rfc3339(now),
        title="Ralph: a test",
        text="Hello.",
        data={"test": True},
    )
    results: dict[str, str | None] = {}
    for name, each in chosen.items():
        try:
            deliver(notice, each, outbox.root, os.environ, now)
            results[name] = None
        except RalphError as error:
            results[name] = str(error)
    if as_json:
        print_json({"id": notice.id, "targets": results})
    else:
        for name, problem in results.items():
            click.echo(f"{name}: {visible(problem) if problem else 'taken'}")
    return 1 if any(results.values()) else 0


def _open(directory: Path) -> tuple[Outbox, Mapping[str, NotifyEntry]]:
    """The outbox, and the targets of the configuration that counts."""
    from ralph import config as configs
    from ralph.context import trust
    from ralph.notify.outbox import Outbox
    from ralph.system.base import choose_base
    from ralph.system.git import open_repository

    repo = open_repository(directory)
    config = configs.from_repository(repo, choose_base(repo, None), trust.accepted(repo.root)).config
    return Outbox(repo.root), config.notify
