"""Listening on a port of this machine alone, until interrupted."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from ralph.errors import StorageError
from ralph.web.app import application
from ralph.web.secret import keep
from ralph.web.site import Site

HOST = "127.0.0.1"
_LAST_WORDS_S = 1


def serve(site: Site, port: int, told: Callable[[str], None]) -> None:
    """`told` gets the address with the token, once connections are taken. Raises StorageError."""
    listening = _listening(port)
    try:
        own_port: int = listening.getsockname()[1]
        kept = keep(site.secret, site.root)
        try:
            server = _Server(site, own_port, told)
            server.run(sockets=[listening])
        finally:
            with suppress(FileNotFoundError):
                if kept.read_text("ascii").strip() == site.secret.token:  # not that of one that was started later
                    kept.unlink()
    finally:
        listening.close()


class _Server(uvicorn.Server):
    """Says when it listens. Browsers that watch keep their connections open: they are not waited for."""

    def __init__(self, site: Site, port: int, told: Callable[[str], None]) -> None:
        super().__init__(
            uvicorn.Config(
                application(site, port),
                log_level="critical",
                access_log=False,  # it would hold the token
                server_header=False,
                proxy_headers=False,
                ws="none",
                lifespan="off",
                timeout_graceful_shutdown=_LAST_WORDS_S,
            )
        )
        self._told = told
        self._address = f"http://{HOST}:{port}/?token={site.secret.token}"

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._told(self._address)


def _listening(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen(128)  # only now a second one is refused the port
    except OSError:
        listening.close()
        raise StorageError(f"Port {port} of {HOST} is in use, or not for you: name another with --port.") from None
    return listening
