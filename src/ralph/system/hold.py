"""Marks that say "a living process is at work here": a kill takes the mark's lock away, nothing else does."""

from __future__ import annotations

import fcntl
import os
import secrets
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Held:
    path: Path
    descriptor: int

    def release(self) -> None:
        self.path.unlink(missing_ok=True)
        os.close(self.descriptor)


def hold(path: Path) -> Held:
    """Make the mark, locked from its first moment on: nobody can see it unheld while this process lives."""
    temporary = path.with_name(f".{secrets.token_hex(8)}.tmp")
    descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    temporary.rename(path)
    return Held(path, descriptor)


def is_held(path: Path) -> bool:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
