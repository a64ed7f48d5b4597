"""The server on a port: who may speak to it, what comes of nonsense, and how it ends."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from urllib.parse import urlsplit

import pytest

pytest.importorskip("mcp")

from ralph.mcp.model import Tool
from ralph.mcp.serve import GRACE_S, Address, http_server
from tests.mcp.tools import NOTHING, TOOLS, connected, run, said

ASK = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}).encode()
HELLO = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
).encode()
SPEAKS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def served() -> Iterator[Address]:
    with http_server(TOOLS) as address:
        yield address


def send(
    address: Address, method: str = "POST", path: str = "/mcp", body: bytes = HELLO, headers: Mapping[str, str] = {}
) -> tuple[int, str]:
    """A request with the right token, unless `headers` says otherwise (an empty value leaves a header out)."""
    place = urlsplit(address.url)
    connection = http.client.HTTPConnection("127.0.0.1", place.port or 0, timeout=120)
    given = {"Host": place.netloc, **address.headers, **SPEAKS, "Content-Length": str(len(body)), **headers}
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in given.items():
        if value:
            connection.putheader(name, value)
    connection.endheaders(body)
    try:
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


def test_with_its_token_a_client_is_answered(served: Address) -> None:
    status, body = send(served)
    assert status == 200
    assert '"serverInfo"' in body


TURNED_AWAY = {
    "no token": ({"Authorization": ""}, 401),
    "another token": ({"Authorization": "Bearer x"}, 401),
    "the beginning of the token": ({"Authorization": "Bearer {half}"}, 401),
    "the token and more": ({"Authorization": "Bearer {token}x"}, 401),
    "another scheme": ({"Authorization": "Basic {token}"}, 401),
    "the token alone": ({"Authorization": "{token}"}, 401),
    "no host": ({"Host": ""}, 400),
    "a foreign host": ({"Host": "evil.example:{port}"}, 421),
    "a foreign host that begins like ours": ({"Host": "127.0.0.1:{port}.evil.example"}, 421),
    "another port": ({"Host": "127.0.0.1:1"}, 421),
    "no port": ({"Host": "127.0.0.1"}, 421),
    "a page of another origin": ({"Origin": "https://evil.example"}, 403),
    "a page without an origin": ({"Origin": "null"}, 403),
}


@pytest.mark.parametrize(("headers", "expected"), TURNED_AWAY.values(), ids=TURNED_AWAY)
def test_everybody_else_is_turned_away(served: Address, headers: Mapping[str, str], expected: int) -> None:
    words = {"token": served.token, "half": served.token[:20], "port": str(urlsplit(served.url).port)}
    # To what is no HTTP/1.1 the server hangs up at once, and a body that nobody read would take the answer with it.
    given = b"" if expected == 400 else HELLO
    status, body = send(served, body=given, headers={name: value.format(**words) for name, value in headers.items()})
    assert status == expected
    assert served.token not in body


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("PUT", "/mcp", 405),
        ("OPTIONS", "/mcp", 405),
        ("HEAD", "/mcp", 405),
        ("POST", "/", 404),
        ("POST", "/mcp/", 404),
        ("POST", "/mcp/../mcp", 404),
        ("GET", "/docs", 404),
    ],
)
def test_there_is_nothing_else_on_the_port(served: Address, method: str, path: str, expected: int) -> None:
    assert send(served, method, path)[0] == expected


def test_two_tokens_are_none(served: Address) -> None:
    place = urlsplit(served.url)
    with socket.create_connection(("127.0.0.1", place.port or 0), timeout=120) as raw:
        right = f"Authorization: Bearer {served.token}\r\n"
        head = (
            f"POST /mcp HTTP/1.1\r\nHost: {place.netloc}\r\n{right}Authorization: Bearer x\r\nContent-Length: 0\r\n\r\n"
        )
        raw.sendall(head.encode())
        assert raw.recv(100).startswith(b"HTTP/1.1 401")


def test_the_token_of_another_server_does_not_count(served: Address) -> None:
    with http_server(TOOLS) as other:
        assert other.token != served.token
        assert other.url != served.url
        assert send(served, headers=other.headers)[0] == 401
        assert send(other)[0] == 200


def test_the_token_is_not_shown_with_the_address(served: Address) -> None:
    assert served.token not in repr(served)


NONSENSE = {
    "no json": (b"{", 400),
    "nothing": (b"", 400),
    "no request": (b'{"a": 1}', 400),
    "a list": (b"[" + HELLO + b"]", 400),
    "not utf-8": (b'{"jsonrpc": "2.0", "id": 1, "method": "\xff"}', 400),
    "nested deeply": (b"[" * 100_000, 400),
    "a session that there is not": (ASK, 400),
    "a huge body": (b" " * (1 << 20) + HELLO, 413),
}


@pytest.mark.parametrize(("body", "expected"), NONSENSE.values(), ids=NONSENSE)
def test_nonsense_is_refused_and_the_server_goes_on(served: Address, body: bytes, expected: int) -> None:
    assert send(served, body=body)[0] == expected
    assert send(served)[0] == 200


def test_noise_on_the_port_is_survived_quietly(served: Address, capfd: pytest.CaptureFixture[str]) -> None:
    port = urlsplit(served.url).port or 0
    for noise in (b"\x16\x03\x01\x00\xff", b"GET / HTTP/9.9\r\n\r\n", b"x" * 200_000, b""):
        with socket.create_connection(("127.0.0.1", port), timeout=120) as raw:
            raw.sendall(noise)
    assert send(served)[0] == 200
    assert capfd.readouterr() == ("", "")


def test_the_end_is_quick_though_a_client_keeps_its_stream_open() -> None:
    async def listed(address: Address) -> int:
        async with connected(address, "legacy") as client:
            return len((await client.list_tools()).tools)

    with http_server(TOOLS) as address:
        assert run(lambda: listed(address)) == len(TOOLS)
        place = urlsplit(address.url)
        streams = [socket.create_connection(("127.0.0.1", place.port or 0)) for _ in range(5)]
        for each in streams:
            session = _session(address)
            head = "GET /mcp HTTP/1.1\r\nAccept: text/event-stream\r\n"
            each.sendall(
                f"{head}Host: {place.netloc}\r\nMcp-Session-Id: {session}\r\n{_credentials(address)}\r\n".encode()
            )
            assert each.recv(12) == b"HTTP/1.1 200"
        started = time.monotonic()
    assert time.monotonic() - started < 1
    for each in streams:
        each.close()
    with pytest.raises(ConnectionRefusedError):
        send(address)


def _credentials(address: Address) -> str:
    return "".join(f"{name}: {value}\r\n" for name, value in address.headers.items())


def _session(address: Address) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", urlsplit(address.url).port or 0, timeout=120)
    connection.request("POST", "/mcp", HELLO, {**address.headers, **SPEAKS})
    try:
        with connection.getresponse() as response:
            return response.headers["mcp-session-id"]
    finally:
        connection.close()


def test_a_call_under_way_is_waited_for() -> None:
    """What an agent was told had happened has happened before its turn is judged."""
    done, begun = [], threading.Event()

    def slow(_arguments: Mapping[str, object]) -> Mapping[str, object]:
        begun.set()
        time.sleep(0.3)
        done.append(True)
        return {}

    async def call(address: Address) -> None:
        async with connected(address) as client:
            await client.call_tool("slow")

    def quietly(address: Address) -> None:
        with suppress(BaseExceptionGroup):  # its server goes away
            run(lambda: call(address))

    with http_server([Tool(name="slow", description="", schema=NOTHING, call=slow)]) as address:
        caller = threading.Thread(target=quietly, args=[address])
        caller.start()
        assert begun.wait(10)
    assert done == [True]
    caller.join(GRACE_S)


def test_no_thread_stays() -> None:
    before = threading.active_count()
    for _ in range(5):
        with http_server(TOOLS) as address:
            assert send(address)[0] == 200
    assert threading.active_count() <= before + 1


def test_one_client_may_call_many_times_at_once() -> None:
    import asyncio

    async def session(address: Address) -> set[str]:
        async with connected(address) as client:
            told = await asyncio.gather(*(client.call_tool("echo", {"text": str(n)}) for n in range(100)))
            return {said(each) for each in told}

    with http_server(TOOLS) as address:
        assert len(run(lambda: session(address))) == 100
