"""`ralph plan`: a person sees the plan, adds to it, has it criticised, and decides about tasks that are stuck."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ralph.cli.options import directory_option, json_option, working_copy
from ralph.cli.output import print_json
from ralph.cli.task_view import counts, print_task, print_tasks, row
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.loop.plan.critique import Remark
    from ralph.loop.plan.files import PlanStore
    from ralph.loop.plan.model import ImplementationPlan, Task

id_argument = click.argument("task_id", metavar="ID")
reason_option = click.option("--reason", metavar="R", required=True, help="Why; it is recorded.")


@click.group()
def plan() -> None:
    """See the tasks of the plan, add to them, and decide about those that are stuck."""


@plan.command()
@click.argument("description")
@click.option("--id", "task_id", metavar="ID", help="What to call it; task-1, task-2, ... by default.")
@click.option("--priority", type=int, default=1, show_default=True, help="1 is the highest.")
@click.option("--after", "dependencies", metavar="ID", multiple=True, help="A task that must be complete before.")
@click.option("--criterion", "criteria", metavar="TEXT", multiple=True, help='How to see that it is done: verify:"…".')
@click.option("--tokens", type=int, default=30_000, show_default=True, help="How large it is, in tokens.")
@directory_option
@json_option
def add(
    description: str,
    task_id: str | None,
    priority: int,
    dependencies: tuple[str, ...],
    criteria: tuple[str, ...],
    tokens: int,
    directory: Path,
    as_json: bool,
) -> None:
    """Add a task at the end of the plan; a plan is made if there is none."""
    from ralph.loop.plan import transitions
    from ralph.loop.plan.model import Task

    added: list[Task] = []

    def changed(before: ImplementationPlan) -> ImplementationPlan:
        task = Task(
            id=task_id or _free_id(before),
            description=description.strip(),
            priority=priority,
            dependencies=dependencies,
            verification_criteria=criteria,
            estimated_tokens=tokens,
        )
        added[:] = [task]
        return transitions.add(before, task)

    _by_a_person(directory).change(changed)
    print_task(added[0], as_json)


@plan.command("list")
@directory_option
@json_option
def list_tasks(directory: Path, as_json: bool) -> None:
    """List every task in the order of the file, and how far the plan is."""
    from ralph.loop.plan.selection import standing

    found = store(directory).load()
    print_tasks(found.tasks, standing(found), as_json)


@plan.command("next")
@directory_option
@json_option
def next_task(directory: Path, as_json: bool) -> int:
    """Show the task that is next. Exit code 1 if there is none, with the reason."""
    from ralph.loop.plan.selection import check, standing

    found = store(directory).load()
    stands = standing(found)
    if as_json:
        print_json({"task": stands.next and row(stands.next), "waiting": stands.waiting, **counts(stands)})
    elif stands.next:
        print_task(stands.next, as_json=False)
    else:
        check(found)
        click.echo(visible(stands.waiting or ""))
    return 0 if stands.next else 1


@plan.command()
@id_argument
@directory_option
@json_option
def show(task_id: str, directory: Path, as_json: bool) -> None:
    """Show one task: what it waits for, and how each of its criteria is read."""
    from ralph.loop.plan.transitions import find

    print_task(find(store(directory).load(), task_id), as_json)


@plan.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only show what would be imported.")
@directory_option
@json_option
def import_file(file: Path, dry_run: bool, directory: Path, as_json: bool) -> None:
    """Add the tasks of spec-kit's tasks.md or of a Markdown checklist. What the plan has already stays as it is."""
    from ralph.errors import UsageError
    from ralph.loop.plan.importing import merged
    from ralph.loop.plan.model import ImplementationPlan

    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not UTF-8: save it so, and import it again.") from None
    shelf = _by_a_person(directory)
    outcome: list[Any] = []

    def changed(before: ImplementationPlan) -> ImplementationPlan:
        after, *rest = merged(before, text, file.name)
        outcome[:] = rest
        return after

    if dry_run:
        changed(shelf.load_or_none() or ImplementationPlan())
    else:
        shelf.change(changed)
    imported, kept = outcome
    new = [task for task in imported.tasks if task.id not in kept]
    if as_json:
        notes = [{"line": line, "text": told} for line, told in imported.notes]
        print_json({"kind": imported.kind, "added": [row(each) for each in new], "kept": list(kept), "notes": notes})
        return
    for line, told in imported.notes:
        click.echo(visible(f"{file.name}:{line}: {told}"), err=True)
    verb = "would be added" if dry_run else "added"
    click.echo(f"{len(new)} tasks {verb} ({imported.kind}), {len(kept)} were there already.")


