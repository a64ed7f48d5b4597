"""Digests of the programs that the steps run, taken as a run begins and compared as it ends.

Rules (design decision 7): the program of every command (found in the steps' PATH), and everything in the project's
`.venv/bin` and `node_modules/.bin`, links followed; with them the files that Python runs at every start (`*.pth`,
sitecustomize) and the lists of what is installed. A difference is `could not verify: tools changed`.

The digest is that of the contents, never of the path's place: a file that was read once is known again by its
device, inode, size and times, which makes the second look, and a second run, nearly free.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from pathlib import Path

from ralph.steps.commandline import read_line
from ralph.steps.environment import PROJECT_BIN

MAX_FILES = 5_000
MISSING = "missing"

_INSTALLED = (
    ".venv/pyvenv.cfg",
    ".venv/lib/python*/site-packages/*.pth",
    ".venv/lib/python*/site-packages/sitecustomize.py",
    ".venv/lib/python*/site-packages/usercustomize.py",
    ".venv/lib/python*/site-packages/*.dist-info/RECORD",
    "node_modules/.package-lock.json",
)


def tool_digests(
    commands: Iterable[str], *, root: Path, env: Mapping[str, str], known: MutableMapping[str, str]
) -> dict[str, str]:
    """path -> sha256 (or `missing`). `known` maps a file's state to its digest; pass the same one again, or keep it."""
    paths = {*_programs(commands, root, env), *_project_files(root)}
    return {shown(path, root): _digest(path, known) for path in sorted(paths)}


def changed_tools(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """What was added, removed or changed, sorted."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def shown(path: Path, root: Path) -> str:
    return str(path.relative_to(root) if path.is_relative_to(root) else path)


def _programs(commands: Iterable[str], root: Path, env: Mapping[str, str]) -> Iterator[Path]:
    """The first word of every simple command, where the shell would find it."""
    for command in commands:
        for simple in read_line(command).commands:
            word = simple.words[0].text
            found = str(root / word) if "/" in word else shutil.which(word, path=env.get("PATH", ""))
            if found:
                yield Path(found)


def _project_files(root: Path) -> Iterator[Path]:
    for folder in PROJECT_BIN:
        if (root / folder).is_dir():
            yield from sorted((root / folder).iterdir())[:MAX_FILES]
    for pattern in _INSTALLED:
        yield from sorted(root.glob(pattern))[:MAX_FILES]


def _digest(path: Path, known: MutableMapping[str, str]) -> str:
    """sha256 of what a path leads to. Something that is no readable file has none."""
    try:
        with path.open("rb") as file:
            state = os.fstat(file.fileno())
            key = ":".join(map(str, (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)))
            if key not in known:
                known[key] = hashlib.file_digest(file, "sha256").hexdigest()
            return known[key]
    except OSError:
        return MISSING
