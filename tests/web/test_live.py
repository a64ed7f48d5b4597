"""Live pages over a real server: what happens arrives, nobody misses a line, nobody waits for a slow one."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("uvicorn")

from ralph.agents.base import Text, ToolCall, ToolResult
from ralph.cli.web import site_of
from ralph.errors import StorageError
from ralph.loop import journal as journals
from ralph.loop.inputs import Controlled
from ralph.web import feeds, live, server
from ralph.web.live import Client, Hub, News
from ralph.web.site import Site
from tests.cli.runs import RUN, happened, judged, turn
from tests.web.sites import said, with_a_run


class Served:
    """A server that runs, and all who watch it."""

    def __init__(self, site: Site, address: str) -> None:
        self._site = site
        self.port = urlsplit(address).port or 0
        self.watching: list[Watching] = []

    def watch(self, path: str, *, last: int | None = None, headers: dict[str, str] | None = None) -> Watching:
        given = {"Cookie": f"ralph={self._site.secret.session}"} | ({"Last-Event-ID": str(last)} if last else {})
        found = Watching(self.port, self._site.secret.place + path, given if headers is None else headers)
        self.watching.append(found)
        return found


@contextmanager
def served(site: Site) -> Iterator[Served]:
    """A server of a site."""
    found: list[str] = []
    ready = threading.Event()
    listening = server._listening(0)
    port = listening.getsockname()[1]

    def told(address: str) -> None:
        found.append(address)
        ready.set()

    running = server._Server(site, port, told)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    assert ready.wait(20)
    serving = Served(site, found[0])
    try:
        yield serving
    finally:
        for each in serving.watching:
            each.close()
        running.should_exit = True
        thread.join(20)
        listening.close()
        assert not thread.is_alive()


class Watching:
    """A browser that follows a live page."""

    def __init__(self, port: int, path: str, headers: dict[str, str]) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self._connection.request("GET", path, headers=headers)
        self.answer = self._connection.getresponse()
        self.last = 0

    def event(self) -> tuple[str, dict[str, str]]:
        """The next one."""
        name, data = "", ""
        while line := self.answer.readline().decode().rstrip("\n"):
            key, _, value = line.partition(": ")
            name, data = (value, data) if key == "event" else (name, value) if key == "data" else (name, data)
            self.last = int(value) if key == "id" else self.last
        return (name, json.loads(data) if data else {}) if name else self.event()

    def until(self, text: str, *, most_s: float = 20) -> str:
        """Everything that came until this text did."""
        told, deadline = "", time.monotonic() + most_s
        while text not in told:
            assert time.monotonic() < deadline, told[-2000:]
            told += self.event()[1].get("html", "")
        return told

    def close(self) -> None:
        self.answer.close()
        self._connection.close()


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return site_of(with_a_run(tmp_path / "p"))


def test_what_the_agent_says_arrives_while_it_says_it(site: Site) -> None:
    """Also when nothing else moves, and when the next turn begins."""
    turns = site.root / ".ralph" / "runs" / RUN / "turns"
    with served(site) as serving:
        watching = serving.watch(f"/live/runs/{RUN}")
        watching.until("$0.75")
        said(turns / "2-1", Text("I look <b>"))
        assert "I look &lt;b&gt;" in watching.until("I look")
        said(turns / "2-1", ToolCall("run", "make test"), ToolResult(ok=False, output="2 failed"))
        watching.until("2 failed")
        said(turns / "3-1", Text("Now really."))
        assert "I look" not in watching.until("Now really.").rpartition("Turn 3-1")[2]


def test_what_happens_arrives_as_it_happens(site: Site) -> None:
    journal = journals.latest(site.root)
    assert journal is not None
    with served(site) as serving:
        watching = serving.watch(f"/live/runs/{RUN}?after={journal.place.seq}")
        assert watching.answer.status == 200
        assert watching.answer.headers["content-type"].startswith("text/event-stream")
        assert watching.answer.headers["cache-control"] == "no-store"
        happened(journal, turn(0.125, detail="it went on", reason="error"))
        told = watching.until("it went on")
        assert "The tests fail." not in told, "the page had that line already"
        happened(journal, Controlled(do="stop", number=0))
        watching.until("stopped")
        while (event := watching.event())[0] != "over":
            assert event[0] in ("region", "rows")
        assert watching.answer.read() == b""


def test_who_comes_back_misses_nothing_and_sees_nothing_twice(site: Site) -> None:
    journal = journals.latest(site.root)
    assert journal is not None
    with served(site) as serving:
        first = serving.watch(f"/live/runs/{RUN}")
        first.until("The tests fail.")
        first.close()
        happened(journal, turn(detail="while away", reason="error"))
        again = serving.watch(f"/live/runs/{RUN}", last=first.last)
        told = again.until("while away")
        assert told.count("while away") == 1
        assert "The tests fail." not in told


def test_the_list_and_the_inbox(site: Site) -> None:
    journal = journals.latest(site.root)
    assert journal is not None
    with served(site) as serving:
        runs, inbox = serving.watch("/live/runs"), serving.watch("/live/approvals")
        runs.until("iteration 2")
        inbox.until("Nothing waits")
        happened(journal, turn(), judged())
        runs.until("iteration 3")
        from tests.web.sites import Browser
        from tests.web.test_approvals import ask

        ask(Browser(site, enters=False))
        inbox.until("npm install left-pad")
        runs.until("request waits")


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        (f"/live/runs/{RUN}", {}, 401),
        ("/live/runs", {"Host": "evil.example"}, 421),
        ("/live/runs/nothing", {"Cookie": "own"}, 404),
    ],
)
def test_others_watch_nothing(site: Site, path: str, headers: dict[str, str], status: int) -> None:
    with served(site) as serving:
        given = {key: f"ralph={site.secret.session}" if value == "own" else value for key, value in headers.items()}
        assert serving.watch(path, headers=given).answer.status == status


def test_a_websocket_is_refused(site: Site) -> None:
    with served(site) as serving:
        port = serving.port
        with socket.create_connection(("127.0.0.1", port), timeout=120) as raw:
            raw.sendall(
                f"GET /live/runs HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            assert b" 101 " not in raw.recv(100)


def test_it_listens_on_this_machine_alone(site: Site) -> None:
    listening = server._listening(0)
    try:
        assert listening.getsockname()[0] == "127.0.0.1"
        port = listening.getsockname()[1]
        with pytest.raises(StorageError, match="--port"):
            server._listening(port)
    finally:
        listening.close()


class Counting:
    """A feed that gives what it is told to."""

    def __init__(self) -> None:
        self.looks = 0
        self.given: list[News] = []

    def look(self) -> News | None:
        self.looks += 1
        return self.given.pop(0) if self.given else None


def rows(first: int, last: int) -> News:
    return News(rows=tuple((number, f"<{number}>") for number in range(first, last + 1)))


def drained(client: Client) -> str:
    told = ""
    while not client.queue.empty():
        told += (client.queue.get_nowait() or b"(end)").decode()
    return told


def test_one_watcher_looks_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LOOK_S", 0.01)
    made: list[Counting] = []

    def feed() -> Counting:
        made.append(Counting())
        made[-1].given = [rows(1, 2), rows(3, 3)]
        return made[-1]

    async def play() -> list[str]:
        hub, clients = Hub(), [Client(0), Client(2), Client(3)]
        for client in clients:
            hub.join("run", feed, client)
        await asyncio.sleep(0.2)
        late = Client(1)
        watcher = hub.join("run", feed, late)
        assert watcher is not None
        watcher.clients.clear()
        await asyncio.sleep(0.1)
        assert not hub.watchers, "nobody watches any more"
        return [drained(each) for each in (*clients, late)]

    told = asyncio.run(play())
    assert len(made) == 1
    found = [[number for number in "123" if f"<{number}>" in each] for each in told]
    assert found == [["1", "2", "3"], ["3"], [], ["2", "3"]]


def test_a_slow_client_is_dropped_and_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LOOK_S", 0)
    feed = Counting()
    feed.given = [rows(number, number) for number in range(1, 2 * live.MOST_WAITING + 1)]

    async def play() -> tuple[bool, int]:
        hub, slow, quick, read = Hub(), Client(0), Client(0), 0
        hub.join("run", lambda: feed, slow)
        hub.join("run", lambda: feed, quick)
        while read < 2 * live.MOST_WAITING:
            await asyncio.wait_for(quick.queue.get(), 10)
            read += 1
        return slow.full.is_set(), read

    assert asyncio.run(play()) == (True, 2 * live.MOST_WAITING)


class Flood:
    """More than the buffers of a connection hold, and a last line."""

    def __init__(self, *_: object) -> None:
        self.given = 0

    def look(self) -> News | None:
        self.given += 1
        if self.given > 200:
            return News(rows=((201, "the last line"),)) if self.given == 201 else None
        return News(rows=((self.given, "x" * 200_000),))


def test_a_browser_that_reads_nothing_costs_the_others_nothing(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over real sockets: its buffers fill, its connection ends, and who reads gets everything."""
    monkeypatch.setattr(live, "LOOK_S", 0.002)
    monkeypatch.setattr(feeds, "RunsFeed", Flood)
    with served(site) as serving, socket.create_connection(("127.0.0.1", serving.port), timeout=120) as deaf:
        deaf.sendall(
            f"GET {site.secret.place}/live/runs HTTP/1.1\r\nHost: 127.0.0.1:{serving.port}\r\n"
            f"Cookie: ralph={site.secret.session}\r\n\r\n".encode()
        )
        reader, size = serving.watch("/live/runs"), 0
        while "the last line" not in (html := reader.event()[1].get("html", "")):
            size += len(html)
        assert size >= 40_000_000
        got = b""
        while data := deaf.recv(1 << 20):
            got = data
        assert b"the last line" not in got


def test_what_cannot_be_read_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LOOK_S", 0.01)

    class Broken:
        def look(self) -> News | None:
            raise StorageError("The log is <b>damaged\u202e</b>.")

    async def play() -> str:
        hub, client = Hub(), Client(0)
        hub.join("x", Broken, client)
        await asyncio.sleep(0.1)
        return drained(client)

    told = asyncio.run(play())
    assert told.count("event: region") == 1, "the same trouble is told once"
    assert "&lt;b&gt;damaged" in told
    assert "\u202e" not in told


def test_there_is_an_end_to_how_many_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MOST_CLIENTS", 2)

    async def play() -> list[bool]:
        hub = Hub()
        return [hub.join("x", Counting, Client(0)) is not None for _ in range(3)]

    assert asyncio.run(play()) == [True, True, False]
