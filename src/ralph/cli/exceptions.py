"""`ralph exceptions`: what a person takes upon themselves for a time, signed (design decision 27)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ralph.cli.options import base_option, directory_option, json_option, policy_option
from ralph.cli.output import print_json
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.exceptions.book import Book
    from ralph.exceptions.model import Entry
    from ralph.verdict import Finding

reason_option = click.option("--reason", metavar="R", required=True, help="Why; it is signed with the exception.")


@click.group()
def exceptions() -> None:
    """See, grant and revoke exceptions. An exception is shown with whatever it covers."""


@exceptions.command()
@click.argument("what", metavar="RULE|COVERS")
@click.argument("path", required=False)
@reason_option
@click.option("--until", "ends", metavar="T", required=True, help="Its end: 8h, 3d, or a date; at most 90 days.")
@base_option
@policy_option
@directory_option
@json_option
def add(
    what: str,
    path: str | None,
    reason: str,
    ends: str,
    base: str | None,
    policy: str | None,
    directory: Path,
    as_json: bool,
) -> None:
    """Grant an exception: for the findings of RULE in the file PATH as they stand now, or for gate:ID.

    PATH is seen from the repository's root, as `ralph scan` shows it. Any edit of that file needs a new exception.
    """
    from ralph.errors import UsageError

    if path is None:
        if base is not None or policy is not None:
            raise UsageError("--base and --policy go with RULE and PATH")
        _print(_book(directory).grant(what, reason=reason, ends=ends), as_json)
        return
    book = _book(directory)
    name, found, findings = _found(what, path, directory, base, policy)
    entry = book.grant(name, reason=reason, ends=ends, subject=found)
    _print(entry, as_json)
    for finding in [] if as_json else findings:
        click.echo(visible(f"  excuses {finding.describe()}"))


@exceptions.command("list")
@click.option("--all", "everything", is_flag=True, help="Also those that are over or revoked.")
@directory_option
@json_option
def list_exceptions(everything: bool, directory: Path, as_json: bool) -> None:
    """List the exceptions that count, oldest first, and those whose signature does not hold."""
    from ralph.exceptions.model import Status

    shown = (Status.VALID, Status.UNTRUSTED)
    rows = [each for each in _book(directory).entries() if everything or each.status in shown]
    if as_json:
        print_json({"exceptions": [_row(each) for each in rows]})
        return
    for each in rows:
        click.echo(_line(each))
    if not rows:
        click.echo("No exception counts.")


@exceptions.command()
@click.argument("exception_id", metavar="ID")
@reason_option
@directory_option
@json_option
def revoke(exception_id: str, reason: str, directory: Path, as_json: bool) -> None:
    """Take an exception back before its end. ID may be shortened while it is unique."""
    _print(_book(directory).revoke(exception_id, reason=reason), as_json)


def _found(
    rule: str, path: str, directory: Path, base: str | None, policy: str | None
) -> tuple[str, str, Sequence[Finding]]:
    """The findings of a rule in a file, with their name and digest. Raises UsageError if there is none."""
    from ralph.cli.policy import chosen_policy, rule_of
    from ralph.cli.scan import working_tree
    from ralph.errors import UsageError
    from ralph.guardrails import excuses
    from ralph.guardrails.scan import scan

    chosen = chosen_policy(policy)
    if not rule_of(rule, chosen).excusable:
        raise UsageError(
            f"Nobody can excuse {rule}: `ralph policy explain {rule}` says why. A person who wants it so commits it; "
            "what the base holds is no finding."
        )
    subject = working_tree(directory, base)
    all_found = scan(subject.change, chosen, subject.accepted)
    findings = [each for each in all_found if (each.rule, each.path) == (rule, path)]
    if not findings:
        raise UsageError(f"{rule} finds nothing in {path} now; `ralph scan` shows what is found, and where.")
    return excuses.covers(rule, path), excuses.subject(findings, subject.change), findings


def _book(directory: Path) -> Book:
    from ralph.exceptions.book import Book
    from ralph.system.git import open_repository

    return Book(open_repository(directory).root, os.environ)


def _print(entry: Entry, as_json: bool) -> None:
    if as_json:
        print_json(_row(entry))
    else:
        click.echo(_line(entry))


def _row(entry: Entry) -> dict[str, Any]:
    return {**asdict(entry.grant), "status": entry.status, "keyid": entry.keyid, "problem": entry.problem}


def _line(entry: Entry) -> str:
    grant = entry.grant
    text = f"{grant.id}  {entry.status:<9}  {grant.covers}  until {grant.until}  {grant.who}: {grant.reason}"
    return visible(f"{text}  ({entry.problem})" if entry.problem else text)
