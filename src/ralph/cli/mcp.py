"""`ralph mcp`: Ralph's tools for any client that speaks MCP (design section 7; spec: MCP tools).

In a turn of `ralph run`, which the environment names, the tools speak for its agent and post into its inbox. Elsewhere
they work on the project's files, and those that need a turn say so.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json

if TYPE_CHECKING:
    from ralph.loop.toolbox import Desk
    from ralph.loop.toolbox.desk import Approval, Ask, Verify
    from ralph.mcp.model import Tool
    from ralph.permissions.model import Action
    from ralph.verdict import Verdict


@click.command()
@click.option("--http", "over_http", is_flag=True, help="Listen on a port of 127.0.0.1 instead, until interrupted.")
@click.option(
    "--address-file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="F",
    help="With --http: write address and token to F, for you alone, instead of to standard error.",
)
@directory_option
@json_option
def mcp(over_http: bool, address_file: Path | None, directory: Path, as_json: bool) -> None:
    """Offer Ralph's tools over MCP, on standard input and output.

    With --json, which needs --http, the address and the token are printed as JSON.
    """
    from ralph.errors import UsageError
    from ralph.loop.toolbox import tools
    from ralph.mcp.serve import serve_stdio

    if not over_http and (as_json or address_file):
        raise UsageError("Standard output belongs to the protocol: --json and --address-file go with --http.")
    made = tools(_desk(directory))
    if over_http:
        _listen(made, address_file, as_json)
    else:
        serve_stdio(made)


def _listen(made: Sequence[Tool], address_file: Path | None, as_json: bool) -> None:
    """Until somebody interrupts it. The token is never on standard output unless it was asked for."""
    from ralph.mcp.serve import http_server

    with http_server(made) as address:
        said = {"url": address.url, "token": address.token}
        if address_file is not None:
            _write(address_file, json.dumps(said).encode() + b"\n")
        if as_json:
            print_json(said)
        elif address_file is None:
            click.echo(f"{address.url}\nAuthorization: Bearer {address.token}", err=True)
        threading.Event().wait()


def _write(path: Path, data: bytes) -> None:
    """For this person alone, and whole from its first moment on."""
    temporary = path.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp")
    with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:  # noqa: PTH123 - with a mode
        file.write(data)
    temporary.replace(path)


def _desk(directory: Path) -> Desk:
    """What the tools work with here. Raises UsageError if the environment names a turn that is over."""
    from ralph.events import inbox
    from ralph.loop.plan.files import PlanStore
    from ralph.loop.saved import StateStore
    from ralph.loop.toolbox import Desk, Seat
    from ralph.loop.words import Phase
    from ralph.system.git import open_repository

    root = open_repository(directory).root
    states, seat = StateStore(root), None
    if os.environ.get(inbox.VARIABLE):
        state = states.load_or_none()
        seat = Seat.of(os.environ, state.current_phase if state else Phase.DISCOVERY)
    agent = (seat.turn.agent if seat else None) or "mcp"
    return Desk(
        root=root, plan=PlanStore(root), states=states, seat=seat, verify=_verifier(root), ask=_asker(root, agent)
    )


def _verifier(root: Path) -> Verify:
    """As `ralph verify` without options."""

    def verify() -> Verdict:
        from ralph.context import sources, trust
        from ralph.engine import RalphEngine
        from ralph.engine.demands import required_checks
        from ralph.exceptions.excusing import excuses
        from ralph.system.base import choose_base
        from ralph.system.git import open_repository

        repo = open_repository(root)
        accepted, base = trust.accepted(root), choose_base(repo, None)
        context = sources.from_repository(repo, base, accepted).context
        checks = required_checks(repo, base, accepted)
        engine = RalphEngine(
            repository=root, base=base, accepted=accepted, exceptions=excuses(repo.root), checks=checks
        )
        return engine.verify(context)

    return verify


def _asker(root: Path, agent: str) -> Ask:
    """By the permissions that count now. Raises ToolError, when it is called, if there are none."""

    def ask(action: Action, reason: str) -> Approval:
        from ralph.hook.governed import policy
        from ralph.loop.toolbox.person import asker

        return asker(root, policy(root), agent=agent)(action, reason)

    return ask