@plan.command()
@click.option("--run", "run_them", is_flag=True, help="Also run the criteria, to see which hold before the work.")
@directory_option
@json_option
def check(run_them: bool, directory: Path, as_json: bool) -> int:
    """Criticise the plan, without a model. Exit code 1 if it has errors."""
    remarks = _remarks(directory, run_them=run_them)
    errors = sum(each.severity == "error" for each in remarks)
    if as_json:
        print_json({"errors": errors, "remarks": [asdict(each) for each in remarks]})
        return 1 if errors else 0
    for each in remarks:
        where = f"{each.task}: " if each.task else ""
        advice = f"{each.advice[:1].upper()}{each.advice[1:]}".rstrip(".")
        click.echo(visible(f"{each.severity:<5} {where}{each.message} {advice}."))
    click.echo("Nothing to remark." if not remarks else f"{len(remarks)} remarks, {errors} of them errors.")
    return 1 if errors else 0


@plan.command()
@id_argument
@reason_option
@directory_option
@json_option
def retry(task_id: str, reason: str, directory: Path, as_json: bool) -> None:
    """Give a blocked task all its attempts again."""
    from ralph.loop.plan.transitions import unblock

    _decide(directory, "task_retry", task_id, reason, as_json, lambda before: unblock(before, task_id))


@plan.command()
@id_argument
@reason_option
@directory_option
@json_option
def skip(task_id: str, reason: str, directory: Path, as_json: bool) -> None:
    """Leave a task out: it is blocked, others go on, and the run does not pass."""
    from ralph.loop.plan.transitions import skip as skipped

    _decide(directory, "task_skip", task_id, reason, as_json, lambda before: skipped(before, task_id, reason))


def store(directory: Path) -> PlanStore:
    """The plan of the project that `directory` lies in."""
    from ralph.loop.plan.files import PlanStore

    return PlanStore(working_copy(directory))


def _free_id(before: ImplementationPlan) -> str:
    taken = {task.id for task in before.tasks}
    number = len(taken) + 1
    while f"task-{number}" in taken:
        number += 1
    return f"task-{number}"


def _by_a_person(directory: Path) -> PlanStore:
    from ralph.approvals.person import refuse_agents

    refuse_agents(os.environ)
    return store(directory)


def _decide(
    directory: Path,
    kind: str,
    task_id: str,
    reason: str,
    as_json: bool,
    by: Callable[[ImplementationPlan], ImplementationPlan],
) -> None:
    from ralph.exceptions.book import record_decision
    from ralph.loop.plan.transitions import find

    shelf = _by_a_person(directory)
    by(shelf.load())  # what is refused is no decision
    record_decision(working_copy(directory), os.environ, kind, {"task": task_id}, reason)
    print_task(find(shelf.change(by), task_id), as_json)


def _remarks(directory: Path, *, run_them: bool) -> tuple[Remark, ...]:
    from ralph.cli.prompt_run import permissions_of
    from ralph.loop.bench import bench
    from ralph.loop.plan.criteria import measured
    from ralph.loop.plan.critique import Around, critique
    from ralph.loop.plan.green import finder, green_before
    from ralph.system.git import open_repository
    from ralph.system.scratch import scratch

    found = store(directory).load()
    repo = open_repository(directory)
    texts = [text for task in found.tasks for text in task.verification_criteria]
    commands = [command for text in texts if (command := measured(text))]
    with bench(repo, commands, os.environ, permissions_of(repo)) as place, scratch("plan") as logs:
        remarks = critique(found, Around(finds=finder(place.root, place.env), law=place.law))
        return (*remarks, *green_before(found.tasks, place, logs=logs)) if run_them else remarks
