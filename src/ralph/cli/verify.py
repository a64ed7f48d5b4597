"""`ralph verify`: the engine on a working tree (design section 7)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ralph.cli.options import base_option, directory_option, json_option, policy_option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ralph.context.sources import Sourced
    from ralph.system.git import Repository

EXIT_CODES = {"PASS": 0, "FAIL": 1, "BLOCKED": 2}


@click.command()
@click.option("--adapter", metavar="N", help="Take the context from this adapter, outside the repository.")
@click.option(
    "--context", "context_file", type=click.Path(path_type=Path), metavar="F", help="Take the context from F."
)
@click.option(
    "--contract", metavar="N", help="Hold the change to this contract: bugfix, feature, refactor, docs, or a file."
)
@base_option
@policy_option
@click.option("--jobs", type=click.IntRange(1, 64), metavar="N", help="Run up to N independent steps at once.")
@click.option(
    "--step-timeout", type=click.FloatRange(0.1), default=600.0, metavar="S", help="End a step after S seconds [600]."
)
@click.option(
    "--sandbox",
    type=click.Choice(["none", "landlock", "bubblewrap"]),
    help="Run the steps at this level; by default the strongest that this machine enforces.",
)
@click.option("--fail-fast", is_flag=True, help="Stop at the first step that is not good.")
@click.option("--fresh", is_flag=True, help="Measure again, also when a signed PASS of the same inputs exists.")
@directory_option
@json_option
def verify(
    adapter: str | None,
    context_file: Path | None,
    contract: str | None,
    base: str | None,
    policy: str | None,
    jobs: int | None,
    step_timeout: float,
    sandbox: str | None,
    fail_fast: bool,
    fresh: bool,
    directory: Path,
    as_json: bool,
) -> int:
    """Verify the working tree against its base: PASS (exit 0), FAIL (1) or BLOCKED (2), with signed evidence.

    Without --adapter or --context, ralph-context.yaml is read from the base commit, else the project is detected.
    Without --contract, the policy's thresholds apply.
    """
    from ralph import contracts
    from ralph.cli.output import print_json
    from ralph.cli.progress import Progress
    from ralph.cli.render import render_verdict
    from ralph.context import trust
    from ralph.engine import RalphEngine
    from ralph.engine.demands import required_checks
    from ralph.errors import UsageError
    from ralph.exceptions.excusing import excuses
    from ralph.permissions.sandbox.model import Level
    from ralph.system.base import choose_base
    from ralph.system.git import open_repository
    from ralph.system.restore import recover_set_aside
    from ralph.system.text import visible

    if adapter and context_file:
        raise UsageError("--adapter and --context both name a context; give one of them.")
    repo = open_repository(_project(adapter, directory))
    accepted = trust.accepted(repo.root)
    judged_against = choose_base(repo, base)
    sourced = _source(repo, adapter, context_file, judged_against, accepted)
    terms = contracts.load(contract) if contract else None
    for sentence in recover_set_aside(repo.root / ".ralph" / "aside"):
        click.echo(f"  {visible(sentence)}", err=True)
    with Progress(quiet=as_json) as progress:
        progress.note(f"context: {sourced.source}")
        if base is None and judged_against is not None and judged_against == repo.head():
            progress.note("base: HEAD, so commits already made are not judged; --base COMMIT includes them")
        engine = RalphEngine(
            repository=repo.root,
            base=judged_against,
            policy=policy,
            fail_fast=fail_fast,
            step_timeout_s=step_timeout,
            reuse=not fresh,
            accepted=accepted,
            exceptions=excuses(repo.root),
            progress=progress,
            jobs=jobs,
            sandbox=Level(sandbox) if sandbox else None,
            checks=required_checks(repo, judged_against, accepted),
        )
        verdict = engine.verify(sourced.context, terms, terms.agent if terms else None)
    if as_json:
        print_json(verdict.to_dict())
    else:
        render_verdict(verdict, repo.root)
    return EXIT_CODES[verdict.type.value]


def _project(adapter: str | None, directory: Path) -> Path:
    """Where to verify: -C or the current directory, unless an adapter names the project and -C is not given."""
    if adapter is None or directory != Path():
        return directory
    import ralph.adapters
    from ralph.context import read_context
    from ralph.context.sources import adapter_file

    context = read_context(adapter_file(adapter, Path(ralph.adapters.__path__[0])))
    return Path(context.project.path).expanduser()


def _source(
    repo: Repository, adapter: str | None, context_file: Path | None, base: str | None, accepted: Mapping[str, str]
) -> Sourced:
    import ralph.adapters
    from ralph.context import sources

    if adapter:
        return sources.from_file(sources.adapter_file(adapter, Path(ralph.adapters.__path__[0])), repo, base, accepted)
    if context_file:
        return sources.from_file(context_file, repo, base, accepted)
    return sources.from_repository(repo, base, accepted)
