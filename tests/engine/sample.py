"""The sample projects as real repositories, and the one call that the matrices make."""

from __future__ import annotations

import dataclasses
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ralph.context import AppContext, read_context
from ralph.contracts import AutonomyContract
from ralph.engine import RalphEngine
from ralph.system.places import bytecode_dir
from ralph.verdict import Verdict
from tests.project import link_packages, repository, write

SAMPLES = Path(__file__).parent.parent / "samples"
NODE_MODULES = Path(__file__).parent.parent / "node" / "node_modules"
TOOLS = os.pathsep.join([str(Path(sys.executable).parent), str(NODE_MODULES / ".bin"), os.environ["PATH"]])
"""Where the tools lie is on PATH, so that steps see them wherever this repository stands."""
BYTECODE = Path(__file__).parents[2] / ".pytest_cache" / "steps-bytecode"
NOT_COPIED = shutil.ignore_patterns("node_modules", "coverage", "__pycache__", ".*_cache")


def sample(name: str, root: Path, extra: Mapping[str, str | None] | None = None) -> Path:
    """The sample committed as the base of a new repository, with `extra` files in the base as well (None: without)."""
    shutil.copytree(SAMPLES / name, root, ignore=NOT_COPIED)
    if name == "typescript":
        link_packages(root, NODE_MODULES)
    write(root, extra or {})
    share_bytecode(root)
    return repository(root, {})


def share_bytecode(root: Path) -> None:
    """One place for byte code, as a repository has that is verified often: compiling pytest anew takes seconds.

    It is known to the cache of this test, so a repository that several tests use needs it in each of them.
    """
    place = bytecode_dir(root)
    place.parent.mkdir(parents=True, exist_ok=True)
    BYTECODE.mkdir(parents=True, exist_ok=True)
    if not place.is_symlink():
        place.symlink_to(BYTECODE)


def context_of(root: Path, **commands: str | None) -> AppContext:
    """The sample's context with some commands replaced."""
    context = read_context(root / "ralph-context.yaml")
    return dataclasses.replace(context, commands=dataclasses.replace(context.commands, **commands))


def verify(
    root: Path,
    *,
    contract: AutonomyContract | None = None,
    commands: Mapping[str, str | None] | None = None,
    **options: Any,
) -> Verdict:
    environ = {**os.environ, "PATH": TOOLS}
    return RalphEngine(repository=root, environ=environ, **options).verify(
        context_of(root, **(commands or {})), contract
    )
