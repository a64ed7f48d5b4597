"""The specifications as they lie in `specs/`, read without trust.

Rules: every `*.md` below `specs/` is one, in the order of its path. No link is followed. What cannot be read (a link, a
pipe, no UTF-8, too large) is a specification with that problem: none is left out silently.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ralph.errors import StorageError
from ralph.loop.phases.specs import Spec, read_spec
from ralph.loop.phases.tools import SPECS
from ralph.system import files

LARGEST = 1 << 20
"""Bytes of a specification."""
MOST = 1_000


def load_specs(root: Path) -> tuple[Spec, ...]:
    """The specifications of the project at `root`."""
    found: list[Spec] = []
    for path in _paths(root):
        if len(found) == MOST:
            problem = f"there are more than {MOST} files in {SPECS}/; the others were not read"
            return (*found, Spec(path=SPECS, title=SPECS, problems=(problem,)))
        found.append(_load(root, path))
    return tuple(found)


def _paths(root: Path) -> Iterator[str]:
    """Where specifications lie, relative to the root; a linked folder comes as itself."""
    if (root / SPECS).is_symlink():
        yield SPECS
        return
    places = []
    for folder, folders, names in os.walk(root / SPECS):
        here = Path(folder)
        places += [here / name for name in names if name.lower().endswith(".md")]
        places += [here / name for name in folders if (here / name).is_symlink()]
    yield from sorted(place.relative_to(root).as_posix() for place in places)


def _load(root: Path, path: str) -> Spec:
    try:
        size = (root / path).lstat().st_size
        if size > LARGEST:
            return _unread(path, f"it has {size} bytes, and {LARGEST} are the most")
        return read_spec(path, files.read_bytes(root / path).decode("utf-8"))
    except UnicodeDecodeError:
        return _unread(path, "it is not UTF-8 text")
    except StorageError as error:
        return _unread(path, str(error).removesuffix("."))
    except OSError as error:
        return _unread(path, files.reason(error))


def _unread(path: str, why: str) -> Spec:
    return Spec(path=path, title=path, problems=(f"it cannot be read: {why}",))
