"""`ralph prompt run`: a text of the gate language, run until its gates hold or a person is needed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json
from ralph.system.text import visible

if TYPE_CHECKING:
    from ralph.agents.base import Agent, Record
    from ralph.exceptions.book import Book
    from ralph.gates.state import ChainRun
    from ralph.permissions.model import Permissions
    from ralph.system.git import Repository

EXITS = {"passed": 0, "excepted": 1, "blocked": 2, "aborted": 2, "limit": 5}
_HEADS = {
    "passed": "PASS: every gate holds on the tree as it is.",
    "excepted": "NOT PASSED: gates were left out by a person's exception; the others hold.",
    "blocked": "BLOCKED: a gate cannot be met without a person.",
    "aborted": "ABORTED by a person.",
    "limit": "LIMIT: the turns are used up; the same command goes on from here.",
}


@click.command(short_help="Run a text: the agent works until its gates hold.")
@click.argument("text", metavar="TEXT")
@click.option("--agent", "agent_name", metavar="A", required=True, help="Who works: scripted:FILE.")
@click.option("--judge", "judge_name", metavar="A", help="Who judges criteria; the agent itself by default.")
@click.option("--max-turns", type=click.IntRange(1, 1000), default=30, show_default=True, help="Turns of the agent.")
@directory_option
@json_option
def run(text: str, agent_name: str, judge_name: str | None, max_turns: int, directory: Path, as_json: bool) -> int:
    """Give each prompt of TEXT to the agent, and measure its gates before and after every turn.

    Exit code 0 only when every gate holds on the last tree; 1 with exceptions; 2 when a person is needed; 5 when the
    turns are used up. The same TEXT again goes on with a run that did not end.
    """
    from ralph.cli.prompt import parsed
    from ralph.exceptions.book import Book
    from ralph.gates.model import VerifyGate
    from ralph.gates.prompts import prepare
    from ralph.gates.state import Shelf
    from ralph.loop.bench import bench
    from ralph.loop.prompt_run import Tools, run_prompt
    from ralph.system.git import open_repository
    from ralph.system.places import EXCLUDED

    agent = _agent(agent_name)
    judge = _agent(judge_name) if judge_name else None
    repo = open_repository(directory)
    steps = [prepare(step, repo.root) for step in parsed(text, as_json=as_json).steps]
    repo.exclude(EXCLUDED)
    commands = [gate.command for step in steps for gate in step.gates if isinstance(gate, VerifyGate)]
    with bench(repo, commands, os.environ, permissions_of(repo)) as made:
        tools = Tools(
            repo=repo,
            bench=made,
            shelf=Shelf(repo.root),
            book=Book(repo.root, os.environ),
            agent=agent,
            judge=judge,
            env=made.env,
            max_turns=max_turns,
            watch=lambda record: None if as_json else _show(record),
            tell=lambda line: click.echo(f"ralph: {line}", err=True),
        )
        done = run_prompt(text, steps, tools)
    if as_json:
        print_json(document(done, tools.book))
    else:
        _report(done)
    return EXITS[done.state]


def document(done: ChainRun, book: Book) -> dict[str, Any]:
    """A run as JSON."""
    from ralph.cli.gate import row

    return {
        "run": done.id,
        "outcome": done.state,
        "text": done.text,
        "started_at": done.started_at,
        "turns": sum(done.turns),
        "gates": [row(done, gate, book) for gate in done.gates],
    }


def _agent(name: str) -> Agent:
    from ralph.agents.scripted import ScriptedAgent
    from ralph.errors import UsageError

    kind, _, argument = name.partition(":")
    if kind != "scripted" or not argument:
        raise UsageError(f"There is no agent {name!r}: write scripted:FILE.")
    return ScriptedAgent.from_yaml(Path(argument))


def permissions_of(repo: Repository) -> Permissions | None:
    """The policy that counts here, as a person committed or accepted it; None only where there is none at all."""
    from ralph.hook.governed import policy
    from ralph.permissions.loader import POLICY_FILE

    head = repo.head()
    committed = head is not None and repo.read(head, POLICY_FILE) is not None
    return policy(repo.root) if committed or os.path.lexists(repo.root / POLICY_FILE) else None


def _show(record: Record) -> None:
    from ralph.agents.base import Text, ToolCall

    match record:
        case Text(text):
            click.echo(visible(text, keep="\n"), err=True)
        case ToolCall(tool, target):
            click.echo(f"  {visible(tool)} {visible(target)}", err=True)


def _report(done: ChainRun) -> None:
    from ralph.cli.gate import line
    from ralph.gates.texts import escalated, warned

    click.echo(_HEADS[done.state])
    for gate in done.gates:
        click.echo(f"  {line(gate)}")
        if note := warned(gate):
            click.echo(f"    note: {note}")
    for gate in done.gates:
        if gate.state == "blocked":
            click.echo(f"\n{escalated(gate)}")
