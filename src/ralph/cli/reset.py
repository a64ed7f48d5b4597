"""`ralph reset`: a person starts a project over; what was there is kept (design section 7)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json


@click.command()
@click.option("--keep-plan", is_flag=True, help="Leave the plan as it is.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@directory_option
@json_option
@click.pass_context
def reset(context: click.Context, keep_plan: bool, yes: bool, directory: Path, as_json: bool) -> None:
    """Forget state, plan and memories; all of it is kept below `.ralph/backups/`.

    Evidence stays: audits, approvals, runs, events, claims, the history of sessions, and the learnings.
    """
    from ralph.approvals.person import refuse_agents
    from ralph.errors import UsageError
    from ralph.loop import control
    from ralph.loop.memory import reset as resets
    from ralph.system import clock
    from ralph.system.git import open_repository

    refuse_agents(os.environ)
    root = open_repository(directory).root
    if at_work := control.alive(root):
        raise UsageError(f"The run {at_work.run} is at work here: `ralph stop` ends it; then reset.")
    wanted = resets.affected(root, keep_plan=keep_plan)
    if wanted and not yes and not _agreed(wanted):
        click.echo("Nothing was reset.", err=True)
        context.exit(1)
    done = resets.reset(root, keep_plan=keep_plan, now=clock.now())
    backup = done.backup.relative_to(root).as_posix() if done.backup else None
    if as_json:
        print_json({"moved": list(done.moved), "backup": backup})
    elif backup:
        click.echo(f"{len(done.moved)} moved to {backup}: " + ", ".join(Path(each).name for each in done.moved))
    else:
        click.echo("There is nothing to reset.")


def _agreed(wanted: tuple[Path, ...]) -> bool:
    from ralph.errors import UsageError

    click.echo("To be moved away: " + ", ".join(path.as_posix() for path in wanted), err=True)
    try:
        return click.confirm("Start this project over?", err=True)
    except click.Abort:
        if sys.stdin.isatty():
            raise  # Ctrl-C
        click.echo(err=True)
        raise UsageError("Nobody answered, and nothing was reset; `--yes` resets without asking.") from None
