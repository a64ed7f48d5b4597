"""The server that Claude Code's HTTP hooks ask: one address of 127.0.0.1, one token, one question at a time per thread.

Rules (research: agent clients, 1.5): whoever does not know the token gets no answer, and to the client no answer is a
denial (`onFailure: block`). A question waits as long as its answer takes; nobody waits for it at the end.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from ralph.mcp.serve import Address

PATH = "/hook"
MOST_BYTES = 64 << 20
_SOCKET_S = 30.0


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away in the middle has nothing to be told."""


@contextmanager
def hook_server(answer: Callable[[bytes], bytes]) -> Iterator[Address]:
    """Answer hooks while the block runs."""
    token = secrets.token_urlsafe(32)
    expected = f"Bearer {token}".encode()

    class Handler(BaseHTTPRequestHandler):
        timeout = _SOCKET_S

        def do_POST(self) -> None:
            given = self.headers.get_all("Authorization") or []
            size = self.headers.get("Content-Length") or ""
            if self.path != PATH or len(given) != 1 or not hmac.compare_digest(given[0].encode("latin-1"), expected):
                self.send_error(401)
            elif not (size.isdecimal() and size.isascii()) or int(size) > MOST_BYTES:
                self.send_error(413)
            else:
                self._reply(answer(self.rfile.read(int(size))))

        def _reply(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            """Nothing: what was decided is recorded."""

    server = _Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True, name="hooks")
    thread.start()
    try:
        yield Address(url=f"http://127.0.0.1:{server.server_port}{PATH}", token=token)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
