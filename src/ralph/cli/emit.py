"""`ralph emit`: an agent's way to publish an event, from within its turn (spec: events; design section 7)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from ralph.cli.options import json_option
from ralph.cli.output import print_json
from ralph.system.text import visible


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
    from ralph.events import emitting, inbox, tokens
    from ralph.events.door import LARGEST_PAYLOAD

    folder, card = inbox.card(os.environ)
    if payload == "-":
        payload = sys.stdin.buffer.read(LARGEST_PAYLOAD + 1).decode("utf-8", "surrogateescape")
    token = os.environ.get(tokens.VARIABLE, "")
    answer = emitting.publish(folder, card.turn, card.rules, topic, payload, token)
    if as_json:
        print_json(answer)
    else:
        for line in (f"{answer['outcome']}: {answer['message']}", *answer["warnings"]):
            click.echo(visible(line, keep="\n"))
    return 0 if answer["outcome"] == "accepted" else 1
