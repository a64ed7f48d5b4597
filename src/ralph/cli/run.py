"""`ralph run` and `ralph resume`: the loop, from what somebody wants to evidence, or to a clear account of why not."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ralph.cli.options import directory_option

if TYPE_CHECKING:
    from ralph.loop.runner import Runner
    from ralph.loop.starting import Prepared


EXITS = {"passed": 0, "failed": 1, "blocked": 2, "error": 3, "waits": 4, "limit": 5, "stopped": 130}

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document on each line.")
agent_option = click.option(
    "--agent", metavar="A", help="Who works: claude, claude-cli, codex, command:PROGRAM, scripted:FILE, or a name."
)
iterations_option = click.option(
    "--max-iterations", type=click.IntRange(1), metavar="N", help="End the run after N iterations."
)
cost_option = click.option(
    "--max-cost", type=click.FloatRange(0, min_open=True), metavar="USD", help="End it at this total cost."
)


@click.command(short_help="Let an agent work until everything is proven, or say why not.")
@click.argument("prompt", metavar="[PROMPT]", default="")
@agent_option
@click.option("--preset", metavar="P", help="The hats that work together; see `ralph hats list`.")
@click.option("--contract", metavar="N", help="Hold each task to this contract [feature].")
@click.option("--base", metavar="REV", help="The commit that the whole is judged against [HEAD].")
@click.option(
    "--phase",
    type=click.Choice(["discovery", "planning", "building", "validation"]),
    help="Begin in this phase instead of the recorded one.",
)
@iterations_option
@cost_option
@click.option("--new", is_flag=True, help="Begin anew although a run was cut off; what it did stays.")
@click.option("--dry-run", is_flag=True, help="Show what would happen, and do nothing.")
@directory_option
@json_option
def run(
    prompt: str,
    agent: str | None,
    preset: str | None,
    contract: str | None,
    base: str | None,
    phase: str | None,
    max_iterations: int | None,
    max_cost: float | None,
    new: bool,
    dry_run: bool,
    directory: Path,
    as_json: bool,
) -> int:
    """Find out what PROMPT needs, plan it, build it task by task, and validate the whole.

    Exit code 0: everything is proven. 1: not. 2: BLOCKED. 4: a person has to answer. 5: a limit was reached.
    `ralph status` shows it from another terminal, and `ralph resume` goes on with it after any end.
    """
    from ralph.cli.live import view
    from ralph.loop import former, starting
    from ralph.loop.control import hold
    from ralph.loop.entering import guard
    from ralph.loop.plan.files import PlanStore
    from ralph.loop.plan.model import ImplementationPlan
    from ralph.loop.runner import Runner
    from ralph.loop.words import Phase
    from ralph.system.git import open_repository

    wanted = starting.Wanted(
        prompt=prompt,
        agent=agent,
        preset=preset,
        contract=contract,
        base=base,
        phase=Phase(phase) if phase else None,
        iterations=max_iterations,
        cost_usd=max_cost,
    )
    root = open_repository(directory).root
    if wanted.phase:
        guard(wanted.phase, PlanStore(root).load_or_none() or ImplementationPlan())
    name = starting.name(directory, wanted)
    with view(as_json=as_json) as watching:
        if dry_run:
            prepared = starting.prepare(directory, wanted, name, watching, os.environ)
            watching.told((*prepared.told, *_outlook(prepared)))
            return 0
        with hold(root, name) as held:
            if not new:
                former.refuse_unfinished(root)
            prepared = starting.prepare(directory, wanted, name, watching, os.environ)
            watching.told(prepared.told)
            return _to_the_end(Runner(site=prepared.site, journal=starting.begin(prepared, held), alive=held))


@click.command(short_help="Go on with the run that ended or was cut off.")
@iterations_option
@cost_option
@click.option("--reset-breaker", is_flag=True, help="Close the breaker if it is open.")
@directory_option
@json_option
def resume(
    max_iterations: int | None, max_cost: float | None, reset_breaker: bool, directory: Path, as_json: bool
) -> int:
    """Go on with the newest run: after a stop, a limit, an answer, a crash. A run that is paused goes on by itself."""
    from ralph.cli.live import view
    from ralph.loop import starting
    from ralph.loop.control import Control, alive, hold
    from ralph.loop.runner import Runner
    from ralph.system.git import open_repository

    root = open_repository(directory).root
    if (at_work := alive(root)) is not None:
        Control(root).post("resume", to=at_work)
        click.echo(f"The run {at_work.run} is at work, and goes on if it was paused.", err=as_json)
        return 0
    wanted = starting.Wanted(iterations=max_iterations, cost_usd=max_cost)
    with view(as_json=as_json) as watching, hold(root, starting.newest(root)) as held:
        site, found, first = starting.go_on(directory, watching, os.environ, wanted, reset_breaker=reset_breaker)
        return _to_the_end(Runner(site=site, journal=found, alive=held, first=first))


def _to_the_end(runner: Runner) -> int:
    from ralph.notify.watch import watched
    from ralph.telemetry.otel import observed

    def warn(sentence: str) -> None:
        click.echo(f"  {sentence}", err=True)

    with watched(runner, os.environ), observed(runner, os.environ, warn):
        state = runner.run()
    return EXITS[state.end] if state.end else 3


def _outlook(prepared: Prepared) -> tuple[str, ...]:
    """What a run would do."""
    from ralph.loop.starting import beginning

    begun, site = beginning(prepared), prepared.site
    limits = begun.settings.limits
    return (
        f"It would begin in {begun.phase} with the agent {begun.agent}, judged against {begun.base}.",
        f"Hats: {', '.join(hat.id for hat in site.topology.hats)}; contract: {site.contract.agent}.",
        f"Sandbox: {site.level}; evidence: {site.evidence}.",
        f"Limits: {limits.iterations} iterations, ${limits.per_iteration_usd} each, ${limits.total_usd} in all.",
    )
