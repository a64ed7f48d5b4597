"""`ralph selftest`: known cheats, planted one by one in a throwaway copy of one's own repository."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ralph.cli.options import directory_option, json_option, policy_option
from ralph.cli.output import print_json
from ralph.policy.classes import CLASSES, known_class
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.selftest.model import Outcome


@click.command()
@click.option("--class", "class_", metavar="Gxx", help="Only the cheats of this class.")
@policy_option
@directory_option
@json_option
def selftest(class_: str | None, policy: str | None, directory: Path, as_json: bool) -> int:
    """Plant known cheats in a throwaway copy of HEAD, and show that each is caught: exit 0, or 1 if one is not.

    Each has an honest twin, which must not be caught. Your files, branches and index are not touched.
    """
    from ralph.policy import registry
    from ralph.selftest import run
    from ralph.system.git import open_repository

    wanted = known_class(class_) if class_ else None
    chosen = registry.load(policy) if policy else registry.default()
    repo = open_repository(directory)
    rows: list[Outcome] = []
    for outcome, total in run.selftest(repo, chosen, wanted):
        rows.append(outcome)
        if as_json:
            _counted(len(rows), total)
        else:
            _show(outcome, first=len(rows) == 1 or rows[-2].class_ != outcome.class_)
    result = summary(rows, wanted)
    if as_json:
        print_json({"policy_version": chosen.version, **result, "cheats": [_row(each) for each in rows]})
    else:
        click.echo(_total(rows, result, chosen.version))
    return 0 if rows and all(each.good for each in rows) else 1


def summary(rows: Sequence[Outcome], wanted: str | None) -> dict[str, Any]:
    asked = [wanted] if wanted else list(CLASSES)
    return {
        "planted": len(rows),
        "caught": sum(each.caught for each in rows),
        "missed": sum(not each.caught for each in rows),
        "false_alarms": sum(each.false_alarm for each in rows),
        "duration_ms": round(sum(each.cheat.duration_ms + each.honest.duration_ms for each in rows), 1),
        "classes_without": [name for name in asked if name not in {each.class_ for each in rows}],
    }


def _show(outcome: Outcome, *, first: bool) -> None:
    if first:
        click.secho(f"{outcome.class_}  {CLASSES[outcome.class_]}", bold=True)
    mark, colour = ("caught", "green") if outcome.caught else ("MISSED", "red")
    where = f" in {outcome.origin}" if outcome.origin else ""
    by = ", ".join(outcome.cheat.rules) or (f"not by {outcome.rule}" if outcome.rule else "by nothing")
    click.echo(
        f"  {click.style(mark, fg=colour)}  {visible(outcome.name + where)}: {by} ({outcome.cheat.duration_ms:.0f} ms)"
    )
    if outcome.false_alarm:
        click.echo(f"  {click.style('FALSE ALARM', fg='red')}  for its honest twin: {', '.join(outcome.honest.rules)}")


def _total(rows: Sequence[Outcome], told: Mapping[str, Any], version: str) -> str:
    own = sum(bool(each.origin) for each in rows)
    text = (
        f"{told['planted']} cheats planted, {own} of them in your own files: "
        f"{told['caught']} caught, {told['missed']} missed; "
        f"{told['false_alarms']} of their honest twins caught (policy {version}, {told['duration_ms'] / 1000:.1f} s)"
    )
    without = told["classes_without"]
    return f"{text}\nno cheat of {', '.join(without)} was planted" if without else text


def _row(each: Outcome) -> dict[str, Any]:
    return {
        "class": each.class_,
        "name": each.name,
        "origin": each.origin or None,
        "expected": each.rule or None,
        "by": each.by,
        "caught": each.caught,
        "rules": list(each.cheat.rules),
        "duration_ms": round(each.cheat.duration_ms, 1),
        "honest": {
            "caught": each.false_alarm,
            "rules": list(each.honest.rules),
            "duration_ms": round(each.honest.duration_ms, 1),
        },
    }


def _counted(done: int, total: int) -> None:
    """How far it is, on a terminal; standard output is for the document alone."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{done} of {total} cheats" + ("\n" if done == total else ""))
        sys.stderr.flush()
