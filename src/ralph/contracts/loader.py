"""Finds and reads contracts: those that come with Ralph, and those in the user's configuration folder.

A contract is looked up by name in the configuration folder first, so that a team's own `bugfix` can replace
ours; a path names a file directly. `check` is the pure comparison of a change with a contract.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ralph.contracts.schema import SANDBOX_LEVELS, AutonomyContract
from ralph.errors import ConfigError
from ralph.system.globs import matches_any
from ralph.system.places import config_home
from ralph.system.records import parse
from ralph.system.yaml import decode_yaml, read_source

BUNDLED = Path(__file__).parent


def available() -> dict[str, Path]:
    """Contracts by name. The user's own stand before ours."""
    folders = (BUNDLED, config_home() / "contracts")
    return {path.stem: path for folder in folders for path in sorted(folder.glob("*.yaml"))}


def load(name_or_path: str) -> AutonomyContract:
    """The contract of this name, or in this file. Raises ConfigError."""
    known = available()
    if name_or_path in known:
        return read(known[name_or_path])
    path = Path(name_or_path)
    if path.suffix in (".yaml", ".yml"):
        return read(path)
    raise ConfigError(f"There is no contract named {name_or_path!r}; there are: {', '.join(known)}.")


def read(path: Path) -> AutonomyContract:
    data = decode_yaml(read_source(path, "The contract"), str(path))
    terms = parse(AutonomyContract, data, str(path))
    for name, value in (("lines_added", terms.limits.lines_added), ("files_changed", terms.limits.files_changed)):
        if value is not None and value < 0:
            raise ConfigError(f"{path}: limits.{name} must not be negative (found {value}).")
    for step, exemption in terms.steps.items():
        if not exemption.not_applicable.strip():
            raise ConfigError(f"{path}: steps.{step}.not_applicable must say why the step does not apply.")
    if terms.controls.mutants_budget_s < 1:
        raise ConfigError(f"{path}: controls.mutants_budget_s must be at least 1.")
    return terms


def breaches(
    terms: AutonomyContract, *, agent_type: str, lines_added: int, paths: Iterable[str], sandbox_level: str
) -> list[str]:
    """Every way in which a change exceeds a contract, one sentence each; empty when it does not."""
    changed = list(paths)
    found = []
    if agent_type != terms.agent:
        found.append(f"the agent is {agent_type!r}, but the contract is for {terms.agent!r}")
    limits = terms.limits
    if limits.lines_added is not None and lines_added > limits.lines_added:
        found.append(f"Lines added ({lines_added}) exceeds contract max ({limits.lines_added})")
    if limits.files_changed is not None and len(changed) > limits.files_changed:
        found.append(f"Files changed ({len(changed)}) exceeds contract max ({limits.files_changed})")
    if terms.paths:
        outside = [path for path in changed if not matches_any(path, terms.paths)]
        if outside:
            found.append(f"{outside[0]} is outside the contract's paths ({', '.join(terms.paths)})" + _more(outside))
    if SANDBOX_LEVELS.index(terms.sandbox) > SANDBOX_LEVELS.index(sandbox_level):
        found.append(f"the contract demands sandbox level {terms.sandbox!r}, but the level here is {sandbox_level!r}")
    return found


def _more(items: list[str]) -> str:
    return f" and {len(items) - 1} more" if len(items) > 1 else ""
