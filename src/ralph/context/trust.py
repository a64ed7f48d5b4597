"""Governance files that a person accepted before they were committed: their digests, outside the repository.

Design decision 5: a file absent from the base that a person accepted counts as base, as long as it is byte for
byte what was accepted. The record is `trusted.json` in Ralph's configuration folder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from ralph.errors import StorageError
from ralph.system import files
from ralph.system.places import config_home


def accepted(root: Path) -> Mapping[str, str]:
    """Accepted files of the repository at `root`: relative path to sha256. Raises StorageError when damaged."""
    path = _record()
    if not path.exists():
        return {}
    recorded = files.read_json(path)
    entries = recorded.get(str(root), {}) if isinstance(recorded, dict) else None
    if not isinstance(entries, dict) or not all(isinstance(value, str) for value in entries.values()):
        raise StorageError(f"{path} is damaged: it must map repositories to files and digests; correct or remove it.")
    return entries


def accept(root: Path, paths: Iterable[str]) -> Mapping[str, str]:
    """Record that a person accepts these files of `root` as they stand now; gives their digests."""
    path = _record()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    digests = {name: hashlib.sha256((root / name).read_bytes()).hexdigest() for name in paths}
    with files.lock(path):
        recorded = files.read_json(path) if path.exists() else {}
        known = {**accepted(root), **digests}
        files.write_json(path, {**recorded, str(root): known})
    return digests


def _record() -> Path:
    return config_home() / "trusted.json"
