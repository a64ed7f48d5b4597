"""The way out of a sandbox to hosts that a rule names: a small HTTP proxy in this process, on a unix socket.

Rules (research: commands and sandbox, A.1, B.3; design decision 25):

- It lives in Ralph's own process, outside the sandbox, as long as its `with`: when Ralph ends, however that happens,
  there is no way out any more. The socket lies in a folder that only its owner can enter, and is mounted inside.
- It resolves the name itself and connects to the very address that it has judged, so a name server that changes its
  answer wins nothing.
- Each request is one line of JSON in the log: what was asked, allow or deny, and why. Headers, paths and contents are
  neither judged nor written down. A tunnel's contents are whatever the two ends agree on: the rule is about hosts.
- Connections, their number at a time and their idle time are limited; past a limit the answer is no.
"""

from __future__ import annotations

import ipaddress
import json
import os
import select
import socket
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ralph.errors import StorageError
from ralph.permissions.sandbox import bridge
from ralph.permissions.sandbox.hosts import HostRule, is_public, parse_rule, rule_for
from ralph.permissions.sandbox.proxy_request import MAX_HEAD, Refused, Request, parse_head
from ralph.record import field, record
from ralph.system.clock import now, rfc3339
from ralph.system.scratch import scratch

AT_ONCE = 64
IN_ALL = 20_000
HEAD_LIMIT_S, CONNECT_LIMIT_S, IDLE_LIMIT_S, STOP_LIMIT_S = 10.0, 20.0, 120.0, 2.0
_PART = 1 << 16
_REASONS = {
    400: "Bad Request",
    403: "Forbidden",
    411: "Length Required",
    502: "Bad Gateway",
    503: "Service Unavailable",
}


@contextmanager
def serving(rules: Iterable[str], log: Path) -> Iterator[Path]:
    """Serve until the `with` ends; yields the socket. Raises ConfigError for a rule, StorageError for the files."""
    parsed = tuple(parse_rule(rule) for rule in rules)
    with scratch("proxy") as folder, _appending(log) as descriptor, socket.socket(socket.AF_UNIX) as listener:
        place = folder / "socket"
        _bind(listener, place)
        proxy = _Proxy(parsed, listener, descriptor)
        thread = threading.Thread(target=proxy.serve, daemon=True, name="proxy")
        thread.start()
        try:
            yield place
        finally:
            proxy.stop()
            thread.join()


def _bind(listener: socket.socket, place: Path) -> None:
    try:
        listener.bind(str(place))
    except OSError as error:  # the name of a socket may have about a hundred characters
        raise StorageError(
            f"The proxy's socket {place} cannot be made: {error}; set TMPDIR to a shorter path."
        ) from None
    listener.listen(AT_ONCE)


def bridged(argv: Iterable[str], socket_inside: str) -> tuple[str, ...]:
    """The argv that starts a command inside the sandbox with its end of the way out (see `bridge.py`)."""
    return (os.path.realpath(sys.executable), "-I", "-S", bridge.__file__, socket_inside, str(bridge.PORT), *argv)


