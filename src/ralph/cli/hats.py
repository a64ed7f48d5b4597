"""`ralph hats`: the roles that agents play here, what wakes them, what they publish (design section 7)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json
from ralph.record import record

if TYPE_CHECKING:
    from ralph.config.loader import Sourced
    from ralph.hats.model import Hat, Topology

F = TypeVar("F", bound=Callable[..., Any])


@record
class Here:
    """The hats that count in a directory, or that were asked for."""

    topology: Topology
    refusals: Mapping[str, str]
    source: str


def _choosing(command: F) -> F:
    """Options that say which hats. They give `preset`, `draft` and `directory`."""
    preset = click.option("--preset", metavar="P", help="The hats of this preset instead of the one in ralph.yml.")
    draft = click.option("--draft", is_flag=True, help="Read ralph.yml as it stands in the working copy.")
    return preset(draft(directory_option(command)))


@click.group()
def hats() -> None:
    """Show the hats: the roles that agents play, and how work goes from one to the next."""


@hats.command("list")
@_choosing
@json_option
def list_hats(preset: str | None, draft: bool, directory: Path, as_json: bool) -> None:
    """List the hats, and the presets that there are."""
    here, presets = _here(directory, preset, draft), _presets()
    if as_json:
        rows = [{"id": hat.id, "name": hat.name, "description": hat.description} for hat in here.topology.hats]
        print_json({**_head(here), "hats": rows, "presets": [{"name": name, **each} for name, each in presets.items()]})
        return
    _introduce(here)
    width = max(len(hat.id) for hat in here.topology.hats)
    for hat in here.topology.hats:
        click.echo(f"  {hat.id:<{width}}  {_shown(hat.description or hat.name)}")
        click.echo(f"  {'':<{width}}  {', '.join(hat.triggers)} → {', '.join(hat.publishes) or 'nothing'}")
    click.echo("\npresets:")
    width = max(map(len, presets))
    for name, each in presets.items():
        click.echo(f"  {name:<{width}}  {_shown(each['description'])}")


@hats.command()
@click.argument("hat", required=False)
@_choosing
@json_option
def show(hat: str | None, preset: str | None, draft: bool, directory: Path, as_json: bool) -> None:
    """Show the hats, or one of them, with their instructions."""
    here = _here(directory, preset, draft)
    chosen = [_find(here.topology, hat)] if hat else list(here.topology.hats)
    if as_json:
        print_json({**_head(here), "hats": [dataclasses.asdict(each) for each in chosen]})
        return
    _introduce(here)
    for each in chosen:
        _render(each)


@hats.command()
@click.option("--format", "form", type=click.Choice(["text", "mermaid"]), default="text", help="How to draw.")
@_choosing
@json_option
def graph(form: str, preset: str | None, draft: bool, directory: Path, as_json: bool) -> None:
    """Draw how work goes from hat to hat, as a tree or as a Mermaid flowchart."""
    from ralph.hats import graph as drawing
    from ralph.hats.flow import Flow

    here = _here(directory, preset, draft)
    if as_json:
        edges = [dataclasses.asdict(edge) for edge in Flow(here.topology, here.refusals).edges]
        print_json({**_head(here), "edges": edges})
        return
    draw = drawing.mermaid if form == "mermaid" else drawing.text
    click.echo(draw(here.topology, here.refusals), nl=False)


def _here(directory: Path, preset: str | None, draft: bool) -> Here:
    """The hats, sound. Raises ConfigError with every problem of them."""
    from ralph.events.gate_settings import configured
    from ralph.hats.check import require
    from ralph.hats.loader import topology

    sourced = _configuration(directory, draft)
    config = sourced.config
    gates = configured(config.gates, sourced.source)
    chosen = topology(config, tuple(gates), preset)
    refusals = {topic: gate.refusal for topic, gate in gates.items()}
    source = f"preset {chosen.name}" if preset else sourced.source
    require(chosen, refusals, config.evidence or "measured", source)
    return Here(chosen, refusals, source)


def _configuration(directory: Path, draft: bool) -> Sourced:
    from ralph.config import CONFIG_FILE, Config, from_repository, read_config
    from ralph.config.loader import Sourced
    from ralph.errors import RepositoryError
    from ralph.system.base import choose_base
    from ralph.system.git import open_repository
    from ralph.system.trusted import accepted

    try:
        repo = open_repository(directory)
    except RepositoryError:
        if draft:
            raise
        return Sourced(Config(), "no repository: the defaults")
    if draft:
        return Sourced(read_config(repo.root / CONFIG_FILE), f"{CONFIG_FILE} of the working copy")
    sourced = from_repository(repo, choose_base(repo), accepted(repo.root))
    if sourced.overlooked:
        click.echo(
            f"{CONFIG_FILE} of the working copy does not count until it is committed or accepted; --draft shows it.",
            err=True,
        )
    return sourced


def _presets() -> dict[str, dict[str, str]]:
    from ralph.hats import loader

    return {name: {"description": loader.load(name).description} for name in sorted(loader.available())}


def _find(topology: Topology, identifier: str) -> Hat:
    import difflib

    from ralph.errors import UsageError

    found = topology.hat(identifier)
    if found is None:
        ids = [hat.id for hat in topology.hats]
        near = difflib.get_close_matches(identifier, ids, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(ids)}."
        raise UsageError(f"There is no hat {identifier!r} in {topology.name}; {hint}")
    return found


def _head(here: Here) -> dict[str, Any]:
    topology = here.topology
    return {
        "name": topology.name,
        "source": here.source,
        "description": topology.description,
        "start": topology.start,
        "done": topology.done,
        "confidence": topology.confidence,
    }


def _introduce(here: Here) -> None:
    topology = here.topology
    click.echo(f"{_shown(topology.name)} ({_shown(here.source)}): from {topology.start} to {topology.done}")
    if topology.description:
        click.echo(_shown(topology.description))
    click.echo("")


def _render(hat: Hat) -> None:
    click.echo(f"{hat.id}: {_shown(hat.name)}")
    if hat.description:
        click.echo(f"  {_shown(hat.description)}")
    fields = {
        "woken by": ", ".join(hat.triggers),
        "publishes": ", ".join(hat.publishes) or "nothing",
        "by default": hat.default_publishes,
        "tools": ", ".join(hat.tools),
        "agent": hat.agent,
        "model": hat.model,
        "at most": f"{hat.max_activations} times" if hat.max_activations else None,
    }
    for name, value in fields.items():
        if value:
            click.echo(f"  {name:<10}  {_shown(value)}")
    click.echo("")
    for line in hat.instructions.splitlines():
        click.echo(f"    {_shown(line)}".rstrip())
    click.echo("")


def _shown(text: str) -> str:
    from ralph.system.text import visible

    return visible(text)
