"""`ralph claims`: how often what agents claimed was true (design section 7, decision 17)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.events.honesty import By, Tally

_GROUPS: tuple[By, ...] = ("hat", "agent", "model")


@click.command()
@click.option("--by", type=click.Choice(_GROUPS), help="Only by this; all three by default.")
@directory_option
@json_option
def claims(by: By | None, directory: Path, as_json: bool) -> None:
    """Show how often measured claims were true, by hat, agent and model."""
    from ralph.events import honesty
    from ralph.system.git import open_repository

    recorded = honesty.read(open_repository(directory).root / honesty.CLAIMS)
    groups = {each: honesty.tally(recorded, each) for each in _GROUPS if by in (None, each)}
    if as_json:
        print_json(
            {"claims": len(recorded), "by": {each: [_row(row) for row in rows] for each, rows in groups.items()}}
        )
        return
    if not recorded:
        click.echo("No claim has been measured yet.")
        return
    for each, rows in groups.items():
        click.echo(f"{each:<24} claims   true  contradicted  unproven")
        for row in rows:
            click.echo(
                f"  {visible(row.name):<22} {row.claims:>6} {row.percent:>5g}% {row.contradicted:>13} {row.unproven:>9}"
            )


def _row(row: Tally) -> dict[str, object]:
    return {
        "name": row.name,
        "claims": row.claims,
        "true": row.true,
        "percent_true": row.percent,
        "contradicted": row.contradicted,
        "unproven": row.unproven,
    }
