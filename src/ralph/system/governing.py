"""A file that governs Ralph, in a version that the tree under judgement cannot have chosen.

Design decision 5: a file counts as a person accepted it (byte for byte, see `system.trusted`), else as it stands in
the base. A person's acceptance is the newest word; the base is the word of those who came before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from ralph.record import record
from ralph.system.git import Repository
from ralph.system.yaml import MAX_BYTES


@record(kw_only=True)
class Governing:
    """The bytes that count. `name` is for errors in them, `source` says where they are from."""

    data: bytes
    name: str
    source: str


def governing(name: str, repo: Repository, base: str | None, accepted: Mapping[str, str]) -> Governing | None:
    """The version of a governing file that counts; None where there is none."""
    found = present(repo.root / name)
    if found is not None and accepted.get(name) == hashlib.sha256(found).hexdigest():
        return Governing(data=found, name=name, source=f"{name} as a person accepted it")
    data = repo.read(base, name) if base else None
    if data is None:
        return None
    return Governing(data=data, name=f"{name} of the base", source=f"{name} as it stands in the base")


def present(path: Path) -> bytes | None:
    """What stands there, if it can be such a file: not a pipe that an agent made, at which one would wait forever."""
    try:
        return path.read_bytes() if path.is_file() and path.stat().st_size <= MAX_BYTES else None
    except OSError:
        return None
