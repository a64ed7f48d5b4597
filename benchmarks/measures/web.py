"""The dashboard: many browsers that watch one run, over real connections, and what a page costs."""

from __future__ import annotations

import http.client
import json
import os
import re
import selectors
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

from report import Table, median_ms

from measures.projects import repository
from measures.status import run_of
from ralph.loop.inputs import Judged, TurnEnded
from ralph.loop.journal import Journal
from ralph.system import clock

ROW = b'<li class=\\"row'
DEADLINE_S = 60.0


def measure(table: Table, work: Path, *, quick: bool) -> None:
    clients, updates = (20, 50) if quick else (100, 200)
    root = repository(work / "web", {"a.md": "one\n"})
    journal = run_of(root, 5)
    line = [sys.executable, "-m", "ralph", "web", "-C", str(root), "--json"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            told = ""
            while not told.endswith("}\n"):
                told += process.stdout.readline()
            browser = _Browser(json.loads(told)["url"])
            taken, writing = _watched(browser, journal, clients, updates)
            size = _memory_mb(process.pid)
            page = median_ms(lambda: browser.page("/"), 5 if quick else 20)
            run = median_ms(lambda: browser.page(f"/runs/{journal.folder.name}"), 5 if quick else 20)
        finally:
            process.kill()
    table.row(
        f"`ralph web`: {clients} browsers x {updates} updates of a run, all arrived",
        f"{taken:.2f} s",
        "under 2 s",
        f"writing the {updates} lines to its log alone: {writing:.2f} s; memory of the server: {size:.0f} MB",
    )
    table.row(
        f"`ralph web`: the page of a run with {updates} lines", f"{run:.0f} ms", "", f"the list of runs: {page:.0f} ms"
    )


class _Browser:
    """Entered the dashboard."""

    def __init__(self, url: str) -> None:
        self.port = urlsplit(url).port or 0
        answer = self._get(f"/?{urlsplit(url).query}", {})
        self.place = (answer.getheader("location") or "").rstrip("/")
        self.cookie = (answer.getheader("set-cookie") or "").partition(";")[0]

    def page(self, path: str) -> bytes:
        answer = self._get(self.place + path, {"Cookie": self.cookie})
        assert answer.status == 200, answer.status
        return answer.read()

    def watch(self, path: str) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=DEADLINE_S)
        host = f"Host: 127.0.0.1:{self.port}\r\nCookie: {self.cookie}"
        connection.sendall(f"GET {self.place}{path} HTTP/1.1\r\n{host}\r\n\r\n".encode())
        return connection

    def _get(self, path: str, headers: dict[str, str]) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE_S)
        connection.request("GET", path, headers=headers)
        return connection.getresponse()


def _watched(browser: _Browser, journal: Journal, clients: int, updates: int) -> tuple[float, float]:
    """Seconds from the first line written until the last browser has them all, and those of the writing."""
    path = f"/live/runs/{journal.folder.name}?after={journal.place.seq or _lines(journal)}"
    watching = [browser.watch(path) for _ in range(clients)]
    for each in watching:
        while b"event: region" not in each.recv(1 << 16):
            pass
    time.sleep(1)  # what there was before has arrived
    chosen = selectors.DefaultSelector()
    for each in watching:
        each.setblocking(False)
        while _more(each):
            pass
        chosen.register(each, selectors.EVENT_READ, bytearray())
    child = os.fork()
    if child == 0:
        began = time.perf_counter()
        _write(journal, updates)
        os.write(1, b"")
        os._exit(min(255, int((time.perf_counter() - began) * 100)))
    began, done = time.perf_counter(), 0
    while done < clients:
        assert time.perf_counter() - began < DEADLINE_S, f"{done} of {clients} browsers have everything"
        for key, _ in chosen.select(1):
            key.data.extend(_more(key.fileobj))  # type: ignore[arg-type]
            if len(re.findall(re.escape(ROW), key.data)) >= updates:
                chosen.unregister(key.fileobj)
                done += 1
    taken = time.perf_counter() - began
    writing = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) / 100
    for each in watching:
        each.close()
    return taken, writing


def _more(connection: socket.socket) -> bytes:
    try:
        return connection.recv(1 << 20)
    except BlockingIOError:
        return b""


def _lines(journal: Journal) -> int:
    return journal.path.read_bytes().count(b"\n")


def _write(journal: Journal, updates: int) -> None:
    for number in range(updates // 2):
        journal.add(TurnEnded(reason="completed", runtime_s=1.0), clock.now())
        journal.add(
            Judged(outcome="open", tree=f"n{number:039x}", moved=True, told=("Go on.",), verdict="FAIL"), clock.now()
        )


def _memory_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024
