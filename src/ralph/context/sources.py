"""Where a context may come from, so that the tree under judgement cannot choose how it is judged.

Design decision 5, in this order: an adapter (outside the repository); a named file outside the repository, or as
it stands in the base; `ralph-context.yaml` of the base; the same file as a person accepted it; else what the
base tree shows by itself (detected).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ralph.context.loader import CONTEXT_FILE, parse_context, read_context
from ralph.context.schema import AppContext
from ralph.errors import ConfigError
from ralph.record import record
from ralph.system.git import Repository
from ralph.system.governing import governing
from ralph.system.places import config_home

if TYPE_CHECKING:
    from ralph.context.detect import Detected


@record
class Sourced:
    """A context and where it came from. `detected` is set when it was read off the base tree."""

    context: AppContext
    source: str
    detected: Detected | None = None


def adapter_file(name: str, bundled: Path) -> Path:
    """An adapter's context file: the user's own before those that come with Ralph, or a directory given by path."""
    places = [config_home() / "adapters" / name, bundled / name, Path(name)]
    for place in places:
        if (place / CONTEXT_FILE).is_file():
            return place / CONTEXT_FILE
    folders = [folder for folder in (config_home() / "adapters", bundled) if folder.is_dir()]
    known = sorted({path.parent.name for folder in folders for path in folder.glob(f"*/{CONTEXT_FILE}")})
    raise ConfigError(f"There is no adapter {name!r}; there are: {', '.join(known)}.")


def from_file(path: Path, repo: Repository, base: str | None, accepted: Mapping[str, str]) -> Sourced:
    """A named context file. Inside the repository only its version of the base, or one a person accepted, counts."""
    resolved = path.resolve()
    if not resolved.is_relative_to(repo.root):
        return Sourced(read_context(resolved), str(path))
    name = resolved.relative_to(repo.root).as_posix()
    return _governed(name, repo, base, accepted) or _refuse(name, resolved)


def from_repository(repo: Repository, base: str | None, accepted: Mapping[str, str]) -> Sourced:
    """The repository's own context, else what its base shows."""
    found = _governed(CONTEXT_FILE, repo, base, accepted)
    if found:
        return found
    from ralph.context.detect import detect  # reads TOML and JSON: only where there is no context file

    tree = repo.tree_of(base) if base else None
    paths = frozenset(repo.paths(tree)) if tree else frozenset()
    detected = detect(repo.root.name or "project", paths, lambda name: repo.read(tree, name) if tree else None)
    return Sourced(detected.context, "detected from the base tree", detected)


def _governed(name: str, repo: Repository, base: str | None, accepted: Mapping[str, str]) -> Sourced | None:
    found = governing(name, repo, base, accepted)
    return Sourced(parse_context(found.data, found.name), found.source) if found else None


def _refuse(name: str, path: Path) -> Sourced:
    if not path.exists():
        raise ConfigError(f"The context file {name} does not exist, neither in the base commit nor in the project.")
    raise ConfigError(
        f"{name} is neither in the base commit nor accepted by a person, so the change could have written it: "
        "commit it, or accept it with `ralph init`."
    )
