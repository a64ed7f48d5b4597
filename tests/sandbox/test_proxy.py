"""Network by name: what a confined command reaches, with real sockets on loopback."""

from __future__ import annotations

import json
import os
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ralph.errors import ConfigError, SandboxUnavailable, StorageError
from ralph.permissions.sandbox import proxy, remembered
from ralph.permissions.sandbox.confine import run_confined
from ralph.permissions.sandbox.model import Level, Walls
from ralph.system.process import Command, Ended

needs_bubblewrap = pytest.mark.skipif(remembered.bubblewrap() is None, reason="there is no bubblewrap here")


class _Echo(BaseHTTPRequestHandler):
    """Answers with what it was asked, headers and all."""

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        answer = f"{self.requestline}|{self.headers['Host']}|{body.decode()}|END".encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(answer)

    do_POST = do_GET

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def port() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Echo) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server.server_port
        server.shutdown()


def ask(place: Path, request: str) -> str:
    """One conversation with the proxy: everything it says until it hangs up."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(10)
        client.connect(str(place))
        client.sendall(request.encode())
        heard = b""
        with suppress(ConnectionResetError):  # it hung up before it had read everything
            while part := client.recv(65536):
                heard += part
    return heard.decode()


def records(log: Path) -> list[tuple[str, str | None, str | None]]:
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    return [(line["decision"], line["host"], line["reason"]) for line in lines]


def test_a_named_host_is_reached_and_another_is_not(tmp_path: Path, port: int) -> None:
    log = tmp_path / "log"
    with proxy.serving([f"127.0.0.1:{port}"], log) as place:
        assert f"GET /a HTTP/1.1|127.0.0.1:{port}||END" in ask(place, f"GET http://127.0.0.1:{port}/a HTTP/1.1\r\n\r\n")
        tunnelled = ask(place, f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.0\r\n\r\n")
        assert "200 Connection established" in tunnelled
        assert "GET /b HTTP/1.0|None||END" in tunnelled
        assert "403 Forbidden" in ask(place, "CONNECT example.org:443 HTTP/1.1\r\n\r\n")
    assert records(log) == [
        ("allow", "127.0.0.1", None),
        ("allow", "127.0.0.1", None),
        ("deny", "example.org", "no rule names this host and port"),
    ]


def test_no_rules_nothing(tmp_path: Path, port: int) -> None:
    with proxy.serving([], tmp_path / "log") as place:
        assert "403 Forbidden" in ask(place, f"GET http://127.0.0.1:{port}/ HTTP/1.1\r\n\r\n")


def test_a_name_that_leads_home_is_refused(tmp_path: Path, port: int) -> None:
    """As after DNS rebinding: the name is allowed, and its address is this machine's."""
    name = socket.gethostname()
    with proxy.serving([f"{name}:{port}"], tmp_path / "log") as place:
        said = ask(place, f"CONNECT {name}:{port} HTTP/1.1\r\n\r\n")
        assert "403 Forbidden" in said or "502 Bad Gateway" in said
    with proxy.serving([f"localhost:{port}"], tmp_path / "log") as place:
        assert "200 OK" in ask(place, f"GET http://localhost:{port}/ HTTP/1.1\r\n\r\n")


def test_one_exchange_and_no_more(tmp_path: Path, port: int) -> None:
    """A second request in the body's shadow goes nowhere."""
    with proxy.serving([f"127.0.0.1:{port}"], tmp_path / "log") as place:
        first = f"POST http://127.0.0.1:{port}/one HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"
        said = ask(place, f"{first}GET /two HTTP/1.1\r\nHost: evil.net\r\n\r\n")
    assert f"POST /one HTTP/1.1|127.0.0.1:{port}|abc|END" in said
    assert "two" not in said


@pytest.mark.parametrize(
    "request_text",
    [
        pytest.param("GET / HTTP/1.1\r\n\r\n", id="no address"),
        pytest.param("CONNECT evil.net\0.example.org:443 HTTP/1.1\r\n\r\n", id="NUL"),
        pytest.param("\x05\x01\x00" + "\r\n\r\n", id="SOCKS"),
        pytest.param("GET http://a.org/ HTTP/1.1\r\nX: " + "y" * 70000, id="endless head"),
    ],
)
def test_nonsense_is_refused_and_logged(tmp_path: Path, request_text: str) -> None:
    with proxy.serving(["*.example.org"], tmp_path / "log") as place:
        assert ask(place, request_text).startswith("HTTP/1.1 400 Bad Request")
    assert [decision for decision, _, _ in records(tmp_path / "log")] == ["deny"]


