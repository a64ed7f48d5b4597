"""`ralph doctor`: what this machine and project have, and what is missing (design section 7)."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Literal

import click

from ralph.cli.options import directory_option, json_option
from ralph.cli.output import print_json
from ralph.record import record

State = Literal["ok", "warning", "missing"]
MARKS = {"ok": "✓", "warning": "!", "missing": "✗"}


@record
class Check:
    """One thing that was looked at. `missing` makes Ralph unusable here, `warning` does not."""

    name: str
    state: State
    detail: str


@click.command()
@directory_option
@json_option
def doctor(directory: Path, as_json: bool) -> int:
    """Check that this machine and project have what Ralph needs. Exit 0 if they do, else 3."""
    checks = [*_machine(), *_sandbox(), *_places(directory), *_project(directory)]
    if as_json:
        print_json({"checks": [asdict(check) for check in checks]})
    else:
        for check in checks:
            click.echo(f"{MARKS[check.state]} {check.name}: {check.detail}")
    return 3 if any(check.state == "missing" for check in checks) else 0


def _machine() -> Iterator[Check]:
    from ralph.system.history import git_version
    from ralph.system.offspring import LINUX

    yield Check("python", "ok", platform.python_version())
    try:
        yield Check("git", "ok", git_version())
    except Exception as error:  # noqa: BLE001 - whatever keeps git from answering is what the person must know
        yield Check("git", "missing", f"{error}; install git 2.31 or newer")
    bash = shutil.which("bash")
    yield Check("bash", "ok" if bash else "missing", bash or "steps run as bash lines; install bash")
    held = "subreaper: no process of a step survives it" if LINUX else "process group: a daemon can survive its step"
    yield Check("containment of processes", "ok" if LINUX else "warning", held)
    try:
        yield Check("hyperscan", "ok", f"{metadata.version('hyperscan')}: fast scans of large changes")
    except metadata.PackageNotFoundError:
        yield Check("hyperscan", "warning", "not installed: large changes are scanned slower; pip install hyperscan")


def _sandbox() -> Iterator[Check]:
    """The level that this machine enforces, and what became of each attack on it."""
    from ralph.permissions.sandbox.model import Level
    from ralph.permissions.sandbox.probe import probe

    found = probe()
    means = {
        Level.BUBBLEWRAP: "level bubblewrap: files, network, processes and system calls are held",
        Level.LANDLOCK: "level landlock: weaker than bubblewrap, which does not work here; install it",
        Level.NONE: "level none: commands can reach what you can reach, the signing key included; install bubblewrap",
    }
    yield Check("sandbox", "ok" if found.level is Level.BUBBLEWRAP else "warning", means[found.level])
    for trial in found.trials:
        if trial.trouble:
            yield Check(f"sandbox {trial.level}", "warning", trial.trouble)
        for attack in trial.attacks:
            outcome = f"refused ({attack.refusal})" if attack.refusal else "succeeded"
            yield Check(f"sandbox {trial.level}: {attack.name}", "ok" if attack.refusal else "warning", outcome)


def _places(directory: Path) -> Iterator[Check]:
    from ralph.audit.keys import trusted_keys
    from ralph.errors import RalphError
    from ralph.system.places import cache_home, config_home

    for name, folder in (("configuration folder", config_home()), ("cache folder", cache_home())):
        nearest = next(path for path in (folder, *folder.parents) if path.exists())
        writable = nearest.is_dir() and os.access(nearest, os.W_OK)
        yield Check(name, "ok" if writable else "missing", f"{folder}" if writable else f"{nearest} cannot be written")
    inside = config_home().resolve().is_relative_to(directory.resolve())
    try:
        keys = len(trusted_keys())
    except (RalphError, OSError) as error:
        yield Check("signing key", "missing", str(error))
        return
    yield Check(
        "signing key",
        "missing" if inside else "ok",
        "the configuration folder lies inside the project; set XDG_CONFIG_HOME"
        if inside
        else f"{keys} trusted"
        if keys
        else "made on first use",
    )


def _project(directory: Path) -> Iterator[Check]:
    from ralph.context import sources, trust
    from ralph.errors import RalphError
    from ralph.steps.environment import project_path
    from ralph.system.base import choose_base
    from ralph.system.git import open_repository

    try:
        repo = open_repository(directory)
        base = choose_base(repo, None)
        sourced = sources.from_repository(repo, base, trust.accepted(repo.root))
    except RalphError as error:
        yield Check("project", "warning", str(error))
        return
    yield Check("repository", "ok", f"{repo.root}, base {base or 'none: no commit yet'}")
    yield Check("context", "warning" if sourced.detected else "ok", sourced.source)
    path = project_path(os.environ.get("PATH", ""), repo.root)
    for step in ("lint", "typecheck", "tests", "coverage"):
        command = sourced.context.commands.for_step(step)
        if command is None:
            reason = sourced.detected.missing.get(step) if sourced.detected else None
            yield Check(step, "warning", reason or "no command; a contract may declare the step not applicable")
            continue
        program = shutil.which(command.split()[0], path=path)
        yield Check(step, "ok" if program else "warning", f"{command}{'' if program else ' (program not found)'}")
