"""`ralph gate`: a person sees the gates of prompt runs, and decides about those that are stuck (design decision 27)."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json
from ralph.record import replace
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.exceptions.book import Book
    from ralph.gates.model import GateRun
    from ralph.gates.state import ChainRun, Shelf

id_argument = click.argument("gate_id", metavar="ID")
reason_option = click.option("--reason", metavar="R", required=True, help="Why; it is recorded.")


@click.group()
def gate() -> None:
    """See the gates of prompt runs, and decide about those that are stuck. ID may be shortened while it is unique."""


@gate.command("list")
@click.option("--all", "everything", is_flag=True, help="Also those of runs that have ended.")
@directory_option
@json_option
def list_gates(everything: bool, directory: Path, as_json: bool) -> None:
    """List the gates of runs that have not ended, with the exceptions that cover them."""
    from ralph.gates.state import ENDED

    shelf, book = _places(directory)
    pairs = [(run, each) for run in shelf.runs() if everything or run.state not in ENDED for each in run.gates]
    if as_json:
        print_json({"gates": [row(run, each, book) for run, each in pairs]})
        return
    for _, each in pairs:
        click.echo(line(each))
        if covered := _exception(each, book):
            click.echo(f"    {visible(covered)}")
    if not pairs:
        click.echo("No run is under way.")


@gate.command()
@id_argument
@directory_option
@json_option
def show(gate_id: str, directory: Path, as_json: bool) -> None:
    """Show one gate: every attempt, where its output is, and what can be done."""
    from ralph.gates.progress import end_of
    from ralph.gates.texts import escalated, warned

    shelf, book = _places(directory)
    run, found = shelf.find(gate_id)
    if as_json:
        print_json(row(run, found, book))
        return
    click.echo(line(found))
    for each in found.attempts:
        what = "before the work" if each.baseline else f"attempt {each.number}"
        click.echo(f"  {what}: {visible(end_of(each))}, tree {each.tree[:12]}  {visible(each.log)}".rstrip())
    for judged in found.judgements:
        click.echo(f"  {judged.verdict} by {visible(judged.by)}: {visible(judged.reason)}, tree {judged.tree[:12]}")
    for text in (_exception(found, book), warned(found)):
        if text:
            click.echo(f"  {visible(text)}")
    if found.state == "blocked":
        click.echo(f"\n{escalated(found)}")


@gate.command()
@id_argument
@reason_option
@directory_option
@json_option
def retry(gate_id: str, reason: str, directory: Path, as_json: bool) -> None:
    """Give a gate all its attempts again; `ralph prompt run` with the same text goes on."""
    from ralph.gates.progress import retried

    _decide(directory, gate_id, "gate_retry", reason, as_json, lambda each: retried(each, reason))


@gate.command()
@id_argument
@reason_option
@directory_option
@json_option
def abort(gate_id: str, reason: str, directory: Path, as_json: bool) -> None:
    """Stop the run of a gate for good; the same text again starts a new one."""
    from ralph.gates.progress import aborted

    _decide(directory, gate_id, "gate_abort", reason, as_json, lambda each: aborted(each, reason), ends=True)


@gate.command()
@id_argument
@reason_option
@click.option("--until", "ends", metavar="T", default="1d", show_default=True, help="How long: 8h, 3d, or a date.")
@directory_option
@json_option
def skip(gate_id: str, reason: str, ends: str, directory: Path, as_json: bool) -> None:
    """Go on without a gate, as a signed exception. It is shown, and the result is no PASS."""
    from ralph.gates.progress import skipped
    from ralph.loop.prompt_run import covers

    shelf, book = _places(directory)
    run, found = shelf.find(gate_id)
    _refuse_ended(run, found)
    name, subject = covers(found)
    granted = book.grant(name, reason=reason, ends=ends, subject=subject)
    changed = shelf.change(run.id, lambda now: now.with_gate(skipped(now.gate(found.id), granted.sentence())))
    _answer(changed, changed.gate(found.id), book, as_json)


def row(run: ChainRun, found: GateRun, book: Book) -> dict[str, Any]:
    """A gate as JSON."""
    from ralph.gates.progress import failures, limit
    from ralph.gates.texts import warned

    gate = {"command": None, "criterion": None, "name": None, "cwd": None, "timeout_s": None}
    of_kind = {
        ("criterion" if key == "text" else key): value for key, value in asdict(found.gate).items() if key != "preset"
    }
    return {
        "id": found.id,
        "run": run.id,
        "step": found.step,
        **gate,
        **of_kind,
        "state": found.state,
        "reason": found.reason,
        "failures": failures(found),
        "limit": limit(found),
        "attempts": [asdict(each) | {"passed": each.passed} for each in found.attempts],
        "judgements": [asdict(each) for each in found.judgements],
        "exception": _exception(found, book),
        "note": warned(found),
    }


def line(found: GateRun) -> str:
    """One gate on one line."""
    from ralph.gates.progress import failures, limit
    from ralph.gates.texts import named

    why = f"  {visible(found.reason)}" if found.reason else ""
    return f"{found.id}  {found.state:<8} {failures(found)}/{limit(found)}  {named(found)}{why}"


def _decide(
    directory: Path,
    gate_id: str,
    kind: str,
    reason: str,
    as_json: bool,
    by: Callable[[GateRun], GateRun],
    *,
    ends: bool = False,
) -> None:
    from ralph.exceptions.book import record_decision

    shelf, book = _places(directory)
    run, found = shelf.find(gate_id)
    _refuse_ended(run, found)
    record_decision(book.root, os.environ, kind, {"gate": found.id, "run": run.id}, reason)

    def decided(now: ChainRun) -> ChainRun:
        return replace(now.with_gate(by(now.gate(found.id))), state="aborted" if ends else now.state)

    changed = shelf.change(run.id, decided)
    _answer(changed, changed.gate(found.id), book, as_json)


def _refuse_ended(run: ChainRun, found: GateRun) -> None:
    from ralph.errors import UsageError
    from ralph.gates.state import ENDED

    if run.state in ENDED:
        raise UsageError(f"The run of the gate {found.id} has ended ({run.state}): start a new one.")


def _answer(run: ChainRun, found: GateRun, book: Book, as_json: bool) -> None:
    if as_json:
        print_json(row(run, found, book))
    else:
        click.echo(line(found))


def _exception(found: GateRun, book: Book) -> str | None:
    from ralph.loop.prompt_run import covers

    name, subject = covers(found)
    covering = book.covering(name, subject=subject)
    return covering.sentence() if covering else None


def _places(directory: Path) -> tuple[Shelf, Book]:
    from ralph.exceptions.book import Book
    from ralph.gates.state import Shelf
    from ralph.system.git import open_repository

    root = open_repository(directory).root
    return Shelf(root), Book(root, os.environ)
