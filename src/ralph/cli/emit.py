"""`ralph emit`: an agent's way to publish an event, from within its turn (spec: events; design section 7)."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ralph.cli.options import json_option
from ralph.cli.output import print_json
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.events.door import Admitted, Refused


class PayloadCommand(click.Command):
    """Takes a payload that begins with a list mark (`- tests: pass`): a word with a blank in it is no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        payloads = [word for word in args if word.startswith("-") and len(word.split(maxsplit=1)) > 1]
        if not payloads or "--" in args:
            return super().parse_args(ctx, args)
        return super().parse_args(ctx, [*(word for word in args if word not in payloads), "--", *payloads])


@click.command(cls=PayloadCommand)
@click.argument("topic", metavar="TOPIC")
@click.argument("payload", metavar="[PAYLOAD]", default="")
@click.option(
    "-C",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    expose_value=False,
    metavar="DIR",
    help="Taken as every command takes it; the run is the one of the environment, wherever you are.",
)
@json_option
def emit(topic: str, payload: str, as_json: bool) -> int:
    """Publish an event from within an agent's turn. PAYLOAD `-` reads it from standard input.

    Exit code 0: accepted. 1: rewritten or refused; the message says what to do. 3: this is no agent's turn.
    """
    from ralph.events import inbox, tokens
    from ralph.events.door import LARGEST_PAYLOAD, Refused, examine

    folder, card = inbox.card(os.environ)
    if payload == "-":
        payload = sys.stdin.buffer.read(LARGEST_PAYLOAD + 1).decode("utf-8", "surrogateescape")
    token = os.environ.get(tokens.VARIABLE, "")
    found = examine(card.turn.emission(topic, payload, token), card.rules)
    if not isinstance(found, Refused):
        inbox.post(folder, topic, payload, token)
    answer = _answer(found, measured=card.evidence == "measured")
    if as_json:
        print_json(answer)
    else:
        for line in (f"{answer['outcome']}: {answer['message']}", *answer["warnings"]):
            click.echo(visible(line, keep="\n"))
    return 0 if answer["outcome"] == "accepted" else 1


def _answer(found: Admitted | Refused, *, measured: bool) -> dict[str, Any]:
    """What the agent is told at once."""
    from ralph.events.door import Refused
    from ralph.events.model import Outcome

    if isinstance(found, Refused):
        return {
            "outcome": "refused",
            "topic": found.emission.topic,
            "publishes": None,
            "objection": found.objection,
            "failed": [],
            "warnings": [],
            "to_be_measured": False,
            "message": found.message,
        }
    decision = found.decision
    later = measured and decision.outcome is Outcome.ACCEPTED
    accepted = f"{decision.topic} reads well; Ralph measures it when your turn ends, and what it measures decides."
    return {
        "outcome": "rewritten" if found.rewritten else "accepted",
        "topic": decision.topic,
        "publishes": decision.publishes,
        "objection": None,
        "failed": list(decision.failed),
        "warnings": list(decision.warnings),
        "to_be_measured": later,
        "message": found.event.payload if found.rewritten else accepted if later else f"{decision.topic} is published.",
    }
