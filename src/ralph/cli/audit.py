"""`ralph audit`: the evidence of earlier verdicts (design section 7)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json

if TYPE_CHECKING:
    from ralph.audit.check import Checked
    from ralph.audit.store import AuditStore
    from ralph.system.git import Repository

run_argument = click.argument("run_id", metavar="ID")


@click.group()
def audit() -> None:
    """List, show, check and re-judge recorded evidence. ID may be `last`."""


@audit.command("list")
@directory_option
@json_option
def list_runs(directory: Path, as_json: bool) -> None:
    """List the finished runs, newest last."""
    from ralph.errors import StorageError
    from ralph.system import files

    _, store = _open(directory)
    rows = []
    for run_id in store.runs():
        try:
            verdict = files.parse_json(files.read_bytes(store.path(run_id) / "verdict.json"))
            rows.append({key: verdict[key] for key in ("run_id", "type", "failed_step", "completed_at", "tree_hash")})
        except (OSError, StorageError, ValueError, KeyError, TypeError):
            rows.append(
                {"run_id": run_id, "type": "UNREADABLE", "failed_step": None, "completed_at": "", "tree_hash": ""}
            )
    if as_json:
        print_json({"runs": rows})
        return
    for row in rows:
        click.echo(f"{row['run_id']}  {row['type']:<10}  {row['failed_step'] or ''}")
    if not rows:
        click.echo("No run is recorded here yet; `ralph verify` makes one.")


@audit.command()
@run_argument
@directory_option
@json_option
def show(run_id: str, directory: Path, as_json: bool) -> None:
    """Show one run: its verdict and where its evidence lies."""
    from ralph.audit.check import check
    from ralph.audit.keys import trusted_keys
    from ralph.cli.render import render_verdict
    from ralph.errors import EvidenceError

    repo, store = _open(directory)
    checked = check(store, resolve(store, run_id), trusted_keys(), repo)
    if checked.verdict is None:
        raise EvidenceError(f"The verdict of {checked.run_id} cannot be trusted: {checked.problems[0]}.")
    if as_json:
        files = sorted(path.name for path in store.path(checked.run_id).iterdir())
        print_json({"verdict": checked.verdict.to_dict(), "files": files, "problems": list(checked.problems)})
        return
    render_verdict(checked.verdict, repo.root)
    _print_check(checked)


@audit.command(short_help="Check every byte of a run, its signatures and the ledger.")
@run_argument
@directory_option
@json_option
def verify(run_id: str, directory: Path, as_json: bool) -> int:
    """Check every byte of a run, its signatures and the ledger it stands in. Exit 0 if all holds, else 1."""
    from ralph.audit.check import check
    from ralph.audit.keys import trusted_keys

    repo, store = _open(directory)
    checked = check(store, resolve(store, run_id), trusted_keys(), repo)
    if as_json:
        print_json({"run_id": checked.run_id, "holds": checked.holds, "problems": list(checked.problems)})
    else:
        _print_check(checked)
    return 0 if checked.holds else 1


@audit.command(short_help="Re-judge a recorded tree with its recorded policy set.")
@run_argument
@click.option("--rerun", is_flag=True, help="Run the tools again, on the recorded tree.")
@directory_option
@json_option
def replay(run_id: str, rerun: bool, directory: Path, as_json: bool) -> int:
    """Re-judge a recorded tree with its recorded policy set: same (exit 0), different (1), not replayable (3)."""
    from ralph.audit.check import check
    from ralph.audit.keys import trusted_keys
    from ralph.audit.replay import replay as judge_again
    from ralph.cli.progress import Progress
    from ralph.engine.rerun import rerun as run_again

    repo, store = _open(directory)
    keys = trusted_keys()
    checked = check(store, resolve(store, run_id), keys, repo)
    result = judge_again(store, checked, keys, repo)
    if rerun and result.outcome == "same":
        with Progress(quiet=as_json) as progress:
            result = run_again(store, checked, keys, repo, progress)
    if as_json:
        recorded = result.recorded.type.value if result.recorded else None
        print_json({"outcome": result.outcome, "recorded": recorded, "details": list(result.details)})
    else:
        click.echo(f"{result.outcome}: {checked.run_id}")
        for detail in result.details:
            click.echo(f"  {detail}")
    return {"same": 0, "different": 1, "not replayable": 3}[result.outcome]


def _open(directory: Path) -> tuple[Repository, AuditStore]:
    from ralph.audit.store import AuditStore
    from ralph.system.git import open_repository
    from ralph.system.places import audit_dir

    repo = open_repository(directory)
    return repo, AuditStore(audit_dir(repo.root))


def resolve(store: AuditStore, run_id: str) -> str:
    """`last` is the newest run; a unique prefix is enough."""
    from ralph.errors import EvidenceError

    runs = store.runs()
    if not runs:
        raise EvidenceError("No run is recorded here yet; `ralph verify` makes one.")
    if run_id == "last":
        return runs[-1]
    matching = [run for run in runs if run == run_id] or [run for run in runs if run_id and run.startswith(run_id)]
    if len(matching) == 1:
        return matching[0]
    what = f"{len(matching)} runs begin with" if matching else "No run is called"
    raise EvidenceError(f"{what} {run_id!r}; `ralph audit list` shows those there are.")


def _print_check(checked: Checked) -> None:
    if checked.holds:
        click.echo(f"{checked.run_id}: every file, signature and ledger entry holds.")
    for problem in checked.problems:
        click.echo(f"{checked.run_id}: {problem}")
