"""How tasks are shown, as lines and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ralph.cli.output import print_json
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.loop.plan.model import Task
    from ralph.loop.plan.selection import Standing

_CUT = 100


def row(task: Task) -> dict[str, Any]:
    """A task as in its file."""
    fields = asdict(task)
    extra: dict[str, Any] = fields.pop("extra")
    return extra | fields


def counts(stands: Standing) -> dict[str, Any]:
    """How far a plan is, as JSON."""
    names = ("total", "complete", "pending", "in_progress", "blocked")
    return {name: getattr(stands, name) for name in names} | {"completion_percentage": stands.completion}


def print_tasks(tasks: Iterable[Task], stands: Standing, as_json: bool) -> None:
    """Tasks one to a line, and how far the plan is."""
    if as_json:
        following = stands.next.id if stands.next else None
        tail = {"next": following, "waiting": stands.waiting, **counts(stands)}
        print_json({"tasks": [row(each) for each in tasks], **tail})
        return
    lines = [_line(each) for each in tasks]
    percent = int(100 * stands.completion)
    lines.append(f"{stands.complete} of {stands.total} complete ({percent} %), {stands.blocked} blocked.")
    lines.append(f"Next: {stands.next.id}" if stands.next else visible(stands.waiting or ""))
    click.echo("\n".join(lines))


def _line(task: Task) -> str:
    words = visible(" ".join(task.description.split()))
    why = f"  ({visible(task.blockers[-1])})" if task.blockers else ""
    cut = words if len(words) <= _CUT else words[: _CUT - 1] + "…"
    return f"{task.id:<12} {task.status:<11} {task.priority:>4}  {cut}{why}"


def print_task(task: Task, as_json: bool) -> None:
    """One task, with how each of its criteria is read."""
    from ralph.loop.plan.criteria import read

    read_so = [read(text) for text in task.verification_criteria]
    if as_json:
        commands = [each.gate.command if each.gate else None for each in read_so]
        print_json(row(task) | {"commands": commands})
        return
    click.echo(f"{task.id}  {task.status}  priority {task.priority}\n{visible(task.description, keep=chr(10))}")
    for name, values in (("after", task.dependencies), ("blocked", task.blockers), ("specs", task.spec_files)):
        if values:
            click.echo(f"  {name}: {visible(', '.join(values))}")
    for each in read_so:
        click.echo(f"  {'measured' if each.gate else 'unclear' if each.problem else 'claimed'}: {visible(each.text)}")
    if task.completion_notes:
        click.echo(f"  notes: {visible(task.completion_notes)}")
