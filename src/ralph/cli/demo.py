"""`ralph demo`: a whole governed run on a bundled project, without key or network (design section 7)."""

from __future__ import annotations

from pathlib import Path

import click

from ralph.cli.options import json_option
from ralph.cli.output import print_json
from ralph.system.text import visible


@click.command()
@click.argument("directory", required=False, type=click.Path(path_type=Path))
@json_option
def demo(directory: Path | None, as_json: bool) -> int:
    """Watch a whole run: an agent finds out, plans, lies, cheats, is denied, asks, works, and is proven right.

    Ralph refuses a claim, blocks a cheat, denies a command, has an approval given, hands off a full context, is killed
    with SIGKILL and goes on. The project is copied to DIRECTORY (default: a new temporary folder) and left there.
    """
    from ralph.audit.check import check
    from ralph.audit.keys import trusted_keys
    from ralph.audit.store import AuditStore
    from ralph.demo.director import Director
    from ralph.demo.stage import environment, prepare
    from ralph.loop import journal
    from ralph.system.git import open_repository
    from ralph.system.places import audit_dir

    environ = environment()
    root = prepare(directory)
    click.echo(f"A small project with a bug was copied to {root}. A scripted agent is asked to mend it.\n", err=as_json)
    director = Director(
        root=root,
        environ=environ,
        say=lambda line: click.echo(visible(line), err=as_json),
        announce=lambda line: click.secho(line, bold=True, err=as_json),
    )
    code = director.play()
    found, repo = journal.latest(root), open_repository(root)
    store = AuditStore(audit_dir(repo.root))
    run_id = found.state.verdict_run if found else None
    checked = check(store, run_id, trusted_keys(), repo) if run_id else None
    holds = checked is not None and checked.holds
    ended = found.state.end if found else None
    if as_json:
        print_json({"directory": str(root), "outcome": ended, "verdicts": store.runs(), "evidence_holds": holds})
    else:
        click.secho(f"\n$ ralph audit verify {run_id}", bold=True)
        click.echo("every file, signature and ledger entry holds." if holds else "it does not hold.")
        click.echo(f"\nThe run ended: {ended}. Look around: cd {root} && ralph status && ralph audit list")
    return 0 if code == 0 and holds else 1
