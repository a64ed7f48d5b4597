"""Tickets: what was judged, and nothing else, is what runs (design decision 25).

Rules:

- A ticket is `.ralph/tickets/<id>.json`, made by the hook for one allowed shell call, and used once: who moves it away
  has it, and nobody else can.
- It holds the command's whole text, its folder, the project, the digest of the policy under which it was judged, and
  what was decided; it is void after two minutes, or when the policy is another one.
- It carries a MAC by a key in Ralph's configuration folder, which no confined command can read: a file that somebody
  else put there is no ticket.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

from ralph.hook.model import RefusedError
from ralph.record import asdict, record
from ralph.system.places import config_home

VALID_S = 120.0
"""The client starts the command as soon as it has its answer."""
_LARGEST = 1 << 20
_KEY_BYTES = 32


@record(kw_only=True)
class Ticket:
    """Times are seconds since the epoch. `classes`: what a person approved it as; empty if it needed nobody.

    `only_reads` and `writes_git` are facts of the decision: they say what the walls open.
    """

    id: str
    root: str
    command: str
    cwd: str
    policy: str
    rule: str
    session: str
    client: str
    made_at: float
    expires_at: float
    classes: tuple[str, ...] = ()
    only_reads: bool = False
    writes_git: bool = False


def folder(root: Path) -> Path:
    return root / ".ralph" / "tickets"


def new_id() -> str:
    return os.urandom(16).hex()


def issue(ticket: Ticket) -> Path:
    """Write the ticket down; gives its place. Raises OSError, RefusedError."""
    body = json.dumps(asdict(ticket), sort_keys=True).encode("ascii")
    if len(body) > _LARGEST:
        raise RefusedError(f"The command has more than {_LARGEST} characters; put it into a script.")
    place = folder(Path(ticket.root)) / f"{ticket.id}.json"
    for made in (place.parent.parent, place.parent):
        with suppress(FileExistsError):
            made.mkdir(mode=0o700)
        if made.is_symlink():
            raise RefusedError(f"{made} is a link, which Ralph does not follow: remove it.")
    _create(place, _mac(_key(), body).encode("ascii") + b"\n" + body)
    return place


def take(place: Path, now: float) -> Ticket:
    """Use the ticket up. Raises RefusedError if it is unknown, used, forged or too old."""
    from hmac import compare_digest  # the hook, which only makes tickets, has no time for it

    if not place.is_absolute() or place.parent.name != "tickets" or place.parent.parent.name != ".ralph":
        raise RefusedError("That is not the place of a ticket; tickets are made by `ralph hook`.")
    mine = place.with_name(f"{place.stem}.{os.urandom(8).hex()}.used")
    try:
        place.rename(mine)
        try:
            data = _read(mine)
        finally:
            mine.unlink()
    except OSError:
        raise RefusedError("There is no such ticket, or it has been used: let the client ask again.") from None
    mac, _, body = data.partition(b"\n")
    if not compare_digest(mac, _mac(_key(), body).encode("ascii")):
        raise RefusedError("The ticket was not made by Ralph: nothing runs.")
    fields = json.loads(body)
    ticket = Ticket(**{**fields, "classes": tuple(fields["classes"])})
    if place != folder(Path(ticket.root)) / f"{ticket.id}.json":
        raise RefusedError("The ticket belongs to another place: nothing runs.")
    if not ticket.made_at <= now < ticket.expires_at:
        raise RefusedError("The ticket has expired: let the client ask again.")
    return ticket


def _mac(key: bytes, body: bytes) -> str:
    return hashlib.blake2b(body, key=key, person=b"ralph ticket 1").hexdigest()


def _key() -> bytes:
    """The key of this person's tickets, made on first use. Raises OSError."""
    place = config_home() / "keys" / "tickets.key"
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        temporary = place.with_name(f".{os.urandom(8).hex()}.tmp")
        _create(temporary, os.urandom(_KEY_BYTES))
        with suppress(FileExistsError):
            place.hardlink_to(temporary)
        temporary.unlink()
    key = _read(place)
    if len(key) != _KEY_BYTES:
        raise RefusedError(f"{place} is damaged; move it away and Ralph makes a new one.")
    return key


def _create(place: Path, data: bytes) -> None:
    descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor
        file.write(data)


def _read(place: Path) -> bytes:
    descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor
        return file.read(_LARGEST + 100)
