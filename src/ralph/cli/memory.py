"""`ralph memory`: what agents are told of what was before (spec: core concepts, Memory System)."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Literal

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json

Action = Literal["show", "stats", "cleanup"]


@click.command()
@click.option("--show", "action", flag_value="show", default="show", help="What the next prompt gets; the default.")
@click.option("--stats", "action", flag_value="stats", help="How many memories there are, and how large.")
@click.option(
    "--cleanup", "action", flag_value="cleanup", help="Archive old memories; delete what was archived long ago."
)
@directory_option
@json_option
def memory(action: Action, directory: Path, as_json: bool) -> None:
    """Show the active memory, count memories, or clean them up."""
    from ralph.system.git import open_repository

    root = open_repository(directory).root
    {"show": _show, "stats": _stats, "cleanup": _cleanup}[action](root, as_json)


def _show(root: Path, as_json: bool) -> None:
    from ralph.loop.memory.active import LIMIT, current
    from ralph.loop.plan.files import PlanStore
    from ralph.loop.plan.model import ImplementationPlan
    from ralph.loop.saved import StateStore, fresh
    from ralph.system import clock

    state = StateStore(root).load_or_none() or fresh(root, now=clock.now())
    text = current(root, state, PlanStore(root).load_or_none() or ImplementationPlan())
    if as_json:
        print_json({"characters": len(text), "limit": LIMIT, "text": text})
    else:
        click.echo(text, nl=False)


def _stats(root: Path, as_json: bool) -> None:
    from ralph.loop.memory.rotation import ARCHIVE_DAYS, ITERATIONS, SESSIONS
    from ralph.loop.memory.stats import stats

    kept = stats(root)
    limits = {
        "iterations": f"at most {ITERATIONS}",
        "sessions": f"at most {SESSIONS}",
        "archive": f"{ARCHIVE_DAYS} days",
    }
    if as_json:
        print_json({each.what: {"files": each.files, "bytes": each.bytes} for each in kept})
        return
    for each in kept:
        click.echo(
            f"{each.what.replace('_', ' '):<16} {each.files:>5} files {each.bytes / 1024:>9.1f} KiB"
            f"  {limits.get(each.what, '')}".rstrip()
        )


def _cleanup(root: Path, as_json: bool) -> None:
    from ralph.loop.memory.rotation import rotate
    from ralph.system import clock

    done = rotate(root, now=clock.now())
    if as_json:
        print_json(asdict(done))
        return
    click.echo(f"{len(done.archived)} archived, {len(done.deleted)} deleted.")
    for what, names in (("archived", done.archived), ("deleted", done.deleted)):
        for name in names:
            click.echo(f"  {what} {name}")
