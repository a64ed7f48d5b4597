"""`ralph exceptions`: what a person takes upon themselves for a time, signed (design decision 27)."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.exceptions.book import Book
    from ralph.exceptions.model import Entry

reason_option = click.option("--reason", metavar="R", required=True, help="Why; it is signed with the exception.")


@click.group()
def exceptions() -> None:
    """See, grant and revoke exceptions. An exception is shown with what it covers, and turns nothing into a PASS."""


@exceptions.command()
@click.argument("covers", metavar="COVERS")
@reason_option
@click.option("--until", "ends", metavar="T", required=True, help="Its end: 8h, 3d, or a date; at most 90 days.")
@directory_option
@json_option
def add(covers: str, reason: str, ends: str, directory: Path, as_json: bool) -> None:
    """Grant an exception. COVERS is gate:ID, finding:NAME or limit:NAME."""
    _print(_book(directory).grant(covers, reason=reason, ends=ends), as_json)


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
