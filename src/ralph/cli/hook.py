"""`ralph hook` and `ralph exec`, as they stand in the help (design section 7).

Started as programs, both go past this file: see `ralph.__main__`, which is the door.
"""

from __future__ import annotations

import click

from ralph.__main__ import DOORS, door


@click.command()
@click.argument("client", type=click.Choice(["claude", "codex"]))
@click.option("--wait", "wait_s", type=click.IntRange(min=0), metavar="S", help="Wait so long for a person's answer.")
def hook(client: str, wait_s: int | None) -> int:
    """Answer one question of an agent client: its hook's JSON on standard input, its answer on standard output.

    `ralph init --claude` and `ralph init --codex` give the entry for the client's settings. Exit code 2 denies, with
    the reason on standard error; so does every failure of Ralph's own.
    """
    return door(DOORS["hook"], [client, *(["--wait", str(wait_s)] if wait_s is not None else [])])


@click.command("exec")
@click.option("--ticket", "ticket", required=True, metavar="FILE", help="The ticket that `ralph hook` made.")
def execute(ticket: str) -> int:
    """Run the one command that a ticket holds, in the sandbox. A ticket is used once."""
    return door(DOORS["exec"], ["--ticket", ticket])
