"""`ralph deliver`: a branch and a pull request from a signed PASS (docs/delivery.md)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.audit.store import AuditStore
    from ralph.deliver.parcel import Parcel
    from ralph.deliver.remote import Remote
    from ralph.system.git import Repository


@click.command(short_help="Make a branch and a pull request from a signed PASS.")
@click.argument("run_id", metavar="[ID]", default="last")
@click.option("--to", "url", metavar="URL", help="Where to push; remembered outside of the repository.")
@click.option("--branch", metavar="B", help="The branch to make [ralph/ID].")
@click.option("--into", metavar="B", default="main", help="The branch that the pull request asks into [main].")
@click.option("--message", metavar="M", default="", help="The commit's message [what the run was asked for].")
@click.option("--max-lines", type=click.IntRange(1), default=2000, metavar="N", help="Refuse more added lines [2000].")
@click.option("--max-files", type=click.IntRange(1), default=100, metavar="N", help="Refuse more changed files [100].")
@click.option(
    "--max-file-bytes", type=click.IntRange(1), default=5 << 20, metavar="N", help="Refuse larger files [5 MiB]."
)
@click.option("--draft", is_flag=True, help="Make the pull request a draft.")
@click.option("--no-pull-request", is_flag=True, help="Push the branch, and nothing else.")
@click.option("--project", metavar="OWNER/NAME", help="The project at the host, where the address does not say it.")
@click.option("--api", metavar="URL", help="The host's API, where the address does not say it.")
@click.option("--dry-run", is_flag=True, help="Check everything here, and send nothing.")
@directory_option
@json_option
def deliver(
    run_id: str,
    url: str | None,
    branch: str | None,
    into: str,
    message: str,
    max_lines: int,
    max_files: int,
    max_file_bytes: int,
    draft: bool,
    no_pull_request: bool,
    project: str | None,
    api: str | None,
    dry_run: bool,
    directory: Path,
    as_json: bool,
) -> int:
    """Deliver the attested tree of the verdict ID, the newest one by default, and look whether it arrived.

    Exit code 0: delivered. 1: refused, with every reason. Your branch, index and files are not touched.
    """
    from ralph.approvals.person import refuse_agents
    from ralph.audit.keys import trusted_keys
    from ralph.audit.store import AuditStore
    from ralph.cli.audit import resolve
    from ralph.deliver import pull
    from ralph.deliver.parcel import Caps, pack
    from ralph.deliver.remote import Remote, address, check_branch, remember
    from ralph.system.git import open_repository
    from ralph.system.places import audit_dir

    refuse_agents(os.environ)
    repo = open_repository(directory)
    store = AuditStore(audit_dir(repo.root))
    found = resolve(store, run_id)
    name = branch or f"ralph/{found}"
    check_branch(name, into)
    caps = Caps(lines=max_lines, files=max_files, file_bytes=max_file_bytes)
    parcel = pack(repo, store, found, trusted_keys(), caps, os.environ, message=message)
    told = _told(parcel, name)
    if not parcel.refusals:
        remote = Remote(address(repo.root, url), repo, os.environ)
        told["to"] = remote.url
        if not dry_run:
            told |= {"commit": _sent(repo, remote, parcel, name), "delivered": True}
            remember(repo.root, remote.url)
            host = None if no_pull_request else pull.host_of(remote.url, os.environ, api=api, project=project)
            if host:
                wanted = pull.Request(
                    title=parcel.subject,
                    body=_body(store, parcel),
                    branch=name,
                    into=into,
                    commit=told["commit"],
                    draft=draft,
                )
                told["pull_request"] = pull.open_request(host, wanted, repo.root, os.environ)
    _say(told, dry_run=dry_run, as_json=as_json)
    return 1 if parcel.refusals else 0


def _told(parcel: Parcel, branch: str) -> dict[str, Any]:
    """The document, before anything is sent."""
    return {
        "delivered": False,
        "verdict": parcel.verdict.run_id,
        "tree": parcel.verdict.tree_hash,
        "base": parcel.verdict.base_commit,
        "files": parcel.files,
        "lines": parcel.lines,
        "subject": parcel.subject,
        "branch": branch,
        "to": None,
        "refusals": list(parcel.refusals),
        "commit": None,
        "pull_request": None,
    }


def _sent(repo: Repository, remote: Remote, parcel: Parcel, branch: str) -> str:
    """Make the commit, push it, and check what arrived. The same verdict gives the same commit each time."""
    verdict = parcel.verdict
    commit = repo.keep(
        f"refs/ralph/delivered/{verdict.run_id}",
        verdict.tree_hash,
        parcel.message,
        [verdict.base_commit],
        verdict.completed_at,
    )
    remote.push(commit, branch)
    remote.check(commit, branch, verdict.tree_hash)
    return commit


def _body(store: AuditStore, parcel: Parcel) -> str:
    from ralph.deliver.pull import LONGEST_BODY
    from ralph.system import files

    summary = files.read_bytes(store.path(parcel.verdict.run_id) / "SUMMARY.md").decode("utf-8", "replace")
    lines = [summary[:LONGEST_BODY]]
    if parcel.verdict.needs_review:
        lines.append("Findings for review need a person before this change counts.")
    if parcel.verdict.sandbox_level == "none":
        lines.append("The verdict was reached without a sandbox.")
    return "\n\n".join(lines)


def _say(told: dict[str, Any], *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        print_json(told)
        return
    for sentence in told["refusals"]:
        click.echo(f"refused: {visible(sentence)}")
    if told["refusals"]:
        return
    click.echo(f"{visible(told['subject'])}")
    click.echo(f"  {told['files']} files, {told['lines']} lines added, the tree {told['tree']} of {told['verdict']}")
    if dry_run:
        click.echo(f"  would be pushed to {visible(told['to'])} as {told['branch']}; nothing was sent")
        return
    click.echo(f"  pushed to {visible(told['to'])} as {told['branch']}, and checked there: {told['commit']}")
    click.echo(f"  pull request: {told['pull_request'] or 'none'}")
