"""`ralph ci`: the verdict in pull requests and merge requests, from the jobs of GitHub Actions and GitLab CI."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from ralph.ci.job import Job
    from ralph.ci.publish import Page

JUDGED = (0, 1, 2)
"""The exit codes of `ralph verify` with which there is a verdict."""


@click.group()
def ci() -> None:
    """Judge a change in a pipeline, and give the verdict back to the code host."""


@ci.command(short_help="Print the commit that this pipeline's change is judged against.")
@directory_option
@json_option
def base(directory: Path, as_json: bool) -> None:
    """Print the commit that this pipeline's change is judged against, for `ralph verify --base`.

    It is the target's commit if the checkout contains it (hosts check out the merge of both), else where the change
    left it. For a new branch nothing is printed.
    """
    from ralph.ci import job
    from ralph.errors import RepositoryError
    from ralph.system.git import open_repository

    named, common = job.read(os.environ).base, None
    if named is not None:
        repo = open_repository(directory)
        head = repo.head()
        common = repo.merge_base(repo.resolve(named), head) if head else None
        if common is None:
            raise RepositoryError(
                f"HEAD and {named[:12]}, the base of this change, have no commit in common: check out the whole "
                "history (fetch-depth: 0, or GIT_DEPTH: 0)."
            )
    if as_json:
        print_json({"base": common})
    elif common:
        click.echo(common)


@ci.command(short_help="Publish the last verdict: summary, SARIF, comment, status.")
@click.option(
    "--verified",
    type=int,
    required=True,
    metavar="CODE",
    help="With which exit code `ralph verify` ended; from 3 on there is no verdict to publish.",
)
@click.option("--out", "folder", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Files go to DIR.")
@click.option("--comment/--no-comment", default=True, show_default=True, help="Comment the pull request.")
@click.option("--status/--no-status", default=True, show_default=True, help="Set the status of the commit.")
@directory_option
@json_option
def publish(verified: int, folder: Path, comment: bool, status: bool, directory: Path, as_json: bool) -> int:
    """Publish the last verdict: its evidence, SARIF and code quality in DIR, the job's summary and outputs, one comment
    and the commit's status. Exits with the code that it was given, so that the job ends as the verdict says.

    The comment and the status are for GitHub, and need GITHUB_TOKEN. Give it to this step alone, never to the
    step with `ralph verify`, where the change's own code runs.
    """
    from ralph.audit.check import check
    from ralph.audit.keys import trusted_keys
    from ralph.audit.store import AuditStore
    from ralph.ci import job as jobs
    from ralph.ci import publish as publishing
    from ralph.errors import EvidenceError
    from ralph.system.git import open_repository
    from ralph.system.places import audit_dir

    job = jobs.read(os.environ)
    if verified in JUDGED:
        repo = open_repository(directory)
        store = AuditStore(audit_dir(repo.root))
        runs = store.runs()
        if not runs:
            raise EvidenceError("No run is recorded here, so there is nothing to publish: `ralph verify` makes one.")
        page = publishing.judged(job, store, check(store, runs[-1], trusted_keys(), repo), folder)
        _agree(page, verified)
    else:
        page = publishing.unjudged(job, folder)
    if not as_json:
        click.echo(f"{page.line}\n{folder}")
    told = _tell(job, page, comment=comment, status=status)
    if as_json:
        judged = page.verdict
        print_json(
            {
                "verdict": judged.type.value if judged else None,
                "run_id": judged.run_id if judged else None,
                "state": page.state,
                "line": page.line,
                "folder": str(folder),
                "told": told,
            }
        )
    return verified


def _agree(page: Page, verified: int) -> None:
    """The last run must be the one that ended with that code."""
    from ralph.errors import EvidenceError

    if (page.state == "success") != (verified == 0):
        raise EvidenceError(f"`ralph verify` ended with {verified}, but the last recorded verdict says: {page.line}.")


def _tell(job: Job, page: Page, *, comment: bool, status: bool) -> list[str]:
    """Tell the host what it is to be told, and say what it took. What it does not take changes no verdict."""
    from ralph.ci.github import GitHub
    from ralph.ci.rest import HostError

    if job.host != "github" or not (comment or status):
        return []
    if not job.token:
        click.echo("No token is set, so no comment and no status are written.", err=True)
        return []
    host = GitHub(job)
    orders: dict[str, Callable[[], None]] = {}
    if comment and job.number is not None:
        orders["comment"] = lambda: host.comment(page.comment)
    if status:
        orders["status"] = lambda: host.status(page.state, page.line)
    told = []
    for name, tell in orders.items():
        try:
            tell()
            told.append(name)
        except HostError as error:
            click.echo(f"warning: {error}", err=True)
    return told
