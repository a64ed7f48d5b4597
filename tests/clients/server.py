"""A model server on loopback that plays a script: what both vendors' formats share.

A script is a list of turns, or of callables that make a turn from the request's body. Every request is recorded.
Python's own threaded HTTP server does: a client that is tested speaks HTTP/1.1 and reads server-sent events.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Generic, TypeVar

Json = dict[str, Any]
Event = tuple[str, Json]
Turn = TypeVar("Turn")


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    path: str
    body: Json


@dataclass(frozen=True, slots=True)
class Refused:
    """An answer that is an error of the provider's."""

    status: int
    body: Json
    headers: tuple[tuple[str, str], ...] = ()


@dataclass
class Model(Generic[Turn]):
    """What the server will say, and what it was asked. `requests` are the calls that consumed a turn."""

    script: list[Turn | Callable[[Json], Turn]]
    exhausted: Turn | Callable[[Json], Turn]
    requests: list[Request] = field(default_factory=list)
    others: list[Request] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next_turn(self, request: Request) -> Turn:
        with self.lock:
            self.requests.append(request)
            turn = self.script.pop(0) if self.script else self.exhausted
        return turn(request.body) if callable(turn) else turn


@contextmanager
def serving(answer: Callable[[Request], Iterator[Event] | Json | Refused | None]) -> Iterator[str]:
    """A server whose address is given. `answer` makes a stream of events, a document, an error, or None: not found."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self._reply(self.rfile.read(int(self.headers.get("content-length") or 0)))

        def do_GET(self) -> None:
            self._reply(b"")

        def _reply(self, raw: bytes) -> None:
            content = answer(Request(self.command, self.path.partition("?")[0], json.loads(raw) if raw else {}))
            if content is None:
                content = Refused(404, {"error": {"message": "not scripted"}})
            refused = content if isinstance(content, Refused) else None
            streamed = refused is None and not isinstance(content, dict)
            self.send_response(refused.status if refused else 200)
            self.send_header("content-type", "text/event-stream" if streamed else "application/json")
            for name, value in refused.headers if refused else ():
                self.send_header(name, value)
            self.end_headers()
            if isinstance(content, Refused | dict):
                self.wfile.write(json.dumps(content.body if isinstance(content, Refused) else content).encode())
                return
            for name, data in content:
                self.wfile.write(f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode())

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: what was asked is recorded in the model."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, request: object, client_address: object) -> None:
            """A client that goes away in the middle is no event for a test."""

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
