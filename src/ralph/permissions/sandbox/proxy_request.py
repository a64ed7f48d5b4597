"""What a program asks of the proxy: one HTTP request head, read so strictly that nobody could read it otherwise.

Rules (research: commands and sandbox, A.1):

- `CONNECT host:port` opens a tunnel; only its first line counts.
- `GET http://host/path` is sent on as `GET /path` with headers made anew: `Host` must agree with the line, what is
  meant for this hop alone is left out, and the connection ends after one exchange.
- The body of a plain request is exactly as long as its one `Content-Length` says; a length that is given twice, or in
  chunks, could be read differently at the other end and is refused.
- Lines end with CR LF, names are tokens, values have no control characters, no line continues another.
"""

from __future__ import annotations

import re

from ralph.permissions.sandbox.hosts import Host, NotAHost, parse_host
from ralph.record import record

MAX_HEAD = 32 << 10

_METHOD = re.compile(r"[A-Z][A-Z-]{0,30}", re.ASCII)
_TARGET = re.compile(r"[!-~]+", re.ASCII)
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", re.ASCII)
_VALUE = re.compile(r"[\t -~\x80-\xff]*")
_LENGTH = re.compile(r"[0-9]{1,15}", re.ASCII)
_THIS_HOP = {"connection", "keep-alive", "te", "trailer", "upgrade", "host", "expect", "http2-settings"}


class Refused(ValueError):
    """The request is not one that the proxy takes. `status` is the HTTP status that says so."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


@record
class Request:
    """A request and where it goes. `head` is what is sent on in its place: nothing for a tunnel."""

    method: str
    host: Host
    head: bytes = b""
    body_bytes: int = 0

    @property
    def is_tunnel(self) -> bool:
        return self.method == "CONNECT"


def parse_head(head: bytes) -> Request:
    """Read a head, without the empty line at its end. Raises Refused."""
    first, *rest = head.decode("latin-1").split("\r\n")
    method, target, version = _words(first)
    if version not in ("HTTP/1.1", "HTTP/1.0") or not _METHOD.fullmatch(method) or not _TARGET.fullmatch(target):
        raise Refused(400, "the request line is malformed")
    if method == "CONNECT":
        return Request(method, _host(target, None))
    scheme, _, place = target.partition("://")
    if scheme.lower() != "http":
        raise Refused(400, "only CONNECT and http:// addresses are served")
    slash = next((at for at, letter in enumerate(place) if letter in "/?#"), len(place))
    authority, path = place[:slash], place[slash:]
    host = _host(authority, 80)
    if "#" in path:
        raise Refused(400, "an address that is asked for has no fragment")
    return _rewritten(method, host, path if path.startswith("/") else f"/{path}", _headers(rest))


def _words(line: str) -> list[str]:
    words = line.split(" ")
    if len(words) != 3:
        raise Refused(400, "the request line is malformed")
    return words


def _headers(lines: list[str]) -> list[tuple[str, str]]:
    found = []
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
            raise Refused(400, "a header line is malformed")
        found.append((name, value.strip(" \t")))
    return found


def _rewritten(method: str, host: Host, path: str, headers: list[tuple[str, str]]) -> Request:
    hosts = [value for name, value in headers if name.lower() == "host"]
    if len(hosts) > 1 or any(_host(value, 80) != host for value in hosts):
        raise Refused(400, "the Host header does not agree with the address")
    if any(name.lower() == "transfer-encoding" for name, _ in headers):
        raise Refused(411, "a body needs a Content-Length here")
    lengths = [value for name, value in headers if name.lower() == "content-length"]
    if len(lengths) > 1 or not all(_LENGTH.fullmatch(value) for value in lengths):
        raise Refused(400, "the Content-Length is malformed")
    named = {
        each.strip().lower() for name, value in headers if name.lower() == "connection" for each in value.split(",")
    }
    left_out = (_THIS_HOP | named) - {"content-length"}
    kept = [(n, v) for n, v in headers if n.lower() not in left_out and not n.lower().startswith("proxy-")]
    lines = [
        f"{method} {path} HTTP/1.1",
        f"Host: {_written(host)}",
        *(f"{n}: {v}" for n, v in kept),
        "Connection: close",
    ]
    return Request(method, host, "\r\n".join([*lines, "", ""]).encode("latin-1"), int(lengths[0]) if lengths else 0)


def _host(text: str, default_port: int | None) -> Host:
    try:
        return parse_host(text, default_port)
    except NotAHost as error:
        raise Refused(400, f"the host is malformed: {error}") from None


def _written(host: Host) -> str:
    name = f"[{host.name}]" if ":" in host.name else host.name
    return name if host.port == 80 else f"{name}:{host.port}"
