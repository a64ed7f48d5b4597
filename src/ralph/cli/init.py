"""`ralph init`: detects the project and writes its ralph-context.yaml (design sections 5.5 and 7)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json

if TYPE_CHECKING:
    from ralph.context.detect import Detected

HEADER = "# What Ralph needs to know about this project: facts, never rules.\n"


@click.command()
@click.option("--force", is_flag=True, help="Write the file anew, keeping the old one as .bak.")
@click.option(
    "--accept",
    is_flag=True,
    help="Accept ralph-context.yaml as it stands: it counts although it is not in the base commit yet.",
)
@directory_option
@json_option
def init(force: bool, accept: bool, directory: Path, as_json: bool) -> None:
    """Detect the project and write ralph-context.yaml.

    The file counts once it is committed, or once you accept it here. Where a step has no command, a contract that
    declares it not applicable is proposed; a person decides.
    """
    import yaml

    from ralph.context import CONTEXT_FILE, read_context, trust
    from ralph.context.detect import detect
    from ralph.errors import UsageError
    from ralph.system import files
    from ralph.system.git import open_repository
    from ralph.system.places import shadow_dir
    from ralph.system.tree import snapshot

    repo = open_repository(directory)
    target = repo.root / CONTEXT_FILE
    if target.exists() and not target.is_file():
        raise UsageError(f"{CONTEXT_FILE} is no plain file; remove it first.")
    if accept and target.exists() and not force:
        read_context(target)
        digest = trust.accept(repo.root, [CONTEXT_FILE])[CONTEXT_FILE]
        _report({"accepted": CONTEXT_FILE, "sha256": digest}, f"{CONTEXT_FILE} is accepted as it stands.", as_json)
        return
    if target.exists() and not force:
        raise UsageError(f"{CONTEXT_FILE} exists; use --accept to accept it as it stands, or --force to write it anew.")
    tree = snapshot(repo, shadow_dir(repo.root)).tree
    detected = detect(repo.root.name or "project", repo.paths(tree), lambda name: repo.read(tree, name))
    text = HEADER + yaml.safe_dump(plain(detected), sort_keys=False, allow_unicode=True)
    if target.exists():
        files.atomic_write(target.with_name(f"{CONTEXT_FILE}.bak"), target.read_bytes())
    files.atomic_write(target, text.encode())
    if accept:
        trust.accept(repo.root, [CONTEXT_FILE])
    if as_json:
        print_json({"written": CONTEXT_FILE, "context": plain(detected), "missing": dict(detected.missing)})
        return
    _explain(detected, text, accepted=accept)


def plain(detected: Detected) -> dict[str, Any]:
    """The context as it is written: without keys that hold nothing."""
    import dataclasses

    data = dataclasses.asdict(detected.context)
    return {
        key: {name: item for name, item in value.items() if item} if isinstance(value, dict) else value
        for key, value in data.items()
    }


def _explain(detected: Detected, text: str, *, accepted: bool) -> None:
    from ralph.context import CONTEXT_FILE

    click.echo(f"wrote {CONTEXT_FILE}:\n")
    click.echo(text)
    if detected.missing:
        click.echo("No command was found for:")
        for step, reason in detected.missing.items():
            click.echo(f"  {step}: {reason}")
        click.echo("Add the command, or verify with a contract of your own that says why the step does not apply:\n")
        click.echo(_contract(detected))
        click.echo("Save it as contracts/own.yaml in Ralph's configuration folder, then: ralph verify --contract own")
    if not accepted:
        click.echo(f"Next: commit {CONTEXT_FILE}, or run `ralph init --accept`; then `ralph verify`.")


def _contract(detected: Detected) -> str:
    import yaml

    steps = {step: {"not_applicable": reason} for step, reason in detected.missing.items()}
    contract = {"agent": "own", "version": "1", "limits": {"lines_added": 500, "files_changed": 20}, "steps": steps}
    dumped: str = yaml.safe_dump(contract, sort_keys=False)
    return "".join(f"    {line}\n" for line in dumped.splitlines())


def _report(document: dict[str, Any], sentence: str, as_json: bool) -> None:
    if as_json:
        print_json(document)
    else:
        click.echo(sentence)
