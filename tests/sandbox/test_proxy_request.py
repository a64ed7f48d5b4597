"""What the proxy reads of a request, and what it sends on in its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.permissions.sandbox.hosts import Host
from ralph.permissions.sandbox.proxy_request import Refused, Request, parse_head


def head(*lines: str) -> bytes:
    return "\r\n".join(lines).encode("latin-1")


def test_a_tunnel_is_its_first_line() -> None:
    request = parse_head(head("CONNECT Example.org:443 HTTP/1.1", "Host: evil.net", "Proxy-Authorization: x"))
    assert request == Request("CONNECT", Host("example.org", 443))
    assert request.is_tunnel


def test_a_plain_request_is_made_anew() -> None:
    request = parse_head(
        head(
            *("POST http://Example.org:80/a?b=1 HTTP/1.1", "host: example.org", "Accept: */*", "Content-Length: 3"),
            *("Connection: X-Secret, close", "X-Secret: 1", "Proxy-Authorization: Basic x", "TE: trailers"),
        )
    )
    assert request.head.decode().split("\r\n") == [
        *("POST /a?b=1 HTTP/1.1", "Host: example.org", "Accept: */*", "Content-Length: 3", "Connection: close", "", "")
    ]
    assert (request.host, request.body_bytes) == (Host("example.org", 80), 3)


@pytest.mark.parametrize(
    ("target", "line", "host"),
    [
        ("http://example.org", "GET / HTTP/1.1", "example.org"),
        ("http://example.org?q", "GET /?q HTTP/1.1", "example.org"),
        ("HTTP://example.org:8080/x", "GET /x HTTP/1.1", "example.org:8080"),
        ("http://[::1]:81/", "GET / HTTP/1.1", "[::1]:81"),
    ],
)
def test_addresses(target: str, line: str, host: str) -> None:
    assert parse_head(head(f"GET {target} HTTP/1.0")).head.decode().split("\r\n")[:2] == [line, f"Host: {host}"]


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(["GET /path HTTP/1.1", "Host: example.org"], id="no proxy request"),
        pytest.param(["GET https://example.org/ HTTP/1.1"], id="another scheme"),
        pytest.param(["GET http://example.org/ HTTP/2"], id="another version"),
        pytest.param(["GET  http://example.org/ HTTP/1.1"], id="two blanks"),
        pytest.param(["get http://example.org/ HTTP/1.1"], id="method in small letters"),
        pytest.param(["GET http://user@example.org/ HTTP/1.1"], id="user name"),
        pytest.param(["GET http://example.org\\@evil.net/ HTTP/1.1"], id="backslash"),
        pytest.param(["GET http://example.org%2eevil.net/ HTTP/1.1"], id="escape in the host"),
        pytest.param(["GET http://example.org/#x HTTP/1.1"], id="fragment"),
        pytest.param(["GET http://example.org#.evil.net/ HTTP/1.1"], id="fragment in the host"),
        pytest.param(["CONNECT example.org HTTP/1.1"], id="tunnel without a port"),
        pytest.param(["CONNECT evil.net\0.example.org:443 HTTP/1.1"], id="NUL"),
        pytest.param(["CONNECT example.org:443 HTTP/1.1 x"], id="four words"),
        pytest.param(["CONNECT example.org:443\tHTTP/1.1"], id="tab"),
        pytest.param(["GET http://example.org/ HTTP/1.1\nHost: evil.net"], id="bare line feed"),
        pytest.param(["GET http://example.org/ HTTP/1.1", "Host: evil.net"], id="Host disagrees"),
        pytest.param(["GET http://example.org/ HTTP/1.1", "Host: example.org:81"], id="port of Host disagrees"),
        pytest.param(["GET http://a.org/ HTTP/1.1", "Host: a.org", "Host: a.org"], id="Host twice"),
        pytest.param(["POST http://a.org/ HTTP/1.1", "Transfer-Encoding: chunked"], id="chunks"),
        pytest.param(["POST http://a.org/ HTTP/1.1", "Content-Length: 1", "Content-Length: 1"], id="length twice"),
        pytest.param(["POST http://a.org/ HTTP/1.1", "Content-Length: 1, 1"], id="two lengths"),
        pytest.param(["POST http://a.org/ HTTP/1.1", "Content-Length: +1"], id="length with a sign"),
        pytest.param(["POST http://a.org/ HTTP/1.1", "Content-Length : 1"], id="blank before the colon"),
        pytest.param(["GET http://a.org/ HTTP/1.1", "A: b", " c"], id="continued line"),
        pytest.param(["GET http://a.org/ HTTP/1.1", "A: b\rX: c"], id="bare carriage return"),
        pytest.param(["GET http://a.org/ HTTP/1.1", "nonsense"], id="no colon"),
        pytest.param([""], id="nothing"),
    ],
)
def test_what_is_refused(lines: list[str]) -> None:
    with pytest.raises(Refused):
        parse_head(head(*lines))


_PIECES = st.sampled_from(
    [
        *("GET ", "CONNECT ", "http://", "a.org", ":443", "/", " HTTP/1.1", "\r\n", "\n", "\r", "Host: ", "a.org"),
        "\0",
        " ",
    ]
)


@given(st.lists(_PIECES, max_size=14).map("".join) | st.text(max_size=60))
def test_what_is_sent_on_is_one_request_for_the_judged_host(text: str) -> None:
    try:
        request = parse_head(text.encode("utf-8"))
    except Refused:
        return
    if request.is_tunnel:
        assert request.head == b""
        return
    lines = request.head.decode("latin-1").split("\r\n")
    assert lines[-2:] == ["", ""]
    assert "" not in lines[:-2]
    assert not any(character in line for line in lines for character in "\r\n\0")
    assert [line for line in lines if line.lower().startswith("host:")] == [lines[1]]
