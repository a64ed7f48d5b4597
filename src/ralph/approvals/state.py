"""Where a request stands, read from its files: what both sides of the queue look at."""

from __future__ import annotations

import os
from datetime import datetime
from typing import Literal, get_args

from ralph.approvals import wire
from ralph.approvals.folder import Folder
from ralph.approvals.model import Answer, Entry, Request, Status
from ralph.errors import ApprovalError
from ralph.system.files import parse_json

REQUEST, ANSWER, CLOSED = ".request.json", ".answer.json", ".closed.json"
Closing = Literal["used", "delivered", "expired", "withdrawn"]
"""`delivered`: the agent was told that it was rejected, or the safer alternative."""


def load(folder: Folder, request_id: str) -> Request:
    """A request as its file has it. Raises ApprovalError if there is none, or it is damaged."""
    data = folder.read(request_id + REQUEST, wire.LARGEST)
    if data is None:
        raise ApprovalError(f"There is no approval request {request_id}: `ralph approvals list` shows those there are.")
    request = wire.decode(data, request_id)
    if request.root != str(folder.path.parent.parent):
        raise ApprovalError(f"The approval request {request_id} belongs to the project {request.root}, not to this.")
    return request


def answer_of(folder: Folder, request: Request) -> Answer | None:
    """The answer to `request` as the caller knows it, None if there is none. Raises ApprovalError if it is forged."""
    data = folder.read(request.id + ANSWER, wire.LARGEST)
    if data is None:
        return None
    from ralph.approvals import sealing  # loads cryptography, which asking must not wait for

    return sealing.unseal(data, request)


def closed_as(folder: Folder, request_id: str) -> Closing | None:
    """How a request was closed, None if it is not. Raises ApprovalError if that cannot be read: it is not open."""
    data = folder.read(request_id + CLOSED, wire.LARGEST)
    if data is None:
        return None
    try:
        how = parse_json(data)["as"]
    except (ValueError, KeyError, TypeError):
        how = None
    for known in get_args(Closing):
        if how == known:
            closing: Closing = known
            return closing
    raise ApprovalError(f"The end of approval request {request_id} is damaged: it counts as rejected; ask again.")


def entry(folder: Folder, request_id: str, now: datetime) -> Entry:
    """One request with all that is known of it."""
    request: Request | None = None
    try:
        request = load(folder, request_id)
        answer = answer_of(folder, request)
        closed = closed_as(folder, request_id)
    except ApprovalError as error:
        return Entry(id=request_id, status=Status.DAMAGED, request=request, problem=str(error))
    status = _status(request, answer, closed, now)
    waiting = status in (Status.OPEN, Status.APPROVED) and _is_held(folder, request_id)
    return Entry(id=request_id, status=status, request=request, answer=answer, waiting=waiting)


def entries(folder: Folder, now: datetime) -> list[Entry]:
    """Every request, the one asked last at the end; damaged ones first."""
    ids = [name.removesuffix(REQUEST) for name in folder.names() if name.endswith(REQUEST)]
    found = [entry(folder, each, now) for each in ids]
    return sorted(found, key=lambda each: (each.request.asked_at if each.request else "", each.id))


def _status(request: Request, answer: Answer | None, closed: Closing | None, now: datetime) -> Status:
    if closed and closed != "delivered":
        return Status(closed)
    if answer and not answer.approved:
        return Status(answer.decision)
    if not request.is_open_at(now):
        return Status.EXPIRED
    return Status.APPROVED if answer else Status.OPEN


def _is_held(folder: Folder, request_id: str) -> bool:
    held = folder.hold(request_id + REQUEST)
    if held is None:
        return True
    os.close(held)
    return False