def test_many_at_once_and_a_clean_end(tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "STOP_LIMIT_S", 60.0)
    heard: list[str] = []
    before = threading.active_count()
    with proxy.serving([f"127.0.0.1:{port}"], tmp_path / "log") as place:
        request = f"GET http://127.0.0.1:{port}/x HTTP/1.1\r\n\r\n"
        askers = [threading.Thread(target=lambda: heard.append(ask(place, request))) for _ in range(20)]
        for asker in askers:
            asker.start()
        for asker in askers:
            asker.join()
        idle = socket.socket(socket.AF_UNIX)
        idle.connect(str(place))
        began = time.monotonic()
    idle.close()
    assert time.monotonic() - began < 30, "the end waits for one that says nothing"
    assert len([each for each in heard if "|END" in each]) == 20
    assert not place.exists()
    assert threading.active_count() <= before + 1  # a server's thread may be ending


def test_what_cannot_be_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="cannot be used"), proxy.serving(["https://a.org"], tmp_path / "log"):
        pass
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / ("long" * 30)))
    Path(tempfile.gettempdir()).mkdir()
    with pytest.raises(StorageError, match="shorter"), proxy.serving(["a.org"], tmp_path / "log"):
        pass
    monkeypatch.undo()
    with pytest.raises(StorageError, match="cannot be written"), proxy.serving(["a.org"], tmp_path / "no" / "log"):
        pass


def run(place: Path, line: str, level: Level, *network: str) -> Ended:
    walls = Walls(root=place, network=network, environment={"PATH": os.environ["PATH"]})
    return run_confined(Command(line=line, cwd=place, env={}, log=place / "log", timeout_s=120), walls, level)


@needs_bubblewrap
def test_in_the_sandbox_only_named_hosts_answer(tmp_path: Path, port: int) -> None:
    line = f"""
        curl -sS --noproxy '' http://127.0.0.1:{port}/plain; echo
        curl -sS --noproxy '' -p http://127.0.0.1:{port}/tunnel; echo
        curl -sS --noproxy '*' -m 2 http://127.0.0.1:{port}/direct
        curl -sS --noproxy '' http://127.0.0.1:1/other
        curl -sS https://example.org/
        wait; exit 7"""
    ended = run(tmp_path, line, Level.BUBBLEWRAP, f"127.0.0.1:{port}")
    said = ended.output
    assert (ended.exit_code, ended.trouble) == (7, None), said
    assert f"GET /plain HTTP/1.1|127.0.0.1:{port}||END" in said
    assert f"GET /tunnel HTTP/1.1|127.0.0.1:{port}||END" in said
    assert "GET /direct" not in said
    assert "no rule names this host and port" in said
    assert "403" in said
    decisions = [decision for decision, _, _ in records(tmp_path / "log.network")]
    assert decisions == ["allow", "allow", "deny", "deny"]


@needs_bubblewrap
def test_the_commands_own_server_is_reached_without_the_proxy(tmp_path: Path) -> None:
    line = """
        python3 -c 'import http.server as h; h.test(h.SimpleHTTPRequestHandler, port=8765, bind="127.0.0.1")' &
        server=$!
        curl -sS -o /dev/null -w '%{http_code}' --retry 40 --retry-delay 0 --retry-max-time 9 --retry-connrefused \
            http://127.0.0.1:8765/ 2>/dev/null
        kill $server"""
    ended = run(tmp_path, line, Level.BUBBLEWRAP, "registry.example.org")
    assert "200" in ended.output
    assert (tmp_path / "log.network").read_text() == ""


@needs_bubblewrap
def test_the_bridge_changes_nothing_else(tmp_path: Path) -> None:
    """A program that waits for all its children does not wait for the bridge, and a missing program is said so."""
    waits = "import os\ntry:\n while True: os.wait()\nexcept ChildProcessError: print('alone')"
    (tmp_path / "waits.py").write_text(waits)
    assert run(tmp_path, "exec python3 waits.py", Level.BUBBLEWRAP, "a.org").output == "alone\n"
    assert run(tmp_path, "kill -TERM $$", Level.BUBBLEWRAP, "a.org").exit_code == 143
    assert run(tmp_path, "no-such-program", Level.BUBBLEWRAP, "a.org").exit_code == 127


def test_landlock_has_no_names(tmp_path: Path) -> None:
    with pytest.raises(SandboxUnavailable, match="needs bubblewrap"):
        run(tmp_path, "true", Level.LANDLOCK, "registry.example.org")
