"""The manifest of an audit directory: the sha256 of every file in it but those that are signed over it."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from ralph.errors import EvidenceError

MANIFEST = "manifest.json"
SIGNED_OVER = frozenset({MANIFEST, "attestation.json", "vsa.json", "checkpoint.json"})


def build(directory: Path) -> bytes:
    """The manifest's bytes for what stands in `directory` now."""
    files = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in _files(directory)}
    listed = {name: digest for name, digest in files.items() if name not in SIGNED_OVER}
    return json.dumps({"sha256": listed}, indent=1, sort_keys=True).encode() + b"\n"


def differences(directory: Path, manifest: bytes) -> list[str]:
    """How the files in `directory` differ from what the manifest says; empty when they do not."""
    try:
        expected = dict(json.loads(manifest)["sha256"])
    except (ValueError, KeyError, TypeError):
        return [f"{MANIFEST} is not readable"]
    found = []
    present = dict(_files(directory))
    for name in sorted(expected.keys() - present.keys()):
        found.append(f"{name} is missing")
    for name in sorted(present.keys() - expected.keys() - SIGNED_OVER):
        found.append(f"{name} was added")
    for name in sorted(expected.keys() & present.keys()):
        if hashlib.sha256(present[name].read_bytes()).hexdigest() != expected[name]:
            found.append(f"{name} was changed")
    return found


def _files(directory: Path) -> Iterator[tuple[str, Path]]:
    """Every regular file below, by relative name. Raises EvidenceError for anything that is neither file nor folder."""
    for folder, folders, names in os.walk(directory):
        for name in sorted(folders + names):
            path = Path(folder, name)
            if path.is_symlink() or not (path.is_file() or path.is_dir()):
                raise EvidenceError(f"{path} is neither a file nor a folder; evidence holds nothing else.")
            if path.is_file():
                yield path.relative_to(directory).as_posix(), path
