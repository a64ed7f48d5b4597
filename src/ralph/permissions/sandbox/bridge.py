"""The near end of the proxy, inside the sandbox: 127.0.0.1:PORT of its own network leads to the proxy's socket.

Rules (research: commands and sandbox, B.3):

- `python -I -S bridge.py SOCKET PORT PROGRAM ARGUMENT...` listens, leaves a process behind that passes bytes on, and
  becomes the program: what the program is told, and how it ends, is as without a bridge.
- The process left behind is nobody's child but the sandbox's, so a program that waits for all its children does not
  wait for it; it ends with the sandbox.
- It judges nothing. One process for each connection, and nothing but the bare interpreter: this starts in the time
  that the interpreter takes.
"""

# Loading signal, socket or pathlib would take longer than all of this.

from __future__ import annotations

import os
import select
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Container
    from socket import socket
    from typing import NoReturn
else:
    import _signal as signal
    from _socket import socket

AF_UNIX, AF_INET, SOCK_STREAM, SOL_SOCKET, SO_REUSEADDR, SHUT_WR = 1, 2, 1, 1, 2, 1
PORT = 41988
PART = 1 << 16


def main(place: str, port: int, command: list[str]) -> NoReturn:
    listener = socket(AF_INET, SOCK_STREAM)
    listener.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(64)
    child = os.fork()
    if child == 0:
        if os.fork() == 0:
            serve(listener, place)
        os._exit(0)
    os.waitpid(child, 0)
    listener.close()
    os.execvp(command[0], command)


def serve(listener: socket, place: str) -> NoReturn:
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel collects the ended ones
    while True:
        number = accept(listener)
        if os.fork() == 0:
            try:
                connect(number, place)
            finally:
                os._exit(0)
        os.close(number)


def accept(listener: socket) -> int:
    number: int = listener._accept()[0]  # type: ignore[attr-defined]  # of `_socket`, below what `socket` makes of it
    return number


def connect(client: int, place: str) -> None:
    server = socket(AF_UNIX, SOCK_STREAM)
    server.connect(place)
    here = socket(AF_INET, SOCK_STREAM, 0, client)
    other = {client: (here, server), server.fileno(): (server, here)}
    poll = select.poll()
    for number in other:
        poll.register(number, select.POLLIN)
    while other:
        for number, _ in poll.poll():
            source, target = other[number]
            data = source.recv(PART)
            if data:
                target.sendall(data)
                continue
            poll.unregister(number)
            del other[number]
            target.shutdown(SHUT_WR)


def environment(port: int = PORT, named: Container[str] = ()) -> dict[str, str]:
    """What programs read to find the proxy, in both spellings that are in use.

    The sandbox's own loopback is reached without it, but for names that a rule names: then the machine's is meant.
    """
    direct = [name for name in ("localhost", "127.0.0.1", "::1") if name not in named]
    values = {"http_proxy": f"http://127.0.0.1:{port}", "no_proxy": ",".join(direct)}
    values["https_proxy"] = values["all_proxy"] = values["http_proxy"]
    return values | {name.upper(): value for name, value in values.items()}


if __name__ == "__main__":
    try:
        main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
    except OSError as error:
        os.write(2, f"{sys.argv[3]} cannot be started behind the proxy: {error.strerror}\n".encode())
        sys.exit(127)
