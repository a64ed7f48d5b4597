"""`ralph inject`: a hint from a person that reaches the agent's next prompt (issue: commands)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json
from ralph.system.text import visible


@click.command()
@click.argument("text", metavar="TEXT")
@click.option("--priority", type=int, metavar="N", default=0, show_default=True, help="The higher, the further up.")
@directory_option
@json_option
def inject(text: str, priority: int, directory: Path, as_json: bool) -> None:
    """Tell the agent something in its next prompt. TEXT `-` reads it from standard input.

    Without a run at work the hint waits for the next one.
    """
    from ralph.approvals import person
    from ralph.loop.control import LONGEST_TEXT, Control, alive
    from ralph.system.git import open_repository
    from ralph.system.places import EXCLUDED

    person.refuse_agents(os.environ)
    repo = open_repository(directory)
    repo.exclude(EXCLUDED)
    if text == "-":
        text = sys.stdin.buffer.read(4 * LONGEST_TEXT + 1).decode("utf-8", "surrogateescape")
    at_work = alive(repo.root)
    order = Control(repo.root).post("inject", text, priority=priority, by=person.name())
    if as_json:
        print_json({"order": order.number, "priority": order.priority, "run": at_work.run if at_work else None})
    elif at_work:
        click.echo(f"It will be in the next prompt of the run {visible(at_work.run)}.")
    else:
        click.echo("No run is at work; it will be in the first prompt of the next one.")
