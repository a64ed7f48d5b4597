"""The steps that the permissions demand besides those of the policy set (design decision 26)."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from ralph.permissions.loader import POLICY_FILE, parse
from ralph.system.git import Repository


def required_checks(repo: Repository, base: str | None, accepted: Mapping[str, str]) -> tuple[str, ...]:
    """The permissions count as a person accepted them, else as in the base. Raises ConfigError."""
    path = repo.root / POLICY_FILE
    present = path.read_bytes() if path.is_file() and not path.is_symlink() else None
    if present is None or accepted.get(POLICY_FILE) != sha256(present).hexdigest():
        present = repo.read(base, POLICY_FILE) if base else None
    if present is None:
        return ()
    return tuple("tests" if name == "test" else name for name in parse(present, POLICY_FILE).checks.required)