@contextmanager
def _appending(log: Path) -> Iterator[int]:
    try:
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    except OSError as error:
        raise StorageError(f"The network log {log} cannot be written: {error.strerror}.") from error
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@record(frozen=False)
class _Proxy:
    rules: tuple[HostRule, ...]
    listener: socket.socket
    log: int
    lock: threading.Lock = field(default_factory=threading.Lock)
    open: set[socket.socket] = field(default_factory=set)
    threads: set[threading.Thread] = field(default_factory=set)
    taken: int = 0
    stopping: bool = False

    def serve(self) -> None:
        while not self.stopping:
            try:
                client, _ = self.listener.accept()
            except OSError:
                if not self.stopping:
                    time.sleep(0.05)  # no descriptor is free at the moment
            else:
                self.take(client)

    def take(self, client: socket.socket) -> None:
        with self.lock:  # also around the start: what is in the list can be waited for
            self.taken += 1
            if not self.stopping and self.taken <= IN_ALL and len(self.threads) < AT_ONCE:
                thread = threading.Thread(target=self.attend, args=(client,), daemon=True)
                self.threads.add(thread)
                self.open.add(client)
                thread.start()
                return
        answer(client, 503, "too many connections")
        client.close()

    def stop(self) -> None:
        with self.lock:
            self.stopping = True
            for each in (self.listener, *self.open):
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
            waiting = list(self.threads)
        deadline = time.monotonic() + STOP_LIMIT_S
        for thread in waiting:  # one that waits for a name server is left to it: it can do nothing more
            thread.join(max(0.0, deadline - time.monotonic()))

    def attend(self, client: socket.socket) -> None:
        try:
            self.exchange(client)
        except OSError:
            pass  # one of the two has gone
        finally:
            with self.lock:
                self.open.discard(client)
                self.threads.discard(threading.current_thread())
            client.close()

    def exchange(self, client: socket.socket) -> None:
        client.settimeout(HEAD_LIMIT_S)
        request: Request | None = None
        try:
            head, early = read_head(client)
            request = parse_head(head)
            server = self.connect(request)
        except Refused as refusal:
            self.note(request, refusal)
            answer(client, refusal.status, str(refusal))
            return
        with server:
            with self.lock:
                if self.stopping:
                    return
                self.open.add(server)
            try:
                self.note(request, None)
                if request.is_tunnel:
                    client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                    server.sendall(early)
                    relay(client, server)
                else:
                    server.sendall(request.head + early[: request.body_bytes])
                    relay(client, server, request.body_bytes - len(early[: request.body_bytes]))
            finally:
                with self.lock:
                    self.open.discard(server)

    def connect(self, request: Request) -> socket.socket:
        """A connection to an address of the host that may be reached. Raises Refused."""
        host = request.host
        rule = rule_for(host, self.rules)
        if rule is None:
            raise Refused(403, "no rule names this host and port")
        try:
            found = socket.getaddrinfo(host.name, host.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise Refused(502, "the name cannot be resolved") from None
        addresses = dict.fromkeys(ipaddress.ip_address(each[4][0]) for each in found)
        fit = [each for each in addresses if is_public(each) or rule.opens(each)]
        if not fit:
            raise Refused(403, "the name leads to addresses that are not public")
        for address in fit:
            with suppress(OSError):
                return socket.create_connection((str(address), host.port), timeout=CONNECT_LIMIT_S)
        raise Refused(502, "the host does not answer")

    def note(self, request: Request | None, refusal: Refused | None) -> None:
        record = {
            "time": rfc3339(now()),
            "decision": "deny" if refusal else "allow",
            "method": request.method if request else None,
            "host": request.host.name if request else None,
            "port": request.host.port if request else None,
            "reason": str(refusal) if refusal else None,
        }
        with self.lock:
            if not self.stopping:  # afterwards the descriptor may be another file's
                os.write(self.log, json.dumps(record).encode("ascii") + b"\n")


def read_head(client: socket.socket) -> tuple[bytes, bytes]:
    """The head without its empty line, and what came behind it. Raises Refused."""
    data = b""
    while (end := data.find(b"\r\n\r\n")) < 0:
        if len(data) > MAX_HEAD:
            raise Refused(400, "the request's head is too long")
        part = client.recv(_PART)
        if not part:
            raise Refused(400, "the request ends within its head")
        data += part
    return data[:end], data[end + 4 :]


def relay(client: socket.socket, server: socket.socket, client_bytes: int | None = None) -> None:
    """Pass bytes both ways until the server has ended, or nothing has moved for long. With `client_bytes`, what the
    client sends beyond so many goes nowhere."""
    poll = select.poll()
    other = {client.fileno(): (client, server), server.fileno(): (server, client)}
    for each in (client, server):
        each.settimeout(IDLE_LIMIT_S)
        poll.register(each, select.POLLIN)
    while ready := poll.poll(IDLE_LIMIT_S * 1000):
        for number, _ in ready:
            source, target = other[number]
            data = source.recv(_PART)
            if source is client and client_bytes is not None:
                data, seen = data[:client_bytes], data
                client_bytes -= len(data)
                if seen and not data:
                    poll.unregister(source)
                    continue
            if data:
                target.sendall(data)
                continue
            poll.unregister(source)
            if source is server:
                return
            with suppress(OSError):
                target.shutdown(socket.SHUT_WR)


def answer(client: socket.socket, status: int, reason: str) -> None:
    """Say no, in a way that clients show to people."""
    body = f"Ralph's sandbox: {reason}.\n".encode("ascii", "replace")
    head = f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\n"
    with suppress(OSError):
        client.sendall(head.encode("ascii") + b"Connection: close\r\n\r\n" + body)
