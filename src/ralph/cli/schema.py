"""`ralph schema`: the JSON Schemas of the files that people write, for editors and other programs.

In an installation they lie in the package; in a clone of the repository beside `src/`.
"""

from __future__ import annotations

import json
from pathlib import Path

import click

import ralph
from ralph.cli.options import json_option
from ralph.cli.output import print_json
from ralph.record import record


@record
class File:
    """A kind of file, and the schema for it."""

    file: str
    describes: str


FILES = {
    "ralph.yml": File("ralph.schema.json", "How Ralph works on a project: agents, limits, phases, gates, hats."),
    "ralph-context.yaml": File("ralph-context.schema.json", "How an application is measured: facts, and never rules."),
    "ralph.policy.json": File("ralph.policy.schema.json", "What an agent may read, write and run, and who is asked."),
    "contract": File("contract.schema.json", "The limits of one kind of agent, set by governance."),
    "preset": File("preset.schema.json", "Hats that work together, in presets/ of Ralph's configuration folder."),
    "policy-set": File("policy-set.schema.json", "One version of the rules that changes are judged by."),
    "plan": File("plan.schema.json", "The tasks of a project: .ralph/implementation_plan.json."),
}


@click.command()
@click.argument("name", required=False, type=click.Choice(list(FILES)), metavar="[NAME]")
@json_option
def schema(name: str | None, as_json: bool) -> None:
    """Print the JSON Schema of a kind of file; without NAME, list the kinds."""
    if name is not None:
        print_json(json.loads(path_of(name).read_text("utf-8")))
    elif as_json:
        rows = [{"name": key, "file": str(path_of(key)), "describes": each.describes} for key, each in FILES.items()]
        print_json({"schemas": rows})
    else:
        for key, each in FILES.items():
            click.echo(f"{key:<20}{each.describes}")


def path_of(name: str) -> Path:
    """Where the schema of this name lies. Raises MissingToolError if the installation lost it."""
    package = Path(ralph.__file__).parent
    for folder in (package / "schemas", package.parents[1] / "schemas"):
        if (path := folder / FILES[name].file).is_file():
            return path
    from ralph.errors import MissingToolError

    raise MissingToolError(f"The schema of {name} did not come with this installation: install Ralph anew.")
