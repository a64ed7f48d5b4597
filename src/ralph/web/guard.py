"""Who may speak to the dashboard. Everything is refused before a page is made or a byte of a body is read.

Rules, in this order; the first that objects answers:

1. Only GET and POST, else 405.
2. The one `Host` header names this server's own address and port, else 421: a page that had its name resolved to
   127.0.0.1 sends another.
3. Nothing is shown in a frame, else 403. A request that a page of another origin makes is refused as well, but for
   going to a page; other ports of this machine are other origins, and there an agent may have started a server.
4. What is sent (POST) comes from a page of this server, else 403: exactly one `Origin`, which browsers always send
   then. It is a form of at most 64 KiB, else 415 or 413. That it carries the form's secret is looked at by `forms`.
5. The cookie of this dashboard, compared in constant time, else 401. Only `/?token=...` takes the token in its place,
   and answers with the cookie. A collector of figures gets `/metrics`, and nothing else, with `Authorization: Bearer`
   and the token.

Every answer, refusals included, says what a browser may do with it (`HEADERS`): no scripts or styles but the files of
this server, no frames, no guessing of types, nothing kept, nothing told to other servers. The referrer policy is
`same-origin` and not `no-referrer`, because with the latter browsers send `Origin: null` with forms.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from ralph.record import record
from ralph.web.secret import COOKIE, Secret

NAMES = ("127.0.0.1", "localhost")
LARGEST_BODY = 64 * 1024
METRICS = "/metrics"
_FORM = b"application/x-www-form-urlencoded"
_FRAMES = frozenset({b"iframe", b"frame", b"embed", b"object", b"fencedframe"})
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


@record
class Answer:
    """What the guard says by itself."""

    status: int
    sentence: str
    headers: tuple[tuple[bytes, bytes], ...] = ()


class Guard:
    """An ASGI application around the dashboard."""

    def __init__(self, inner: Application, *, port: int, secret: Secret) -> None:
        self._inner = inner
        self._secret = secret
        self._hosts = frozenset(f"{name}:{port}".encode() for name in NAMES)
        self._origins = frozenset(b"http://" + host for host in self._hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, _with_headers(send))
        # anything else (a WebSocket) gets no answer, and uvicorn refuses it

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self._refused(scope) or self._entered(scope) or self._stranger(scope)
        if answer:
            await _say(send, answer)
        else:
            await self._inner({**scope, "root_path": self._secret.place}, receive, send)

    def _refused(self, scope: Scope) -> Answer | None:
        """Rules 1 to 4."""
        if scope["method"] not in ("GET", "POST"):
            return Answer(405, "Only GET and POST are taken.", ((b"allow", b"GET, POST"),))
        hosts = _all(scope, b"host")
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return Answer(421, "The Host header names another server.")
        if _FRAMES.intersection(_all(scope, b"sec-fetch-dest")):
            return Answer(403, "The dashboard is not shown in frames.")
        is_foreign = not {b"same-origin", b"none"}.issuperset(_all(scope, b"sec-fetch-site"))
        if is_foreign and _all(scope, b"sec-fetch-mode") != [b"navigate"]:
            return Answer(403, "Pages of other servers may not speak to this one.")
        return self._unsendable(scope) if scope["method"] == "POST" else None

    def _unsendable(self, scope: Scope) -> Answer | None:
        origins, length = _all(scope, b"origin"), _all(scope, b"content-length")
        if len(origins) != 1 or origins[0] not in self._origins:
            return Answer(403, "This was not sent from a page of this dashboard.")
        if [kind.split(b";")[0].strip().lower() for kind in _all(scope, b"content-type")] != [_FORM]:
            return Answer(415, "Only forms are taken.")
        if len(length) != 1 or not length[0].isdigit() or int(length[0][:9]) > LARGEST_BODY:
            return Answer(413, f"A form may have {LARGEST_BODY} bytes.")
        return None

    def _entered(self, scope: Scope) -> Answer | None:
        """The token in the address becomes a cookie."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        if scope["path"] != "/" or scope["method"] != "GET" or len(given) != 1 or not self._secret.opens(given[0]):
            return None
        place = self._secret.place
        cookie = f"{COOKIE}={self._secret.session}; Path={place}/; HttpOnly; SameSite=Strict"
        headers = ((b"set-cookie", cookie.encode()), (b"location", f"{place}/".encode()))
        return Answer(303, "Go on to the dashboard.", headers)

    def _stranger(self, scope: Scope) -> Answer | None:
        is_own_path = scope["path"].startswith(self._secret.place + "/")
        if is_own_path and _cookie(scope, self._secret.session):
            return None
        if scope["path"] == METRICS and scope["method"] == "GET" and self._is_collector(scope):
            return None
        return Answer(401, "Open the address that `ralph web` printed when it started; it holds the token.")

    def _is_collector(self, scope: Scope) -> bool:
        given = [value.partition(b" ") for value in _all(scope, b"authorization")]
        if len(given) != 1 or given[0][0].lower() != b"bearer":
            return False
        return self._secret.opens(given[0][2].strip().decode("latin-1"))


def _cookie(scope: Scope, expected: str) -> bool:
    pairs = [pair.strip().partition(b"=") for line in _all(scope, b"cookie") for pair in line.split(b";")]
    values = [value for name, _, value in pairs if name == COOKIE.encode()]
    return len(values) == 1 and hmac.compare_digest(values[0], expected.encode())


def _all(scope: Scope, name: bytes) -> list[bytes]:
    return [value for key, value in scope["headers"] if key == name]


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            ours = {name for name, _ in HEADERS}
            others = [(name, value) for name, value in message["headers"] if name.lower() not in ours]
            message = {**message, "headers": [*others, *HEADERS]}
        await send(message)

    return sending


async def _say(send: Send, answer: Answer) -> None:
    body = answer.sentence.encode() + b"\n"
    own = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    close = [(b"connection", b"close")] if answer.status >= 400 else []  # the body was not read
    await send({"type": "http.response.start", "status": answer.status, "headers": [*own, *close, *answer.headers]})
    await send({"type": "http.response.body", "body": body})
