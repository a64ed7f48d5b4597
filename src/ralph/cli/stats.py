"""`ralph stats`: what it costs to get a task proven, and how often that works at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json
from ralph.system.text import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ralph.stats.rows import By, Row


@click.command()
@click.option("--by", type=click.Choice(["all", "agent", "model", "hat"]), help="Only by this; all of them by default.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write plots as HTML.")
@click.option("--prometheus", is_flag=True, help="Print the metrics of this project in Prometheus' text format.")
@directory_option
@json_option
def stats(by: By | None, plot: Path | None, prometheus: bool, directory: Path, as_json: bool) -> None:
    """Show cost per verified task, first-pass rate, attempts, regressions and honesty, by agent, model and hat."""
    from dataclasses import asdict

    from ralph.errors import UsageError
    from ralph.events import honesty
    from ralph.stats import facts, plots
    from ralph.stats.rows import GROUPS, rows
    from ralph.system import files
    from ralph.system.git import open_repository

    root = open_repository(directory).root
    if prometheus:
        from ralph.telemetry.prometheus import metrics

        if as_json or plot or by:
            raise UsageError("--prometheus is a format of its own; give it alone.")
        click.echo(metrics(root), nl=False)
        return
    found, claims = facts.read(root), honesty.read(root / honesty.CLAIMS)
    groups = {each: rows(found.turns, claims, each) for each in GROUPS if by in (None, each)}
    if plot:
        files.atomic_write(plot, plots.page(groups).encode("utf-8", "replace"))
    if as_json:
        shown = {each: [asdict(row) for row in group] for each, group in groups.items()}
        print_json({"by": shown, "problems": list(found.problems)})
        return
    if not found.turns and not claims:
        click.echo("Nothing has run here yet.")
    for each, group in groups.items():
        _table(each, group)
    for sentence in found.problems:
        click.echo(visible(sentence), err=True)
    if plot:
        click.echo(f"The plots are in {visible(str(plot))}.")


def _table(by: By, group: Sequence[Row]) -> None:
    if not group:
        return
    click.echo(f"{by:<24} turns  tasks  verified  first pass  attempts  new failures   honest       cost  per task")
    for row in group:
        name = visible(row.name)
        name = name if len(name) <= 22 else f"{name[:19]}..."
        cost = f"${row.cost_usd:.2f}{'+?' if row.unpriced else ''}"
        per_task = "-" if row.cost_per_task_usd is None else f"${row.cost_per_task_usd:.2f}"
        click.echo(
            f"  {name:<22} {row.turns:>5}  {row.tasks:>5}  {row.verified:>8}  {_share(row.first_pass):>10}  "
            f"{_figure(row.attempts):>8}  {row.regressions:>12}  {_share(row.honesty):>7} {cost:>10} {per_task:>9}"
        )


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:g}%"


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"
