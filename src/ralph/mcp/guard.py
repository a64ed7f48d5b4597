"""Who may speak to the HTTP server: everything is refused before a byte of the body is read.

Rules, in this order; the first that objects answers:

1. Only `/mcp`, else 404; only POST, GET and DELETE, else 405.
2. The `Host` header names this server's own address and port, else 421: a page in a browser that had another name
   resolved to 127.0.0.1 sends that name. An `Origin`, which only browsers send, must be this server too, else 403.
3. The token of this server, compared in constant time, in exactly one `Authorization` header, else 401.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

PATH = "/mcp"
METHODS = ("POST", "GET", "DELETE")
NAMES = ("127.0.0.1", "localhost")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class Guard:
    """An ASGI application around another one."""

    def __init__(self, inner: Application, *, port: int, token: str) -> None:
        self._inner = inner
        self._hosts = {f"{name}:{port}".encode() for name in NAMES}
        self._origins = {b"http://" + host for host in self._hosts}
        self._expected = b"Bearer " + token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
        elif scope["type"] == "http" and (refusal := self._refusal(scope)):
            await _refuse(send, *refusal)
        elif scope["type"] == "http":
            await self._inner(scope, receive, send)

    def _refusal(self, scope: Scope) -> tuple[int, str, tuple[tuple[bytes, bytes], ...]] | None:
        if scope["path"] != PATH:
            return 404, f"There is only {PATH} here.", ()
        if scope["method"] not in METHODS:
            return 405, f"Only {', '.join(METHODS)} are taken.", ((b"allow", ", ".join(METHODS).encode()),)
        if not set(_all(scope, b"host")) <= self._hosts or not _all(scope, b"host"):
            return 421, "The Host header names another server.", ()
        if not set(_all(scope, b"origin")) <= self._origins:
            return 403, "Pages of other origins may not speak to this server.", ()
        given = _all(scope, b"authorization")
        if len(given) != 1 or not hmac.compare_digest(given[0], self._expected):
            return 401, "The bearer token of this run is missing or wrong.", ((b"www-authenticate", b"Bearer"),)
        return None


def _all(scope: Scope, name: bytes) -> list[bytes]:
    return [value for key, value in scope["headers"] if key == name]


async def _refuse(send: Send, status: int, sentence: str, headers: tuple[tuple[bytes, bytes], ...]) -> None:
    body = sentence.encode() + b"\n"
    length = str(len(body)).encode()
    own = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", length), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": [*own, *headers]})
    await send({"type": "http.response.body", "body": body})
