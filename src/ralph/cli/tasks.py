"""`ralph tasks`: what is to be done, in the order in which it will be."""

from __future__ import annotations

from pathlib import Path

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.plan import store
from ralph.cli.task_view import print_tasks


@click.command()
@click.option("--pending", is_flag=True, help="Only tasks that nobody has begun.")
@click.option("--all", "everything", is_flag=True, help="Also those that are complete.")
@directory_option
@json_option
def tasks(pending: bool, everything: bool, directory: Path, as_json: bool) -> None:
    """List the tasks that are not complete, the highest priority first, and which one is next."""
    from ralph.errors import UsageError
    from ralph.loop.plan.model import TaskStatus
    from ralph.loop.plan.selection import standing

    if pending and everything:
        raise UsageError("--pending and --all contradict each other: give one of them.")
    hidden = set(TaskStatus) - {TaskStatus.PENDING} if pending else set() if everything else {TaskStatus.COMPLETE}
    found = store(directory).load()
    chosen = [task for task in found.tasks if task.status not in hidden]
    print_tasks(sorted(chosen, key=lambda task: task.priority), standing(found), as_json)
