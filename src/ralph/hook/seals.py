"""Files that prove that Ralph wrote them: a MAC on the first line, what it covers behind it.

The key lies in Ralph's configuration folder, which no confined command can read. Each kind of file has a MAC of its
own, so that none can stand in for another.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from ralph.hook.model import RefusedError
from ralph.system.places import config_home

LARGEST = 1 << 20
_KEY_BYTES = 32


def sealed(body: bytes, kind: str) -> bytes:
    """What is written: the body behind its MAC. Raises OSError, RefusedError."""
    return _mac(body, kind) + b"\n" + body


def opened(data: bytes, kind: str) -> bytes | None:
    """The body, or None if its MAC is not Ralph's. Raises OSError, RefusedError."""
    from hmac import compare_digest  # the hook, which mostly makes seals, has no time for it

    mac, _, body = data.partition(b"\n")
    return body if compare_digest(mac, _mac(body, kind)) else None


def create(place: Path, data: bytes) -> None:
    """A new file for this person alone. Raises FileExistsError and any other OSError."""
    descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor
        file.write(data)


def read(place: Path) -> bytes:
    """What stands there, up to what a sealed file may hold; no link is followed, and no pipe waited for."""
    descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor
        return file.read(LARGEST + 100)


def _mac(body: bytes, kind: str) -> bytes:
    return hashlib.blake2b(body, key=_key(), person=f"ralph {kind} 1".encode()).hexdigest().encode("ascii")


def _key() -> bytes:
    """The key of this person's seals, made on first use. Raises OSError."""
    place = config_home() / "keys" / "tickets.key"
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        temporary = place.with_name(f".{os.urandom(8).hex()}.tmp")
        create(temporary, os.urandom(_KEY_BYTES))
        with suppress(FileExistsError):
            place.hardlink_to(temporary)
        temporary.unlink()
    key = read(place)
    if len(key) != _KEY_BYTES:
        raise RefusedError(f"{place} is damaged; move it away and Ralph makes a new one.")
    return key
