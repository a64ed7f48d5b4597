"""DSSE envelopes (Dead Simple Signing Envelope, protocol version 1) with Ed25519 signatures.

An envelope has exactly one encoding here, and `read` accepts no other: one changed byte, even of white space or
of an unsigned field, is refused.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any

from ralph.audit.keys import PublicKey, SigningKey
from ralph.errors import EvidenceError
from ralph.system.files import parse_json

IN_TOTO = "application/vnd.in-toto+json"


def pae(payload_type: str, payload: bytes) -> bytes:
    """The bytes that are signed: the pre-authentication encoding of type and payload."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def seal(payload: Mapping[str, Any], payload_type: str, key: SigningKey) -> bytes:
    """The signed envelope of a JSON payload, as the bytes of a file. ASCII holds every path, also what is no UTF-8."""
    body = json.dumps(payload, sort_keys=True, separators=(",", ":")).encode("ascii")
    return _encode(body, payload_type, key.public.keyid, key.sign(pae(payload_type, body)))


def unseal(data: bytes, payload_type: str, keys: Mapping[str, PublicKey], source: str) -> dict[str, Any]:
    """The payload of an envelope signed by one of `keys`. Raises EvidenceError naming `source`."""
    try:
        envelope = parse_json(data)
        (signature,) = envelope["signatures"]
        body = base64.b64decode(envelope["payload"], validate=True)
        signed = base64.b64decode(signature["sig"], validate=True)
        keyid, kind = str(signature["keyid"]), str(envelope["payloadType"])
    except (ValueError, KeyError, TypeError, binascii.Error):
        raise EvidenceError(f"{source} is not a signed envelope.") from None
    if data != _encode(body, kind, keyid, signed) or kind != payload_type:
        raise EvidenceError(f"{source} is not, byte for byte, an envelope that Ralph wrote.")
    key = keys.get(keyid)
    if key is None:
        raise EvidenceError(
            f"{source} is signed by the unknown key {keyid[:16]}; if you trust its owner, put the public key into "
            "keys/trusted/ of Ralph's configuration folder."
        )
    if not key.verifies(signed, pae(kind, body)):
        raise EvidenceError(f"{source} carries a signature that does not match its content.")
    payload: dict[str, Any] = json.loads(body)
    return payload


def _encode(body: bytes, payload_type: str, keyid: str, signature: bytes) -> bytes:
    envelope = {
        "payload": base64.b64encode(body).decode(),
        "payloadType": payload_type,
        "signatures": [{"keyid": keyid, "sig": base64.b64encode(signature).decode()}],
    }
    return json.dumps(envelope, indent=1).encode() + b"\n"
