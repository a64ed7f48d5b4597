"""The key `notify` of `ralph.yml`: who is told of what, and how (`ralph.notify`).

Rules: a target has exactly one way. A secret never stands in the file: it is named, as `env:VARIABLE` or
`keyring:SERVICE/USER`. The address of a webhook may stand there as long as it holds no password and no query, in which
there may be one; those of apprise always hold secrets. No message repeats what may be secret.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal, get_args
from urllib.parse import urlsplit

from ralph.config.words import words_of
from ralph.record import record

NotifyEvent = Literal["approval", "ended", "blocked", "breaker", "budget"]
EVENTS: tuple[NotifyEvent, ...] = get_args(NotifyEvent)
WAYS = ("webhook", "apprise", "command")
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,60}")
_REFERENCE = re.compile(r"env:[A-Za-z_][A-Za-z0-9_]*|keyring:[^/\s]+/\S+")


@record(kw_only=True)
class NotifyEntry:
    """One who is told. `secret` signs a webhook's messages; `private` lets it lead into a private network.

    `command` is a program and its arguments, as a shell parts them; no shell runs it.
    """

    events: tuple[NotifyEvent, ...] = EVENTS
    """What is told; everything by default."""
    webhook: str | None = None
    """Where a signed message is posted: an `https://` address, or `env:VARIABLE` or `keyring:SERVICE/USER` that holds
    it."""
    secret: str | None = None
    """What signs the messages of a webhook: `env:VARIABLE` or `keyring:SERVICE/USER`."""
    private: bool = False
    """A webhook may lead into a private network."""
    apprise: str | None = None
    """Where the address for apprise is: `env:VARIABLE` or `keyring:SERVICE/USER`."""
    command: str | None = None
    """A program and its arguments, which gets the message; no shell runs it."""
    timeout_s: float = 10.0
    """After so many seconds an attempt has failed; at most 60."""


def is_reference(text: str) -> bool:
    """Whether it names a secret, and is none."""
    return _REFERENCE.fullmatch(text) is not None


def problems(targets: Mapping[str, NotifyEntry]) -> Iterator[str]:
    """What is wrong with them, each as one sentence."""
    for name, target in targets.items():
        if not _NAME.fullmatch(name):
            yield f"'notify.{name}' is no name of a target: use letters, digits, - and _, and a letter first."
        for problem in (*_way(target), *_secrets(target)):
            yield f"'notify.{name}{problem}"


def _way(target: NotifyEntry) -> Iterator[str]:
    ways = [way for way in WAYS if getattr(target, way) is not None]
    if len(ways) != 1:
        yield f"' must have exactly one of {', '.join(WAYS)}, but has {' and '.join(ways) or 'none'}."
    if not target.events:
        yield f".events' is empty; name some of {', '.join(EVENTS)}, or remove the key."
    if not 0 < target.timeout_s <= 60:
        yield f".timeout_s' must be more than 0 and at most 60, but is {target.timeout_s:g}."
    if target.webhook is None:
        for key in ("secret", "private"):
            if getattr(target, key):
                yield f".{key}' does nothing without a webhook; remove it."
    elif target.secret is None:
        yield ".secret' is missing: whoever gets a message must be able to check it; write env:VARIABLE."
    if target.command is not None and not words_of(target.command):
        yield f".command' must be a program and its arguments, but is {target.command!r}."


def _secrets(target: NotifyEntry) -> Iterator[str]:
    way_out = "name where it is, as env:VARIABLE or keyring:SERVICE/USER, and make it anew: it has been written down"
    for key in ("secret", "apprise"):
        value = getattr(target, key)
        if value is not None and not is_reference(value):
            yield f".{key}' holds a secret itself, in a file that everybody reads; {way_out}."
    if target.webhook is not None and not is_reference(target.webhook):
        if _holds_secret(target.webhook):
            yield f".webhook' holds a password or a query, which may be secret; {way_out}."
        elif not is_address(target.webhook):
            yield ".webhook' must begin with https:// (http:// only for this machine), or name the address."


def _holds_secret(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return "@" in parts.netloc or bool(parts.query)


def is_address(address: str) -> bool:
    """Whether a message may be sent there."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    plain = address.isascii() and address.isprintable() and " " not in address
    safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
    return plain and safe and bool(parts.hostname)
