"""Live pages: one watcher for each thing that is watched, however many browsers look at it.

Rules:

- A watcher looks at the disk every `LOOK_S`, as long as anybody watches, and renders what is new once for all.
- What it sends are regions (a part of the page, replaced as a whole) and rows (appended, each with a number). Who comes
  later, or comes back, says which row it had last, and misses none.
- Nobody waits for a slow client: each has a short queue of its own, and one that is full ends its connection. Its
  browser comes back by itself, and goes on after the last row that it had.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Protocol

from markupsafe import escape
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ralph.errors import RalphError
from ralph.record import field, record
from ralph.web.shown import line

LOOK_S = 0.2
PING_S = 15.0
MOST_WAITING = 64
MOST_CLIENTS = 1000


@record
class News:
    """What is new. `over`: nothing will follow."""

    regions: Mapping[str, str] = field(default_factory=dict)
    rows: tuple[tuple[int, str], ...] = ()
    over: bool = False


class Feed(Protocol):
    """Something to watch. The first look gives everything there is. Raises RalphError, OSError."""

    def look(self) -> News | None: ...


class Client:
    """A browser. `last` is the row that it has, `full` is set when it does not keep up."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.full = asyncio.Event()
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(MOST_WAITING)

    def put(self, data: bytes | None) -> None:
        try:
            self.queue.put_nowait(data)
        except asyncio.QueueFull:
            self.full.set()


class Watcher:
    """Looks at one feed for all its clients."""

    def __init__(self, feed: Feed) -> None:
        self.clients: set[Client] = set()
        self._feed = feed
        self._regions: dict[str, str] = {}
        self._rows: list[tuple[int, str]] = []
        self._over = False

    def join(self, client: Client) -> None:
        """What there is already, and from now on what comes."""
        self.clients.add(client)
        if data := _encoded(self._regions, self._rows, client.last):
            client.put(data)
        self._forward(client)

    async def watch(self) -> None:
        """Until nobody watches any more, or nothing will follow."""
        while self.clients and not self._over:
            try:
                news = await asyncio.to_thread(self._feed.look)
            except (RalphError, OSError) as error:
                news = News({"trouble": f"This cannot be watched now: {escape(line(error, 1000))}"})
            if news:
                self._deliver(news)
            await asyncio.sleep(LOOK_S)

    def _deliver(self, news: News) -> None:
        changed = {name: html for name, html in news.regions.items() if self._regions.get(name) != html}
        self._regions |= changed
        self._rows += news.rows
        self._over = news.over
        encoded: dict[int, bytes] = {}
        for client in self.clients:
            if client.last not in encoded:
                encoded[client.last] = _encoded(changed, news.rows, client.last)
            if encoded[client.last]:
                client.put(encoded[client.last])
            self._forward(client)

    def _forward(self, client: Client) -> None:
        if self._rows:
            client.last = max(client.last, self._rows[-1][0])
        if self._over:
            client.put(b"event: over\ndata:\n\n")
            client.put(None)


class Hub:
    """All watchers of a dashboard, by what they watch."""

    def __init__(self) -> None:
        self.watchers: dict[str, Watcher] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def join(self, key: str, feed: Callable[[], Feed], client: Client) -> Watcher | None:
        """Watch something; None if too many do."""
        if sum(len(each.clients) for each in self.watchers.values()) >= MOST_CLIENTS:
            return None
        watcher = self.watchers.get(key)
        if watcher is None:
            watcher = self.watchers[key] = Watcher(feed())
            watcher.join(client)
            task = asyncio.create_task(self._watch(key, watcher))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            watcher.join(client)
        return watcher

    async def _watch(self, key: str, watcher: Watcher) -> None:
        try:
            await watcher.watch()
        finally:
            del self.watchers[key]


class Stream(Response):
    """The answer to a browser that watches."""

    def __init__(self, hub: Hub, key: str, feed: Callable[[], Feed], last: int) -> None:
        super().__init__(media_type="text/event-stream")
        self._hub, self._key, self._feed, self._last = hub, key, feed, last

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = Client(self._last)
        watcher = self._hub.join(self._key, self._feed, client)
        if watcher is None:
            await Response("Too many browsers watch already.\n", 503)(scope, receive, send)
            return
        ways = (_sent(client, send), _gone(receive), client.full.wait())
        tasks = [asyncio.ensure_future(each) for each in ways]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            watcher.clients.discard(client)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _sent(client: Client, send: Send) -> None:
    headers = [(b"content-type", b"text/event-stream; charset=utf-8")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"retry: 1000\n\n", "more_body": True})
    while True:
        try:
            data = await asyncio.wait_for(client.queue.get(), PING_S)
        except TimeoutError:
            data = b": ping\n\n"
        await send({"type": "http.response.body", "body": data or b"", "more_body": data is not None})
        if data is None:
            return


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _encoded(regions: Mapping[str, str], rows: tuple[tuple[int, str], ...] | list[tuple[int, str]], last: int) -> bytes:
    """Events; a row's text is HTML that the templates made, in JSON, which holds no line end."""
    events = [f"event: region\ndata: {json.dumps({'name': name, 'html': html})}\n\n" for name, html in regions.items()]
    later = [(number, html) for number, html in rows if number > last]
    if later:
        html = json.dumps({"html": "".join(html for _, html in later)})
        events.append(f"event: rows\nid: {later[-1][0]}\ndata: {html}\n\n")
    return "".join(events).encode()
