"""An approved change of dependencies: the network is open to named hosts, through Ralph's proxy, and to no other."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.hook.workshop import CLASSES, execute, governed, ticket

ALL = {"approval": {"requiredFor": CLASSES, "requireReason": False}}
FETCH = "curl -sS --max-time 10 http://{host}:{port}/left-pad > src/package-lock.json"


class _Registry(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"{self.path} for {self.headers['Host']}\n".encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def port() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Registry) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server.server_port
        server.shutdown()


def project(tmp_path: Path, *network: str) -> Path:
    sandbox = {"sandbox": {"network": list(network)}} if network else {}
    return governed(tmp_path / "project", {"src/a": "a\n"}, **ALL, **sandbox)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_named_host_is_reached(tmp_path: Path, port: int, host: str) -> None:
    root = project(tmp_path, f"{host}:{port}")
    done = execute(ticket(root, FETCH.format(host=host, port=port), "dependency_changes"))
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert (root / "src" / "package-lock.json").read_text() == f"/left-pad for {host}:{port}\n"


def test_pip_installs_from_it(tmp_path: Path, port: int) -> None:
    """A client that takes the proxy from its environment, with the whole protocol of an index: what is not there."""
    root = project(tmp_path, f"127.0.0.1:{port}")
    line = f"pip download --no-cache-dir -q -d src --index-url http://127.0.0.1:{port}/simple left-pad"
    done = execute(ticket(root, line, "dependency_changes"))
    assert "No matching distribution" in done.stdout or shutil.which("pip") is None


def test_another_host_is_not(tmp_path: Path, port: int) -> None:
    root = project(tmp_path, "registry.example.org")
    done = execute(ticket(root, f"curl -sS -f --max-time 10 http://127.0.0.1:{port}/x", "dependency_changes"))
    assert done.returncode != 0


def test_without_an_approval_nothing_is_reached(tmp_path: Path, port: int) -> None:
    root = project(tmp_path, f"127.0.0.1:{port}")
    done = execute(ticket(root, f"curl -sS --max-time 10 http://127.0.0.1:{port}/x"))
    assert done.returncode != 0
    assert "left-pad" not in done.stdout


def test_where_the_policy_names_no_host_a_failure_says_what_to_do(tmp_path: Path, port: int) -> None:
    done = execute(ticket(project(tmp_path), FETCH.format(host="127.0.0.1", port=port), "dependency_changes"))
    assert done.returncode != 0
    assert '"sandbox": {"network": ["registry.example.org"]}' in done.stderr


def test_a_server_of_the_commands_own_is_reached_directly(tmp_path: Path, port: int) -> None:
    root = project(tmp_path, f"127.0.0.1:{port}")
    asked = "curl -sS --max-time 30 --retry 100 --retry-delay 1 --retry-connrefused http://localhost:8765/a"
    line = f"python3 -m http.server -d src 8765 & {asked}; kill $!"
    assert "a\n" in execute(ticket(root, line, "dependency_changes")).stdout


@pytest.mark.parametrize("network", [(), ("registry.example.org",)])
def test_scripts_of_packages_do_not_run_while_the_network_is_open(tmp_path: Path, network: tuple[str, ...]) -> None:
    done = execute(ticket(project(tmp_path, *network), "env", "dependency_changes"))
    assert ("npm_config_ignore_scripts=true" in done.stdout) == bool(network)
    assert ("YARN_ENABLE_SCRIPTS=false" in done.stdout) == bool(network)


@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm here")
@pytest.mark.parametrize(("network", "ran"), [((), True), (("registry.example.org",), False)])
def test_npm_obeys(tmp_path: Path, network: tuple[str, ...], ran: bool) -> None:
    root = project(tmp_path, *network)
    (root / "src" / "package.json").write_text('{"name": "a", "scripts": {"install": "touch ran"}}\n')
    execute(ticket(root, "cd src && npm install --offline --no-audit --no-fund", "dependency_changes"))
    assert (root / "src" / "ran").exists() is ran
