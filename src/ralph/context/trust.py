"""Accepting governance files before they are committed: a person's word, kept outside the repository.

What was accepted is read by `system.trusted`, which says what it means.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from ralph.system import files
from ralph.system.trusted import accepted, record

__all__ = ["accept", "accepted"]


def accept(root: Path, paths: Iterable[str]) -> Mapping[str, str]:
    """Record that a person accepts these files of `root` as they stand now; gives their digests."""
    path = record()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    digests = {name: hashlib.sha256((root / name).read_bytes()).hexdigest() for name in paths}
    with files.lock(path):
        recorded = files.read_json(path) if path.exists() else {}
        known = {**accepted(root), **digests}
        files.write_json(path, {**recorded, str(root): known})
    return digests
