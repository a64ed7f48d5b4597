"""`ralph events check`: what a gate makes of a claim, without publishing or measuring anything (design section 7).

Exit codes of a single claim: 0 accepted or ungated, 1 rewritten. With `--stdin` every line gets its answer and the exit
code is 0; what cannot be read is answered with `failed`.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ralph.cli.emit import PayloadCommand
from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ralph.events.model import Gate, GateDecision

FIELDS = ("topic", "outcome", "publishes", "checks", "failed", "message")


class _Law(NamedTuple):
    """The gates that count here, and the mutation score under which they warn."""

    gates: Mapping[str, Gate]
    warn_mutation_below: float | None


@click.group()
def events() -> None:
    """See what the evidence gates make of a claim."""


@events.command(cls=PayloadCommand, short_help="Say what a gate makes of a claim.")
@click.argument("topic", metavar="[TOPIC]", default="")
@click.argument("payload", metavar="[PAYLOAD]", default="")
@click.option("--stdin", "from_stdin", is_flag=True, help='Judge JSON lines: {"topic": …, "payload": …}.')
@directory_option
@json_option
def check(topic: str, payload: str, from_stdin: bool, directory: Path, as_json: bool) -> int:
    """Say what a gate makes of a claim: exit 0 accepted or ungated, 1 rewritten. PAYLOAD `-` reads standard input.

    The gates are the built-in ones and those of `ralph.yml`. Nothing is published, measured or recorded.
    """
    from ralph.errors import UsageError

    if from_stdin == bool(topic):
        raise UsageError("`events check` takes either a topic or --stdin.")
    law = _law(directory)
    if from_stdin:
        for number, line in enumerate(sys.stdin.buffer, 1):
            sys.stdout.write(json.dumps(_answer(line, number, law)) + "\n")
            sys.stdout.flush()  # the asker may wait for it before it asks again
        return 0
    if payload == "-":
        payload = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    document = _decided(topic, payload, law)
    if as_json:
        print_json(document)
    else:
        _show(document)
    return 0 if document["publishes"] == topic else 1


def _law(directory: Path) -> _Law:
    """Outside a repository there is no `ralph.yml` that could count."""
    from ralph.config import from_repository
    from ralph.events.gate_settings import configured
    from ralph.events.gates import BUILTIN
    from ralph.system.base import choose_base
    from ralph.system.git import open_repository
    from ralph.system.trusted import accepted

    start = directory.resolve()
    if not any((each / ".git").exists() for each in (start, *start.parents)):
        return _Law(BUILTIN, None)
    repo = open_repository(directory)
    config = from_repository(repo, choose_base(repo), accepted(repo.root)).config
    return _Law(configured(config.gates), config.event_loop.mutation_score_warn_threshold)


def _answer(line: bytes, number: int, law: _Law) -> dict[str, Any]:
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError):
        asked = None
    if isinstance(asked, dict):
        topic, payload = asked.get("topic"), asked.get("payload", "")
        if isinstance(topic, str) and isinstance(payload, str):
            return _decided(topic, payload, law)
    message = f'line {number} is not a JSON object with a text "topic" and a text "payload"'
    return dict(zip(FIELDS, (None, "failed", None, {}, [], message), strict=True))


def _decided(topic: str, payload: str, law: _Law) -> dict[str, Any]:
    from ralph.events import diagnostics
    from ralph.events.gates import decide

    decision = decide(topic, payload, law.gates, warn_mutation_below=law.warn_mutation_below)
    if diagnostics.wanted(os.environ):
        for line in diagnostics.lines(decision):
            click.echo(line, err=True)
    return _document(decision)


def _document(decision: GateDecision) -> dict[str, Any]:
    checks = {name: reading.state.value for name, reading in decision.checks.items()}
    values = (decision.topic, decision.outcome.value, decision.publishes, checks, list(decision.failed))
    return dict(zip(FIELDS, (*values, decision.message), strict=True))


def _show(document: dict[str, Any]) -> None:
    from ralph.system.text import visible

    arrow = "" if document["publishes"] == document["topic"] else f" -> {document['publishes']}"
    click.echo(f"{document['outcome'].upper()}  {visible(document['topic'])}{arrow}")
    for name, state in document["checks"].items():
        click.echo(f"  {name:<18} {state}")
    if document["message"]:
        click.echo(visible(document["message"], keep="\n"))
