"""Requests as the bytes of a file, and the hashes that bind an approval to them (design decision 24).

Rules:

- `action_hash` covers everything that decides what happens: kind, text, directory, content, the project and the policy
  under which it was judged. An approved action that changes in any of these is another action.
- A request has exactly one encoding. `decode` accepts no other, and none whose action does not have its hash: who
  changes what a person is shown changes the hash that the person signs.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import Any

import rfc8785

from ralph.approvals.model import Request, Shown, moment, shown
from ralph.errors import ApprovalError, ConfigError
from ralph.permissions.model import Action
from ralph.system import records
from ralph.system.files import parse_json

LARGEST = 4 << 20
"""No request is larger; whatever is, was not written by Ralph."""
_VERSION = 1


def action_hash(action: Action, policy_digest: str, root: str) -> str:
    """sha256 of what would be done, in canonical JSON (RFC 8785). Raises ApprovalError for text that is no Unicode."""
    return hash_of(shown(action), policy_digest, root)


def hash_of(action: Shown, policy_digest: str, root: str) -> str:
    """The same for an action that a request holds."""
    bound: Any = {
        "version": _VERSION,
        "action": dataclasses.asdict(action) | {"cwd": action.cwd or root},
        "policy": policy_digest,
        "root": root,
    }
    try:
        return hashlib.sha256(rfc8785.dumps(bound)).hexdigest()
    except (rfc8785.CanonicalizationError, UnicodeError):
        raise ApprovalError(
            "The action holds bytes that are no text, so no person can be shown it: use plain names and text."
        ) from None


def encode(request: Request) -> bytes:
    """The bytes of the request's file."""
    return json.dumps(dataclasses.asdict(request), sort_keys=True, indent=1).encode("ascii") + b"\n"


def digest(request: Request) -> str:
    """sha256 of every byte of a request: what a person's signature covers beside the action's own hash."""
    return hashlib.sha256(encode(request)).hexdigest()


def decode(data: bytes, request_id: str) -> Request:
    """The request that a file holds. Raises ApprovalError saying that it is damaged or was changed."""
    what = f"The approval request {request_id}"
    try:
        request = records.parse(Request, parse_json(data), what)
        moment(request.asked_at)
        moment(request.expires_at)
    except (ValueError, ConfigError):
        raise ApprovalError(f"{what} is damaged: it counts as rejected; let the agent ask again.") from None
    if request.id != request_id or encode(request) != data:
        raise ApprovalError(f"{what} is not, byte for byte, one that Ralph wrote: it counts as rejected.")
    if hash_of(request.action, request.policy_digest, request.root) != request.action_hash:
        raise ApprovalError(f"{what} was changed: it shows another action than was asked for; it counts as rejected.")
    return request
