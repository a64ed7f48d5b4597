"""The record of what a person accepted: files of a repository by their digests, outside of it.

Design decision 5: a file absent from the base that a person accepted counts as base, as long as it is byte for byte
what was accepted. The record is `trusted.json` in Ralph's configuration folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ralph.errors import StorageError
from ralph.system import files
from ralph.system.places import config_home


def accepted(root: Path) -> Mapping[str, str]:
    """Accepted files of the repository at `root`: relative path to sha256. Raises StorageError when damaged."""
    path = record()
    if not path.exists():
        return {}
    recorded = files.read_json(path)
    entries = recorded.get(str(root), {}) if isinstance(recorded, dict) else None
    if not isinstance(entries, dict) or not all(isinstance(value, str) for value in entries.values()):
        raise StorageError(f"{path} is damaged: it must map repositories to files and digests; correct or remove it.")
    return entries


def record() -> Path:
    return config_home() / "trusted.json"
