"""From a policy to walls: which real paths a command of an agent, or a step of Ralph's, may touch.

Rules (spec: policy engine; design decisions 23 to 25):

- An allowed path that leads through a link is opened where it leads, if that is inside the project; otherwise not. What
  is allowed and denied is denied.
- A denying pattern without a slash is meant in every folder. It is searched for in the project, but not in folders of
  installed dependencies; what a command makes under such a name in a writable folder is its own.
- Closed whatever the policy says, also while they are missing: `.git`, `.ralph`, the two ledgers, what governs Ralph,
  and the settings of agent clients, which start programs outside every sandbox.
- `files.denyRead` inside `.git` holds for files that an agent names, not here: the kernel cannot tell git from others,
  and without its objects git does nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ralph.permissions import narrowing
from ralph.permissions.model import Permissions
from ralph.permissions.path_patterns import Components, components, folded, is_wild, matches
from ralph.permissions.sandbox.model import Ceilings, Level, Walls

CLOSED = (".git", ".ralph", "state/progress.jsonl", "state/learning.jsonl")
OBEYED = (
    *("ralph.policy.json", "ralph.yml", "ralph-context.yaml", ".claude", ".codex", ".mcp.json", ".gemini", ".cursor"),
    *(".vscode", ".idea", ".devcontainer", ".envrc", ".husky", ".githooks"),
)
OBEYED_IF_NEW = ("ralph.policy.json", "ralph.yml", "ralph-context.yaml", ".claude", ".codex", ".mcp.json")
"""Those that are kept from being made as well. Programs that read the others would stumble over an empty folder."""
DEPENDENCIES = frozenset({"node_modules", ".venv", "venv", "site-packages", ".tox", ".git", ".ralph"})


def demanded(permissions: Permissions) -> Level:
    """The lowest level that may be used.

    A policy that does not say demands Landlock in delivery mode, and where a phase narrows what may be written.
    """
    if permissions.sandbox.required is not None:
        return Level(permissions.sandbox.required)
    bounded = permissions.mode == "delivery" or narrowing.writes_narrowed(permissions)
    return Level.LANDLOCK if bounded else Level.NONE


def walls_for(
    permissions: Permissions, root: Path, environment: Mapping[str, str], *, open_network: bool = False
) -> Walls:
    """The walls for an agent's command in the project at `root`, which is a real path."""
    rules, sandbox = permissions.files, permissions.sandbox
    hidden = [_denying(pattern) for pattern in rules.deny_read if components(pattern)[:1] != (".git",)]
    kept = [_denying(pattern) for pattern in rules.deny_write]
    denied = any(is_wild(each) or "/" not in each.strip("/") for each in (*rules.deny_read, *rules.deny_write))
    narrow = [each.write for each in permissions.narrowed_to if each.write is not None]
    allowed = [*rules.allow_write, *(rule for each in narrow for rule in each)]
    found = list(_entries(root)) if denied or any(map(is_wild, allowed)) else []
    writable = list(_writable(root, rules.allow_write, kept, found))
    for each in narrow:
        writable = list(_common(writable, list(_left_open(root, each, kept, found))))
    return Walls(
        root=root,
        writable=(
            *writable,
            *(Path(each).expanduser() for each in sandbox.writable),
        ),
        read_only=(*_protected(root), *_repositories(root, found), *_denied(root, rules.deny_write, kept, found)),
        unreadable=tuple(_denied(root, rules.deny_read, hidden, found)) if hidden else (),
        network=sandbox.network,
        open_network=open_network,
        environment=environment,
        ceilings=Ceilings(processes=sandbox.processes, memory_bytes=sandbox.memory_mb << 20),
    )


def walls_for_steps(
    root: Path,
    environment: Mapping[str, str],
    *,
    writable: Iterable[Path] = (),
    readable: Iterable[Path] = (),
    open_network: bool = False,
    ceilings: Ceilings | None = None,
) -> Walls:
    """The walls for Ralph's own steps: the whole project but what is closed.

    `writable` are report folders and such, `readable` further folders that may lie in the home folder.
    """
    return Walls(
        root=root,
        writable=(root, *writable),
        read_only=_protected(root),
        readable_home=tuple(readable),
        open_network=open_network,
        environment=environment,
        ceilings=ceilings or Ceilings(),
    )


def _protected(root: Path) -> tuple[Path, ...]:
    standing = (name for name in OBEYED if name in OBEYED_IF_NEW or os.path.lexists(root / name))
    return tuple(root / name for name in (*CLOSED, *standing))


def _repositories(root: Path, found: list[str]) -> Iterator[Path]:
    """Git's folders of other repositories in the project: what hooks of theirs say runs on the host, too."""
    return (root / each for each in found if each.endswith("/.git"))


def _writable(root: Path, allowed: Iterable[str], kept: list[Components], found: list[str]) -> Iterator[Path]:
    for pattern in allowed:
        wanted = components(pattern)
        plain = not is_wild(pattern) or os.path.lexists(root.joinpath(*wanted))
        for name in [pattern] if plain else [each for each in found if matches(wanted, components(each), below=False)]:
            real = Path(os.path.realpath(root / name))
            if real.is_relative_to(root) and not _covered(real.relative_to(root).as_posix(), kept):
                yield real


def _left_open(root: Path, rules: Iterable[str], kept: list[Components], found: list[str]) -> Iterator[Path]:
    """What a phase leaves open. Unlike a policy, it means a place itself, not where a link of that name leads."""
    for rule in rules:
        whole = not is_wild(rule.rstrip("/").rpartition("/")[2])
        for real in _writable(root, (rule,), kept, found):
            if narrowing.covers(rule, components(real.relative_to(root).as_posix())) and (whole or not real.is_dir()):
                yield real


def _common(some: Iterable[Path], others: Iterable[Path]) -> Iterator[Path]:
    """What lies in both: of two folders the inner one, if one lies in the other."""
    for one in some:
        for other in others:
            if other.is_relative_to(one):
                yield other
            elif one.is_relative_to(other):
                yield one


def _denied(root: Path, patterns: Iterable[str], forms: list[Components], found: list[str]) -> Iterator[Path]:
    """What stands under a denied name, and where it could be made: plain names count from the root."""
    yield from (root.joinpath(*components(each)) for each in patterns if not is_wild(each) and _inside(each))
    yield from (root / each for each in found if any(matches(form, _folded(each), below=False) for form in forms))


def _inside(pattern: str) -> bool:
    return ".." not in components(pattern) and components(pattern)[:1] != (".git",) and bool(components(pattern))


def _denying(pattern: str) -> Components:
    form = _folded(pattern)
    return form if "/" in pattern.rstrip("/") else ("**", *form)


def _covered(path: str, forms: list[Components]) -> bool:
    return any(matches(form, _folded(path), below=True) for form in forms)


def _folded(path: str) -> Components:
    return tuple(map(folded, components(path)))


def _entries(root: Path) -> Iterator[str]:
    """Every file and folder of the project, as seen from its root; links are not followed."""
    todo = [""]
    while todo:
        above = todo.pop()
        try:
            entries = list(os.scandir(root / above))
        except OSError:
            continue  # closed to this user, and so to the command
        for entry in entries:
            name = f"{above}{entry.name}"
            yield name
            if entry.is_dir(follow_symlinks=False) and entry.name not in DEPENDENCIES:
                todo.append(f"{name}/")
