"""The thread that listens for one turn: how it ends."""

from __future__ import annotations

import gc
import socket
import threading
import time
import warnings

from mcp.server import Server

from ralph.mcp.listener import Listener

TURNS, CLIENTS = 5, 3


def knock(port: int, over: threading.Event) -> None:
    """Connects again and again, and speaks a little."""
    while not over.is_set():
        with socket.socket() as client:
            client.settimeout(0.5)
            try:
                client.connect(("127.0.0.1", port))
                client.send(b"GET / HTTP/1.1\r\n")
            except OSError:
                continue


def test_no_connection_is_left_open_that_was_taken_as_it_ended() -> None:
    with warnings.catch_warnings(record=True) as left:
        warnings.simplefilter("always", ResourceWarning)
        for _ in range(TURNS):
            listener, over = Listener(Server("any")), threading.Event()
            listener.start()
            port = int(listener.url.split(":")[2].partition("/")[0])
            clients = [threading.Thread(target=knock, args=(port, over)) for _ in range(CLIENTS)]
            for client in clients:
                client.start()
            time.sleep(0.02)
            listener.stop()
            over.set()
            for client in clients:
                client.join()
            del listener
            gc.collect()
    assert [
        str(each.message) for each in left if "127.0.0.1" in str(each.message) or "transport" in str(each.message)
    ] == []
