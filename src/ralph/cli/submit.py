"""`ralph submit`: asks for a verification or a run. By a queue, or, where there is none, done here and now."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.worker import queue_option

if TYPE_CHECKING:
    from ralph.fleet.model import Job, Work

repository_option = click.option(
    "--repo", "repository", metavar="R", help="A folder or an address that every worker can reach [-C]."
)
commit_option = click.option(
    "--commit", default="HEAD", metavar="REV", help="The commit to work on [HEAD]; what is not committed is not seen."
)
wait_option = click.option("--wait", is_flag=True, help="Wait for the end, and exit as `ralph verify` or `run` would.")
contract_option = click.option("--contract", metavar="N", help="Hold the change to this contract.")


@click.group()
def submit() -> None:
    """Ask for a verification or a run. Workers do it where there is a queue, else it is done here, at once."""


@submit.command()
@repository_option
@commit_option
@click.option("--base", metavar="REV", help="The commit to judge against [where it left the default branch].")
@contract_option
@click.option("--policy", metavar="V", help="The policy set; the newest released one by default.")
@click.option("--step-timeout", type=click.FloatRange(0.1), default=600.0, metavar="S", help="End a step after S s.")
@click.option("--fresh", is_flag=True, help="Measure again, also when it was found to pass.")
@wait_option
@queue_option
@directory_option
@json_option
def verify(
    repository: str | None,
    commit: str,
    base: str | None,
    contract: str | None,
    policy: str | None,
    step_timeout: float,
    fresh: bool,
    wait: bool,
    queue_address: str | None,
    directory: Path,
    as_json: bool,
) -> int:
    """Have a commit verified. Asked for twice, it is the same job; what was found to pass is not measured again."""
    from ralph.fleet import requests

    work = requests.verification(
        repository or str(directory.resolve()),
        commit,
        base=base,
        policy=policy,
        contract=contract,
        step_timeout_s=step_timeout,
        fresh=fresh,
    )
    return _submitted(work, queue_address, directory, wait, as_json)


@submit.command()
@click.argument("prompt")
@repository_option
@commit_option
@click.option("--agent", metavar="A", help="Who works; see `ralph run`.")
@click.option("--preset", metavar="P", help="The hats that work together; see `ralph hats list`.")
@contract_option
@click.option("--phase", type=click.Choice(["discovery", "planning"]), help="Begin in this phase [discovery].")
@click.option("--max-iterations", type=click.IntRange(1), metavar="N", help="End the run after N iterations.")
@click.option("--max-cost", type=click.FloatRange(0, min_open=True), metavar="USD", help="End it at this total cost.")
@wait_option
@queue_option
@directory_option
@json_option
def run(
    prompt: str,
    repository: str | None,
    commit: str,
    agent: str | None,
    preset: str | None,
    contract: str | None,
    phase: str | None,
    max_iterations: int | None,
    max_cost: float | None,
    wait: bool,
    queue_address: str | None,
    directory: Path,
    as_json: bool,
) -> int:
    """Have an agent work on a commit until everything is proven. The work stays in the run's own working copy."""
    from ralph.fleet import requests

    work = requests.run(
        repository or str(directory.resolve()),
        commit,
        prompt,
        agent=agent,
        preset=preset,
        contract=contract,
        phase=phase,
        iterations=max_iterations,
        cost_usd=max_cost,
    )
    return _submitted(work, queue_address, directory, wait, as_json)


def _submitted(work: Work, queue_address: str | None, directory: Path, wait: bool, as_json: bool) -> int:
    from ralph.cli.output import print_json
    from ralph.cli.queue import describe
    from ralph.fleet.inline import InlineFleet
    from ralph.fleet.opening import opened

    def changed(job: Job) -> None:
        if not as_json:
            click.echo(f"  {job.state}", err=True)

    fleet = opened(queue_address, directory, os.environ)
    try:
        job = fleet.submit(work)
        waits = wait or isinstance(fleet, InlineFleet)
        if waits:
            job = fleet.wait(job, changed)
    finally:
        fleet.close()
    if as_json:
        print_json(job.to_dict())
    else:
        describe(job)
    return job.exit_code if waits else 0
