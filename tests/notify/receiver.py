"""A receiver of webhooks on loopback that keeps what it gets, and refuses as often as it is told to."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(slots=True)
class Receiver:
    """`refusals` are the codes with which the next messages are answered; `heard` is every attempt, `taken` what was
    answered 204. `hang` holds answers back until it is set."""

    url: str = ""
    refusals: list[int] = field(default_factory=list)
    heard: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    taken: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    hang: threading.Event | None = None

    def ids(self) -> list[str]:
        return [headers["webhook-id"] for headers, _ in self.taken]


@contextmanager
def receiver(*refusals: int, tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    told = Receiver(refusals=list(refusals))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            got = ({name.lower(): value for name, value in self.headers.items()}, body)
            told.heard.append(got)
            code = told.refusals.pop(0) if told.refusals else 204  # before it waits: by order of arrival
            if told.hang is not None:
                told.hang.wait(20)
            if code == 204:
                told.taken.append(got)
            self.send_response(code)
            if code == 302:
                self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def handle(self) -> None:
            with suppress(ssl.SSLError, OSError):  # a client that does not trust us
                super().handle()

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    told.url = f"http://127.0.0.1:{server.server_port}/hook"
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
        told.url = f"https://localhost:{server.server_port}/hook"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield told
    finally:
        if told.hang is not None:
            told.hang.set()
        server.shutdown()
        thread.join()
        server.server_close()
