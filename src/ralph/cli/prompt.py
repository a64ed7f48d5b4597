"""`ralph prompt`: the language `>>name :: verify:"command"`, and the prompts it calls (spec: shell verify gates)."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ralph.cli.options import directory_option, json_option, working_copy
from ralph.cli.output import print_json
from ralph.cli.prompt_run import run

if TYPE_CHECKING:
    from ralph.gates.forms import Gate
    from ralph.gates.model import Chain, Step
    from ralph.gates.prompt_file import Prompt
    from ralph.gates.tokens import LanguageError


@click.group()
def prompt() -> None:
    """Prompts by name, with gates that end them."""


@prompt.command(short_help="Show how a text is understood, without running anything.")
@click.argument("text")
@json_option
def parse(text: str, as_json: bool) -> int:
    """Show the steps and gates of TEXT, or the place where it is not well formed. `-` reads standard input.

    Nothing is run, and the prompts need not exist.
    """
    chain = parsed(_given(text), as_json=as_json)
    if as_json:
        print_json({"steps": [_document(step) for step in chain.steps]})
    else:
        _show_chain(chain)
    return 0


@prompt.command(name="list", short_help="List the prompts of the project and those that Ralph brings along.")
@directory_option
@json_option
def list_(directory: Path, as_json: bool) -> int:
    """List the prompts that can be called here. One that cannot be used is listed with the reason: exit code 3."""
    from ralph.errors import ConfigError
    from ralph.gates.prompts import find_prompt, prompt_files

    rows: list[dict[str, Any]] = []
    root = working_copy(directory)
    for name in prompt_files(root):
        try:
            found = find_prompt(name, root)
            rows.append({"name": name, "from": _origin(found), "description": found.description, "error": None})
        except ConfigError as error:
            rows.append({"name": name, "from": "project", "description": None, "error": str(error)})
    if as_json:
        print_json({"prompts": rows})
    else:
        width = max((len(row["name"]) for row in rows), default=0)
        for row in rows:
            _say(f"{row['name']:<{width}}  {row['from']:<8}  {row['description'] or row['error']}")
    return 3 if any(row["error"] for row in rows) else 0


@prompt.command(short_help="Show a prompt: its arguments, its gates, its text.")
@click.argument("name")
@directory_option
@json_option
def show(name: str, directory: Path, as_json: bool) -> int:
    """Show what the prompt NAME takes and says."""
    from ralph.gates.prompts import find_prompt

    found = find_prompt(name.removeprefix(">>"), working_copy(directory))
    if as_json:
        print_json(_prompt_document(found))
    else:
        _show_prompt(found)
    return 0


def parsed(text: str, *, as_json: bool = False) -> Chain:
    """The chain of a text. An error is shown with a caret under its place, or as JSON, before it is raised."""
    from ralph.gates.language import LanguageError, parse

    try:
        return parse(text)
    except LanguageError as error:
        if as_json:
            print_json({"error": _error_document(error)})
        else:
            for line in error.caret:
                click.echo(f"  {line}", err=True)
        raise


def _given(text: str) -> str:
    from ralph.errors import UsageError

    if text != "-":
        return text
    try:
        return sys.stdin.buffer.read().decode("utf-8").removesuffix("\n")
    except UnicodeDecodeError:
        raise UsageError("Standard input is not UTF-8 text; send UTF-8.") from None


def _error_document(error: LanguageError) -> dict[str, Any]:
    names = ("line", "column", "offset", "problem", "expected", "caret")
    return {name: getattr(error, name) for name in names}


def _document(step: Step) -> dict[str, Any]:
    return {
        "prompt": step.prompt,
        "arguments": dict(step.arguments),
        "text": step.text,
        "gates": [_gate_document(gate) for gate in step.gates],
    }


def _gate_document(gate: Gate) -> dict[str, Any]:
    from ralph.gates.model import VerifyGate

    return {"kind": "verify" if isinstance(gate, VerifyGate) else "criterion", **asdict(gate)}


def _prompt_document(found: Prompt) -> dict[str, Any]:
    return {
        "name": found.name,
        "from": _origin(found),
        "path": str(found.path),
        "description": found.description,
        "arguments": [asdict(argument) for argument in found.arguments],
        "gates": [_gate_document(gate) for gate in found.gates],
        "agent": found.agent,
        "template": found.template,
    }


def _show_chain(chain: Chain) -> None:
    for number, step in enumerate(chain.steps, 1):
        _say(f"{number}  >>{step.prompt}")
        for key, value in step.arguments:
            _say(f"   {key}: {value}")
        if step.text:
            _say(f"   {step.text}")
        _show_gates(step.gates)


def _show_gates(gates: tuple[Gate, ...]) -> None:
    from ralph.gates.model import VerifyGate

    for gate in gates:
        if isinstance(gate, VerifyGate):
            times = "1 attempt" if gate.attempts == 1 else f"{gate.attempts} attempts"
            where = f", in {gate.cwd}" if gate.cwd else ""
            _say(f"   :: runs   {gate.command}   ({times}, {gate.timeout_s:.0f} s{where})")
        else:
            _say(f"   :: judged {gate.name + ': ' if gate.name else ''}{gate.text}")


def _show_prompt(found: Prompt) -> None:
    _say(f">>{found.name}  {found.description}")
    _say(f"   from {found.path}" + (f", for the agent {found.agent}" if found.agent else ""))
    for argument in found.arguments:
        kind = "required" if argument.required else f"default: {argument.default}" if argument.default else "optional"
        _say(f"   {argument.name}  ({kind})  {argument.description}")
    _show_gates(found.gates)
    click.echo()
    _say(found.template.rstrip("\n"))


def _origin(found: Prompt) -> str:
    return "ralph" if found.bundled else "project"


def _say(text: str) -> None:
    from ralph.system.text import visible

    click.echo(visible(text, keep="\n"))


prompt.add_command(run)
