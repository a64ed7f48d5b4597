"""`ralph checkpoint` and `ralph rollback`: keep a state of the working tree, and return to it (design decision 26)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.checkpoints.model import Checkpoint
    from ralph.system.git import Repository

_MOST_SHOWN = 20


@click.command(short_help="Keep the present state of the working tree.")
@click.argument("name", metavar="[NAME]", default="by hand")
@directory_option
@json_option
def checkpoint(name: str, directory: Path, as_json: bool) -> None:
    """Keep the present state of files and index, uncommitted and untracked work included. Changes nothing."""
    from ralph.checkpoints.rollback import make
    from ralph.system.git import open_repository

    made = make(open_repository(directory), name)
    if as_json:
        print_json({"checkpoint": _row(made)})
    else:
        click.echo(f"{made.id}  kept as {made.ref}")


@click.command(short_help="Bring the working tree back to a checkpoint; what it was is kept.")
@click.argument("checkpoint_id", metavar="[ID]", default="last")
@click.option("--list", "listing", is_flag=True, help="Show the states that can be returned to, and change nothing.")
@directory_option
@json_option
def rollback(checkpoint_id: str, listing: bool, directory: Path, as_json: bool) -> None:
    """Bring files, index and HEAD back to a checkpoint, the newest by default. The present state is kept as a ref."""
    from ralph.approvals.person import refuse_agents
    from ralph.checkpoints.rollback import find, recover
    from ralph.checkpoints.rollback import rollback as roll_back
    from ralph.system.git import open_repository

    repo = open_repository(directory)
    if listing:
        _list(repo, as_json)
        return
    refuse_agents(os.environ)
    if (completed := recover(repo)) is not None:
        click.echo(f"ralph: an interrupted rollback to {completed.checkpoint.id} was completed first.", err=True)
    done = roll_back(repo, find(repo, checkpoint_id))
    if as_json:
        print_json(
            {
                "checkpoint": _row(done.checkpoint),
                "rejected": _row(done.rejected),
                "changed": list(done.changed),
                "head_moved": done.head_moved,
                "moved_aside": list(done.moved_aside),
                "missing": list(done.missing),
            }
        )
        return
    click.echo(f"The working tree is at {done.checkpoint.id} again ({visible(done.checkpoint.name)}).")
    for path in done.changed[:_MOST_SHOWN]:
        click.echo(f"  {visible(path)}")
    if len(done.changed) > _MOST_SHOWN:
        click.echo(f"  and {len(done.changed) - _MOST_SHOWN} more")
    if done.head_moved:
        click.echo(f"HEAD is back at {(done.checkpoint.head_commit or 'no commit')[:12]}.")
    for line in done.moved_aside:
        click.echo(f"Moved out of the way: {visible(line)}")
    for path in done.missing:
        click.echo(f"Gone, and not kept here: the nested repository {visible(path)}")
    click.echo(f"What it was is kept as {done.rejected.ref}; `ralph rollback {done.rejected.id}` returns to it.")


def _list(repo: Repository, as_json: bool) -> None:
    from ralph.checkpoints import saved

    kept = saved.kept(repo)
    if as_json:
        print_json({"checkpoints": [_row(each) for each in kept]})
        return
    for each in kept:
        click.echo(f"{each.id}  {each.kind.removesuffix('s'):<10}  {visible(each.name)}")
    if not kept:
        click.echo("Nothing is kept here yet; `ralph checkpoint` keeps the present state.")


def _row(kept: Checkpoint) -> dict[str, Any]:
    return {
        "id": kept.id,
        "kind": kept.kind,
        "name": kept.name,
        "ref": kept.ref,
        "commit": kept.commit,
        "head": kept.head,
        "head_commit": kept.head_commit,
        "made_at": kept.made_at,
    }
