"""A code host on loopback that keeps what it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(slots=True)
class Host:
    """`comments` are those of every pull request; `asked` are method, path, token and body of every request."""

    url: str = ""
    comments: list[dict[str, Any]] = field(default_factory=list)
    statuses: list[dict[str, Any]] = field(default_factory=list)
    asked: list[tuple[str, str, str, Any]] = field(default_factory=list)
    refuses: dict[str, int] = field(default_factory=dict)
    """The status code with which requests of a method are refused; 302 leads elsewhere."""

    answers: Callable[[str, str, Any], tuple[int, Any]] | None = None
    """What answers in its place."""

    def answer(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        if method in self.refuses:
            return self.refuses[method], {"message": "no"}
        if self.answers is not None:
            return self.answers(method, path, body)
        if method == "GET":
            page = int(path.rpartition("page=")[2])
            return 200, self.comments[(page - 1) * 100 : page * 100]
        if "/statuses/" in path:
            self.statuses.append(body)
        elif method == "PATCH":
            number = int(path.rpartition("/")[2])
            next(each for each in self.comments if each["id"] == number)["body"] = body["body"]
        else:
            self.comments.append({"id": len(self.comments) + 1, "user": {"type": "Bot"}, **body})
        return 201, {"id": 1}


@contextmanager
def host(answers: Callable[[str, str, Any], tuple[int, Any]] | None = None) -> Iterator[Host]:
    """A host that answers as long as it is needed."""
    told = Host(answers=answers)

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            body = json.loads(self.rfile.read(length)) if length else None
            told.asked.append((self.command, self.path, self.headers.get("Authorization", ""), body))
            code, answer = told.answer(self.command, self.path, body)
            data = json.dumps(answer).encode()
            self.send_response(code)
            if code == 302:
                self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = handle_any

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
