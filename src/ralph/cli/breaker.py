"""`ralph breaker`: see what halted a run, and let it try again (spec: circuit breaker; design decisions 27 and 29)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ralph.cli.options import directory_option, json_option, working_copy
from ralph.cli.output import print_json
from ralph.cli.status import breaker_text
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.loop.breaker import Breaker


@click.group(invoke_without_command=True)
@click.pass_context
def breaker(context: click.Context) -> None:
    """See the circuit breaker, and reset it. Alone it shows it."""
    if context.invoked_subcommand is None:
        context.invoke(show, directory=Path(), as_json=False)


@breaker.command()
@directory_option
@json_option
def show(directory: Path, as_json: bool) -> None:
    """Show whether the breaker is open, and what opened it."""
    root = working_copy(directory)
    _tell(root, _breaker(root), as_json)


@breaker.command()
@click.option("--reason", metavar="R", required=True, help="Why it may go on; it is recorded.")
@directory_option
@json_option
def reset(reason: str, directory: Path, as_json: bool) -> None:
    """Set the counters to 0. An open breaker lets one attempt through, whose success closes it."""
    from ralph.approvals import person
    from ralph.exceptions.book import record_decision
    from ralph.loop import breaker as breakers
    from ralph.loop.control import Control, alive, hold
    from ralph.system.git import open_repository
    from ralph.system.places import EXCLUDED

    repo = open_repository(directory)
    repo.exclude(EXCLUDED)
    root = repo.root
    before = _breaker(root)
    about = {"state": before.state, "halted_by": before.halted_by or "", "failure": before.last_failure_reason or ""}
    record_decision(root, os.environ, "breaker_reset", about, reason)
    if at_work := alive(root):
        Control(root).post("reset_breaker", reason, by=person.name(), to=at_work)
        _tell(root, breakers.reset(before), as_json)
        return
    with hold(root, "breaker reset"):
        _tell(root, _reset(root), as_json)


def _reset(root: Path) -> Breaker:
    """Where no run is at work, the next one takes the breaker from the project's state."""
    from dataclasses import replace

    from ralph.loop import breaker as breakers
    from ralph.loop.saved import StateStore

    store = StateStore(root)
    if store.load_or_none() is None:
        return breakers.Breaker()
    return store.change(
        lambda state: replace(state, circuit_breaker=breakers.reset(state.circuit_breaker))
    ).circuit_breaker


def _breaker(root: Path) -> Breaker:
    """As the project's state has it; closed where nothing ever ran. Raises StorageError if nobody can tell."""
    from ralph.loop.breaker import Breaker
    from ralph.loop.saved import StateStore

    saved = StateStore(root).load_or_none()
    return saved.circuit_breaker if saved else Breaker()


def _tell(root: Path, found: Breaker, as_json: bool) -> None:
    from dataclasses import asdict
    from datetime import UTC, datetime

    from ralph.loop import breaker as breakers
    from ralph.loop.standing import newest

    if as_json:
        print_json({**asdict(found), "halts": breakers.halts(found)})
        return
    run = newest(root)
    cooldown_s = run[1]["breaker"]["cooldown_s"] if run else breakers.BreakerSettings().cooldown_s
    click.echo(visible(breaker_text({**asdict(found), "cooldown_s": cooldown_s}, datetime.now(UTC))))
    if found.state == "open":
        click.echo("→ look at what happened (`ralph status`); then: ralph breaker reset --reason R, and ralph resume")
