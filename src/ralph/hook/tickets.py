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

import json
import os
from contextlib import suppress
from pathlib import Path

from ralph.hook import seals
from ralph.hook.model import RefusedError
from ralph.record import asdict, record

VALID_S = 120.0
"""The client starts the command as soon as it has its answer."""
KIND = "ticket"


@record(kw_only=True)
class Ticket:
    """Times are seconds since the epoch. `classes`: what a person approved it as; empty if it needed nobody.

    `only_reads` and `writes_git` are facts of the decision: they say what the walls open. `court` is the folder of the
    turn whose court decided (see `court`); empty if the project's own policy did.
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
    court: str = ""


def folder(root: Path) -> Path:
    return root / ".ralph" / "tickets"


def new_id() -> str:
    return os.urandom(16).hex()


def issue(ticket: Ticket) -> Path:
    """Write the ticket down; gives its place. Raises OSError, RefusedError."""
    body = json.dumps(asdict(ticket), sort_keys=True).encode("ascii")
    if len(body) > seals.LARGEST:
        raise RefusedError(f"The command has more than {seals.LARGEST} characters; put it into a script.")
    place = folder(Path(ticket.root)) / f"{ticket.id}.json"
    for made in (place.parent.parent, place.parent):
        with suppress(FileExistsError):
            made.mkdir(mode=0o700)
        if made.is_symlink():
            raise RefusedError(f"{made} is a link, which Ralph does not follow: remove it.")
    seals.create(place, seals.sealed(body, KIND))
    return place


def take(place: Path, now: float) -> Ticket:
    """Use the ticket up. Raises RefusedError if it is unknown, used, forged or too old."""
    if not place.is_absolute() or place.parent.name != "tickets" or place.parent.parent.name != ".ralph":
        raise RefusedError("That is not the place of a ticket; tickets are made by `ralph hook`.")
    mine = place.with_name(f"{place.stem}.{os.urandom(8).hex()}.used")
    try:
        place.rename(mine)
        try:
            data = seals.read(mine)
        finally:
            mine.unlink()
    except OSError:
        raise RefusedError("There is no such ticket, or it has been used: let the client ask again.") from None
    body = seals.opened(data, KIND)
    if body is None:
        raise RefusedError("The ticket was not made by Ralph: nothing runs.")
    fields = json.loads(body)
    ticket = Ticket(**{**fields, "classes": tuple(fields["classes"])})
    if place != folder(Path(ticket.root)) / f"{ticket.id}.json":
        raise RefusedError("The ticket belongs to another place: nothing runs.")
    if not ticket.made_at <= now < ticket.expires_at:
        raise RefusedError("The ticket has expired: let the client ask again.")
    return ticket
