"""A person's answer, signed, and how whoever waits checks it for himself (design decision 24).

An answer counts only if a trusted key signed exactly this request (every byte of it), this action and this decision,
and the decision fell before the request expired. An answer to another request, to a request that was changed since, or
by another key approves nothing.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from ralph.approvals import wire
from ralph.approvals.model import PERSONS, Answer, Decision, Request, moment
from ralph.audit import dsse
from ralph.audit.keys import signing_key, trusted_keys
from ralph.errors import ApprovalError, ConfigError, EvidenceError, StorageError
from ralph.record import record
from ralph.system import records
from ralph.system.clock import rfc3339
from ralph.system.files import parse_json
from ralph.system.places import config_home

PAYLOAD_TYPE = "application/vnd.ralph.approval+json"


@record(kw_only=True)
class Signed:
    """What a signature covers."""

    request: str
    request_digest: str
    action_hash: str
    expires_at: str
    decision: str
    reason: str
    text: str
    who: str
    decided_at: str


def seal(request: Request, answer: Answer, now: datetime) -> bytes:
    """The signed answer, as the bytes of its file. Raises StorageError if the person's key cannot be used."""
    signed = Signed(
        request=request.id,
        request_digest=wire.digest(request),
        action_hash=request.action_hash,
        expires_at=request.expires_at,
        decision=answer.decision,
        reason=answer.reason,
        text=answer.text,
        who=answer.who or "",
        decided_at=rfc3339(now),
    )
    return dsse.seal(asdict(signed), PAYLOAD_TYPE, signing_key(outside=Path(request.root)))


def unseal(data: bytes, request: Request) -> Answer:
    """The answer to exactly this request. Raises ApprovalError saying why it does not count."""
    what = f"The answer to approval request {request.id}"
    if config_home().resolve().is_relative_to(Path(request.root).resolve()):
        raise StorageError(
            f"The configuration folder {config_home()} lies inside the repository, where an agent could put a key; set "
            "XDG_CONFIG_HOME to a folder outside it."
        )
    try:
        signed = records.parse(Signed, dsse.unseal(data, PAYLOAD_TYPE, trusted_keys(), what), what)
        decision = Decision(signed.decision)
        late = moment(signed.decided_at) >= moment(request.expires_at)
    except EvidenceError as error:
        raise ApprovalError(f"{str(error).rstrip('.')}; the request counts as rejected.") from None
    except (ConfigError, ValueError):
        raise ApprovalError(f"{what} is damaged; the request counts as rejected.") from None
    if signed.request != request.id:
        raise ApprovalError(f"{what} was given to another request; this one counts as rejected.")
    bound = (wire.digest(request), request.action_hash, request.expires_at)
    if (signed.request_digest, signed.action_hash, signed.expires_at) != bound:
        raise ApprovalError(f"{what} was given to another text of it: the request was changed; it counts as rejected.")
    if decision not in PERSONS or late:
        raise ApprovalError(f"{what} was not given by a person in time; the request counts as rejected.")
    if decision is Decision.APPROVED and request.requires_reason and not signed.reason.strip():
        raise ApprovalError(f"{what} lacks the reason that the policy requires; the request counts as rejected.")
    keyid = str(parse_json(data)["signatures"][0]["keyid"])
    return Answer(
        decision=decision,
        reason=signed.reason,
        text=signed.text,
        who=signed.who,
        keyid=keyid,
        decided_at=signed.decided_at,
    )
