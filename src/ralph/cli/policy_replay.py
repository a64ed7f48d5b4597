"""`ralph policy replay`: what a policy set would have said to the last merged changes, before one adopts it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ralph.cli.options import directory_option, json_option, policy_option
from ralph.cli.output import print_json
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.guardrails.history import Judged

OUTCOMES = ("blocked", "review", "unjudged", "clean")


@click.command("replay", short_help="Judge the last merged changes with a policy set.")
@click.option("--last", type=click.IntRange(1), default=100, show_default=True, metavar="N", help="So many commits.")
@click.option("--rev", default="HEAD", metavar="REV", help="Begin at this commit instead of HEAD.")
@click.option("--html", "page", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write a page.")
@click.option("--jobs", type=click.IntRange(1, 64), metavar="N", help="Judge so many at once.")
@policy_option
@directory_option
@json_option
def replay(
    last: int, rev: str, page: Path | None, jobs: int | None, policy: str | None, directory: Path, as_json: bool
) -> None:
    """Judge the last N merged changes, each against its first parent, with the static rules of a policy set.

    What is blocked here would have been sent back then: read those, and see whether you agree.
    """
    from ralph.guardrails import history
    from ralph.policy import registry
    from ralph.system.git import open_repository

    repo = open_repository(directory)
    chosen = registry.load(policy) if policy else registry.default()
    commits = history.commits(repo, last, rev)
    rows: list[Judged] = []
    with click.progressbar(length=len(commits), label="judging", file=_stderr(), hidden=as_json) as bar:
        for row in history.replay(repo, chosen, commits, jobs=jobs or min(4, os.cpu_count() or 1)):
            rows.append(row)
            bar.update(1)
    if page:
        from ralph.cli.replay_page import html

        page.write_text(html(rows, chosen.version, repo.root.name), "utf-8", "backslashreplace")
    if as_json:
        print_json({"policy_version": chosen.version, "summary": summary(rows), "commits": [_row(row) for row in rows]})
        return
    _table(rows)
    told = ", ".join(f"{count} {outcome}" for outcome, count in summary(rows)["outcomes"].items())
    click.echo(f"{len(rows)} commits under policy {chosen.version}: {told}.")
    if page:
        click.echo(f"The page is {page}.")


def summary(rows: Sequence[Judged]) -> dict[str, Any]:
    """How many ended how, and how many commits each rule spoke about."""
    outcomes = Counter(row.outcome for row in rows)
    rules = Counter(rule for row in rows for rule in {each.rule for each in row.findings})
    return {
        "commits": len(rows),
        "outcomes": {outcome: outcomes[outcome] for outcome in OUTCOMES},
        "rules": dict(rules.most_common()),
    }


def _table(rows: Sequence[Judged]) -> None:
    for row in rows:
        if row.outcome == "clean":
            continue
        click.echo(f"{row.commit.id[:12]}  {row.commit.date}  {row.outcome:<8}  {visible(row.commit.subject)[:70]}")
        if row.problem:
            click.echo(f"    {visible(row.problem)}")
        for finding in row.findings:
            where = f"{finding.path}:{finding.line}" if finding.line else finding.path
            click.echo(f"    {finding.severity:<6} {finding.rule}  {visible(where)}")


def _row(row: Judged) -> dict[str, Any]:
    return {
        "commit": row.commit.id,
        "parent": row.commit.parent,
        "date": row.commit.date,
        "subject": row.commit.subject,
        "outcome": row.outcome,
        "lines_added": row.lines_added,
        "files_changed": row.files_changed,
        "problem": row.problem or None,
        "findings": [
            {"rule": each.rule, "severity": each.severity, "path": each.path, "line": each.line, "reason": each.reason}
            for each in row.findings
        ],
    }


def _stderr() -> Any:
    import sys

    return sys.stderr
