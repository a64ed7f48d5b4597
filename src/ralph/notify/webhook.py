"""A signed webhook, as https://www.standardwebhooks.com describes it.

Rules:

- `webhook-id` is the notice's id, the same at every attempt: by it a receiver knows what it has. `webhook-timestamp` is
  the attempt's time; `webhook-signature` is `v1,` and the HMAC-SHA256 of id, timestamp and body.
- Only 2xx is taken. A redirect is not followed: it would carry the message elsewhere. 410 means: never again.
- https, but for this machine; and not into a private network unless the target says so: the address that was looked at
  is the one that is connected to.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import http.client
import ipaddress
import json
import socket
import ssl
from collections.abc import Mapping
from datetime import datetime
from urllib.parse import SplitResult, urlsplit

import ralph
from ralph.config.notify import LOOPBACK, NotifyEntry, is_address, is_reference
from ralph.errors import ConfigError, RalphError
from ralph.notify.hidden import reveal
from ralph.notify.notices import Notice

PREFIX = "whsec_"
LEAST_KEY = 24


class NotDelivered(RalphError):
    """A message was not taken."""


class NeverAgain(NotDelivered):
    """The receiver wants no more of it."""


def send(notice: Notice, target: NotifyEntry, environ: Mapping[str, str], now: datetime) -> None:
    """Raises NotDelivered, and ConfigError for a secret that is none."""
    assert target.webhook is not None
    assert target.secret is not None
    address = reveal(target.webhook, environ) if is_reference(target.webhook) else target.webhook
    if not is_address(address):
        raise ConfigError("The address of the webhook must begin with https:// (http:// only for this machine).")
    body = payload(notice)
    headers = signed(notice.id, body, key_of(reveal(target.secret, environ)), now)
    status = _post(urlsplit(address), body, headers, target)
    if status == 410:
        raise NeverAgain("The receiver answered 410: it wants no more messages.")
    if not 200 <= status < 300:
        raise NotDelivered(f"The receiver answered {status}.")


def payload(notice: Notice) -> bytes:
    data = {"title": notice.title, "text": notice.text, **notice.data}
    return json.dumps({"type": f"ralph.{notice.event}", "timestamp": notice.at, "data": data}).encode()


def key_of(secret: str) -> bytes:
    """The key in `whsec_...`. Raises ConfigError, without the secret."""
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not secret.startswith(PREFIX) or len(key) < LEAST_KEY:
        raise ConfigError(f"The secret of a webhook must be {PREFIX} and the base64 of at least {LEAST_KEY} bytes.")
    return key


def signed(message_id: str, body: bytes, key: bytes, now: datetime) -> dict[str, str]:
    """The headers of a message."""
    at = str(int(now.timestamp()))
    mac = hmac.new(key, f"{message_id}.{at}.".encode() + body, hashlib.sha256).digest()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": at,
        "webhook-signature": f"v1,{base64.b64encode(mac).decode()}",
        "Content-Type": "application/json",
        "User-Agent": f"ralph/{ralph.__version__}",
    }


def _post(place: SplitResult, body: bytes, headers: Mapping[str, str], target: NotifyEntry) -> int:
    host = place.hostname or ""
    try:
        port = place.port or (443 if place.scheme == "https" else 80)
        connection = _connection(place.scheme, host, port, target)
        try:
            connection.request("POST", f"{place.path or '/'}{'?' + place.query if place.query else ''}", body, headers)
            return connection.getresponse().status
        finally:
            connection.close()
    except (OSError, http.client.HTTPException) as error:
        # Not the error's own words: they may repeat an address that is secret.
        raise NotDelivered(f"The receiver cannot be reached ({type(error).__name__}).") from None


def _connection(scheme: str, host: str, port: int, target: NotifyEntry) -> http.client.HTTPConnection:
    """A connection to an address that was looked at."""
    connection = http.client.HTTPConnection(host, port, timeout=target.timeout_s)
    plain = _socket(host, port, target)
    connection.sock = plain
    if scheme == "https":
        try:
            connection.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
        except BaseException:
            plain.close()
            raise
    return connection


def _socket(host: str, port: int, target: NotifyEntry) -> socket.socket:
    """The first of the host's addresses that answers. Raises OSError, and NotDelivered if one of them is private."""
    found = [str(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    public = all(ipaddress.ip_address(each.partition("%")[0]).is_global for each in found)
    if not (target.private or host in LOOPBACK or public):
        raise NotDelivered("The receiver lies in a private network: write `private: true` if that is meant.")
    failed: OSError | None = None
    for each in found:
        try:
            return socket.create_connection((each, port), timeout=target.timeout_s)
        except OSError as error:
            failed = error
    raise failed or OSError("no address")
