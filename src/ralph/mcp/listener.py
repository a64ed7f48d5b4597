"""A thread that listens on a port of 127.0.0.1 and speaks HTTP for one MCP server.

It uses uvicorn, with two changes: the end is awaited instead of polled for, and it does not wait for clients that keep
their streams open.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
import threading
from typing import Any

import uvicorn
from mcp.server import Server

from ralph.errors import StorageError
from ralph.mcp.guard import PATH, Guard

LARGEST_BODY = 1 << 20
_START_S = 30.0
_STOP_S = 5.0
_ROUNDS = 3
"""Of the loop, in which a connection that was taken is made, or one that ended closes its socket."""


class _Quick(uvicorn.Server):
    """Ends as soon as it is told to."""

    def __init__(self, config: uvicorn.Config, ready: threading.Event) -> None:
        super().__init__(config)
        self._ready = ready
        self._end = asyncio.Event()

    async def main_loop(self) -> None:
        self._ready.set()
        await self._end.wait()

    def end(self) -> None:
        self._end.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """No more connections are taken, and those that were are given their transports before the server is closed:
        asyncio forgets the others."""
        loop = asyncio.get_running_loop()
        for listening in (each for server in self.servers for each in server.sockets):
            loop.remove_reader(listening.fileno())
        await _rounds()
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        for task in list(self.server_state.tasks):
            task.cancel()
        await self.lifespan.shutdown()
        await _rounds()


class Listener:
    """`url` and `token` hold as soon as it is made; clients are answered between `start` and `stop`."""

    def __init__(self, server: Server[Any]) -> None:
        self.token = secrets.token_urlsafe(32)
        self._socket = _bound()
        port = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}{PATH}"
        inner = server.streamable_http_app(streamable_http_path=PATH, max_request_body_size=LARGEST_BODY)
        config = uvicorn.Config(
            Guard(inner, port=port, token=self.token),
            http="h11",
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
        )
        self._ready = threading.Event()
        self._server = _Quick(config, self._ready)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._run, name="ralph-mcp", daemon=True)

    def start(self) -> None:
        """Raises StorageError if no server came up."""
        self._thread.start()
        if not self._ready.wait(_START_S):
            raise StorageError("The MCP server of this turn did not start.")

    def stop(self) -> None:
        """Close the port and every connection."""
        if self._loop is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._server.end)
        if self._thread.ident is not None:
            self._thread.join(_STOP_S)
        self._socket.close()

    def _run(self) -> None:
        async def main() -> None:
            self._loop = asyncio.get_running_loop()
            await self._server.serve(sockets=[self._socket])

        asyncio.run(main())


async def _rounds() -> None:
    for _ in range(_ROUNDS):
        await asyncio.sleep(0)


def _bound() -> socket.socket:
    """A port of 127.0.0.1. Only of a socket that says that it is TCP asyncio takes Nagle's delay away: 40 ms a call."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        made.bind(("127.0.0.1", 0))
        made.listen()
    except OSError as error:
        made.close()
        raise StorageError(f"No port of 127.0.0.1 can be used for Ralph's tools: {error.strerror}.") from None
    return made
