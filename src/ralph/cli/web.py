"""`ralph web`: the dashboard (design section 7). It listens on this machine alone, and needs the token it prints."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ralph.cli.options import directory_option, json_option, working_copy
from ralph.cli.output import print_json
from ralph.system.extras import needed
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.fleet.protocol import Fleet
    from ralph.web.site import Site


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port; a free one by default.")
@directory_option
@json_option
def web(port: int, directory: Path, as_json: bool) -> None:
    """Show runs, approvals, verdicts and records in a browser, until interrupted.

    The address that is printed holds a token: open it once, and show it to nobody.
    """
    from ralph.approvals.person import refuse_agents

    refuse_agents(os.environ)
    with needed("The dashboard", "web"):
        from ralph.web.server import serve
    from ralph.system.git import open_repository
    from ralph.web.secret import token_file

    site = site_of(open_repository(working_copy(directory)).root)

    def told(address: str) -> None:
        if as_json:
            print_json({"url": address, "token_file": str(token_file(site.root))})
        else:
            click.echo(f"The dashboard of {visible(site.root.name)}: {address}\nCtrl-C ends it.")

    serve(site, port, told)


def site_of(root: Path) -> Site:
    """What the dashboard of a project shows, in the words of the other commands."""
    from ralph.cli import telling
    from ralph.cli.amounts import left_text, spent_text
    from ralph.cli.status import situation
    from ralph.web.secret import Secret
    from ralph.web.site import Site, Words

    words = Words(situation=situation, teller=telling.Teller, spent=spent_text, left=left_text)
    return Site(root=root, words=words, secret=Secret(), fleet=lambda: _fleet(root))


def _fleet(root: Path) -> Fleet | None:
    """The queue that is named, or was begun on this machine. Raises RalphError."""
    from ralph.fleet import address, opening

    named = address.chosen(None, os.environ, opening.configured(root))
    return opening.opened(named, root) if named or address.default_file().exists() else None
