"""`ralph demo`: a whole governed loop on a bundled project, without key or network (design section 7)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ralph.cli.options import json_option
from ralph.cli.output import print_json

if TYPE_CHECKING:
    from ralph.agents.base import Record
    from ralph.loop.runner import Step


@click.command()
@click.argument("directory", required=False, type=click.Path(path_type=Path))
@json_option
def demo(directory: Path | None, as_json: bool) -> int:
    """Watch an agent lie, cheat and work, and Ralph answer FAIL, BLOCKED and PASS.

    The project is copied to DIRECTORY (default: a new temporary folder) and left there to look at.
    """
    from ralph.audit.check import check
    from ralph.audit.keys import trusted_keys
    from ralph.audit.store import AuditStore
    from ralph.cli.progress import Progress
    from ralph.demo.stage import prepare, stage
    from ralph.loop.runner import outcome
    from ralph.system.git import open_repository
    from ralph.system.places import audit_dir

    root = prepare(directory)
    click.echo(f"A small project with a bug was copied to {root}. A scripted agent is asked to mend it.\n", err=as_json)
    with Progress(quiet=as_json) as progress:
        loop, task = stage(root, progress, lambda record: _show(record, as_json))
        steps = []
        for step in loop.run(task):
            steps.append(step)
            _judged(step, root, as_json)
    repo = open_repository(root)
    store = AuditStore(audit_dir(repo.root))
    final = next(step.verdict for step in reversed(steps) if step.verdict)
    checked = check(store, final.run_id, trusted_keys(), repo)
    ended = outcome(steps)
    if as_json:
        verdicts = [step.verdict.to_dict() for step in steps if step.verdict]
        print_json({"directory": str(root), "outcome": ended, "verdicts": verdicts, "evidence_holds": checked.holds})
    else:
        click.echo(f"$ ralph audit verify {final.run_id}", err=as_json)
        holds = "every file, signature and ledger entry holds." if checked.holds else "; ".join(checked.problems)
        click.echo(holds, err=as_json)
        click.echo(
            f"\nThe loop ended: {ended}. Look at {root / final.artifact_path}, or: cd {root} && ralph audit list",
            err=as_json,
        )
    return 0 if ended == "passed" and checked.holds else 1


def _show(record: Record, as_json: bool) -> None:
    from ralph.agents.base import Claim, Text, ToolCall
    from ralph.system.text import visible

    if isinstance(record, Text):
        click.echo(f"agent says:   {visible(record.text)}", err=as_json)
    elif isinstance(record, ToolCall):
        click.echo(f"agent does:   {record.tool} {visible(record.target)}", err=as_json)
    elif isinstance(record, Claim):
        click.echo(f"agent claims: {visible(record.topic)}: {visible(record.payload)}", err=as_json)


def _judged(step: Step, root: Path, as_json: bool) -> None:
    from ralph.cli.render import render_verdict

    if step.verdict and not as_json:
        click.echo("\nRalph measures:")
        render_verdict(step.verdict, root)
        click.echo("")
