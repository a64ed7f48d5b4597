"""Writing the files of a tree to disk, byte for byte (design decisions 10, 12).

No filter, hook, attribute or line-end conversion of the repository takes part: each blob is read, checked against its
id and written as it is. Executable bits and symbolic links are kept; a link that leads out of the tree stays a plain
link and is never followed; a gitlink becomes an empty directory. Only into an empty directory, and nothing is ever
written through a link: a tree made by hand may hold `..`, `.git`, or one name as both link and folder.
"""

from __future__ import annotations

import os
from pathlib import Path

from ralph.errors import RepositoryError
from ralph.system.git_objects import MODE_GITLINK, MODE_SYMLINK, Entry, Objects

_READ_AHEAD = 200


def write_files(objects: Objects, tree: str, directory: Path) -> None:
    """Write `tree` into `directory`, which is made or must be empty. Raises RepositoryError."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if any(directory.iterdir()):
            raise RepositoryError(f"{directory} is not empty: files of a tree are only written to an empty directory.")
        _fill(objects, tree, directory)
    except (OSError, ValueError) as error:
        raise RepositoryError(f"The files of tree {tree} cannot be written to {directory}: {error}.") from None


def _fill(objects: Objects, tree: str, directory: Path) -> None:
    entries = objects.tree(tree)
    names = [entry.name for entry in entries]
    if len(set(names)) != len(names) or any(_unsafe(name) for name in names):
        raise RepositoryError(f"The tree {tree} holds a name that no file may have, or one name twice.")
    for start in range(0, len(entries), _READ_AHEAD):
        ahead = entries[start : start + _READ_AHEAD]
        objects.check(entry.id for entry in ahead if entry.mode != MODE_GITLINK)
        for entry in ahead:
            _write(objects, entry, directory / entry.name)


def _write(objects: Objects, entry: Entry, path: Path) -> None:
    if entry.is_tree:
        path.mkdir()
        _fill(objects, entry.id, path)
    elif entry.mode == MODE_GITLINK:
        path.mkdir()
    elif entry.mode == MODE_SYMLINK:
        path.symlink_to(os.fsdecode(objects.blob(entry.id)))
    else:
        mode = 0o777 if entry.mode == "100755" else 0o666
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode), "wb") as file:
            file.write(objects.blob(entry.id))


def _unsafe(name: str) -> bool:
    return name in ("", ".", "..") or "/" in name or name.lower() == ".git"
