"""`ralph init`: detects the project and writes its ralph-context.yaml, ralph.policy.json and ralph.yml (decision 5).

The policy and the configuration are never written over: who has one keeps it, whatever the options.
"""

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
@click.option("--force", is_flag=True, help="Write ralph-context.yaml anew, keeping the old one as .bak.")
@click.option(
    "--accept",
    is_flag=True,
    help="Accept the files as they stand: they count although they are not in the base commit yet.",
)
@click.option("--claude", "client", flag_value="claude", help="Only make Claude Code ask Ralph: .claude/settings.json.")
@click.option("--codex", "client", flag_value="codex", help="Only show what makes Codex ask Ralph.")
@directory_option
@json_option
def init(force: bool, accept: bool, client: str | None, directory: Path, as_json: bool) -> None:
    """Detect the project and write ralph-context.yaml, ralph.policy.json and ralph.yml.

    The files count once they are committed, or once you accept them here. Where a step has no command, a contract that
    declares it not applicable is proposed; a person decides. A policy that is there already stays as it is.
    """
    from ralph.context import CONTEXT_FILE, trust
    from ralph.context.detect import detect
    from ralph.errors import UsageError
    from ralph.permissions.starter import starter
    from ralph.system.git import open_repository
    from ralph.system.places import EXCLUDED, shadow_dir
    from ralph.system.tree import snapshot

    repo = open_repository(directory)
    repo.exclude(EXCLUDED)
    if client:
        _connect(client, repo.root, as_json=as_json)
        return
    context, policy = (_existing(repo.root / name) for name in (CONTEXT_FILE, "ralph.policy.json"))
    if accept and context and not force:
        _accept(repo.root, as_json=as_json)
        return
    if context and policy and not force:
        raise UsageError(f"{CONTEXT_FILE} exists; use --accept to accept it as it stands, or --force to write it anew.")
    tree = snapshot(repo, shadow_dir(repo.root)).tree
    paths = repo.paths(tree)
    detected = detect(repo.root.name or "project", paths, lambda name: repo.read(tree, name))
    proposed = None if policy else starter(paths, lambda name: repo.read(tree, name), detected)
    written = _write(repo.root, detected if force or not context else None, proposed)
    if accept:
        trust.accept(repo.root, _governing(repo.root))
    if as_json:
        found = {"context": plain(detected), "missing": dict(detected.missing)} if CONTEXT_FILE in written else {}
        print_json({"written": next(iter(written)), **found, "policy": proposed})
        return
    _explain(detected, written, accepted=accept)


def _connect(client: str, root: Path, *, as_json: bool) -> None:
    """Make a client ask Ralph, under the policy that is there. Raises ConfigError if there is none."""
    from ralph.hook import settings
    from ralph.permissions.loader import POLICY_FILE, load

    wait_s = int(load(root / POLICY_FILE).approval.expires_s)
    if client == "codex":
        snippet = settings.codex_snippet(wait_s)
        click.echo(snippet if as_json else f"Put this into hooks.json in Codex's home (~/.codex):\n\n{snippet}")
        return
    changed = settings.install(root, wait_s)
    if as_json:
        print_json({"written": str(settings.CLAUDE_SETTINGS), "changed": changed})
    else:
        click.echo(f"{settings.CLAUDE_SETTINGS}: Claude Code asks Ralph{'' if changed else ' already'}.")


def _existing(path: Path) -> bool:
    from ralph.errors import UsageError

    if path.exists() and not path.is_file():
        raise UsageError(f"{path.name} is no plain file; remove it first.")
    return path.exists()


def _governing(root: Path) -> list[str]:
    """Those of the three files that are there, each read to be sure that it can be used. Raises ConfigError."""
    from ralph.config import CONFIG_FILE, read_config
    from ralph.context import CONTEXT_FILE, read_context
    from ralph.permissions.loader import POLICY_FILE, load

    readers = {CONTEXT_FILE: read_context, POLICY_FILE: load, CONFIG_FILE: read_config}
    present = [name for name in readers if (root / name).exists()]
    for name in present:
        readers[name](root / name)
    return present


def _accept(root: Path, *, as_json: bool) -> None:
    from ralph.config import CONFIG_FILE
    from ralph.context import CONTEXT_FILE, trust
    from ralph.permissions.loader import POLICY_FILE

    digests = trust.accept(root, _governing(root))
    if as_json:
        entries = {name: {"accepted": name, "sha256": digest} for name, digest in digests.items()}
        print_json({**entries[CONTEXT_FILE], "policy": entries.get(POLICY_FILE), "config": entries.get(CONFIG_FILE)})
        return
    for name in digests:
        click.echo(f"{name} is accepted as it stands.")


def _write(root: Path, detected: Detected | None, proposed: dict[str, Any] | None) -> dict[str, str]:
    """Write what is given; what was written, by name."""
    import yaml

    from ralph.config import CONFIG_FILE
    from ralph.config.starter import TEXT
    from ralph.context import CONTEXT_FILE
    from ralph.permissions.loader import POLICY_FILE
    from ralph.permissions.starter import text_of
    from ralph.system import files

    written = {}
    if detected:
        written[CONTEXT_FILE] = HEADER + yaml.safe_dump(plain(detected), sort_keys=False, allow_unicode=True)
        target = root / CONTEXT_FILE
        if target.exists():
            files.atomic_write(target.with_name(f"{CONTEXT_FILE}.bak"), target.read_bytes())
    if proposed:
        written[POLICY_FILE] = text_of(proposed)
    if not (root / CONFIG_FILE).exists():
        written[CONFIG_FILE] = TEXT
    for name, text in written.items():
        files.atomic_write(root / name, text.encode())
    return written


def plain(detected: Detected) -> dict[str, Any]:
    """The context as it is written: without keys that hold nothing."""
    import dataclasses

    data = dataclasses.asdict(detected.context)
    return {
        key: {name: item for name, item in value.items() if item} if isinstance(value, dict) else value
        for key, value in data.items()
    }


def _explain(detected: Detected, written: dict[str, str], *, accepted: bool) -> None:
    from ralph.context import CONTEXT_FILE

    for name, text in written.items():
        click.echo(f"wrote {name}:\n")
        click.echo(text)
    if detected.missing and CONTEXT_FILE in written:
        click.echo("No command was found for:")
        for step, reason in detected.missing.items():
            click.echo(f"  {step}: {reason}")
        click.echo("Add the command, or verify with a contract of your own that says why the step does not apply:\n")
        click.echo(_contract(detected))
        click.echo("Save it as contracts/own.yaml in Ralph's configuration folder, then: ralph verify --contract own")
    if not accepted:
        click.echo(f"Next: commit {' and '.join(written)}, or run `ralph init --accept`; then `ralph verify`.")


def _contract(detected: Detected) -> str:
    import yaml

    steps = {step: {"not_applicable": reason} for step, reason in detected.missing.items()}
    contract = {"agent": "own", "version": "1", "limits": {"lines_added": 500, "files_changed": 20}, "steps": steps}
    dumped: str = yaml.safe_dump(contract, sort_keys=False)
    return "".join(f"    {line}\n" for line in dumped.splitlines())
