"""`ralph pause` and `ralph stop`: what a person says to a run at work (issue: commands)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ralph.cli.options import directory_option, json_option, working_copy
from ralph.cli.output import print_json
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.loop.control import Do

NOBODY = "No run is at work in {root}: there is nothing to {do}; `ralph status` shows how the last one stands."


@click.command()
@directory_option
@json_option
def pause(directory: Path, as_json: bool) -> None:
    """Let the run at work end its turn, and then wait. `ralph resume` goes on with it."""
    _say("pause", directory, as_json, "pauses once the agent's turn is over; `ralph resume` goes on with it")


@click.command()
@directory_option
@json_option
def stop(directory: Path, as_json: bool) -> None:
    """End the run at work, with the turn that is under way. Nothing is lost: `ralph resume` goes on with it."""
    _say("stop", directory, as_json, "stops now; `ralph resume` goes on with it")


def _say(do: Do, directory: Path, as_json: bool, then: str) -> None:
    from ralph.approvals import person
    from ralph.errors import UsageError
    from ralph.loop.control import Control, alive

    person.refuse_agents(os.environ)
    root = working_copy(directory)
    if (at_work := alive(root)) is None:
        raise UsageError(NOBODY.format(root=root, do=do))
    order = Control(root).post(do, by=person.name(), to=at_work)
    if as_json:
        print_json({"run": at_work.run, "process": at_work.pid, "do": do, "order": order.number})
    else:
        click.echo(f"The run {visible(at_work.run)} {then}.")
