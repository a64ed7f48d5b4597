"""What can be watched: a run, the list of runs, the inbox. Each renders with the templates that made the page."""

from __future__ import annotations

import time
from pathlib import Path

from ralph.loop import journal
from ralph.loop.control import alive
from ralph.loop.state import State
from ralph.record import replace
from ralph.system.ledger import START
from ralph.web.data import approvals, run, runs, timeline
from ralph.web.data import turn as turns
from ralph.web.live import News
from ralph.web.plot import line_plot
from ralph.web.render import Renderer
from ralph.web.site import Site

INBOX_S = 5.0


class RunFeed:
    """A run's log, how the run stands, and what its agent says and does."""

    def __init__(self, site: Site, renderer: Renderer, folder: Path) -> None:
        self._site = site
        self._renderer = renderer
        self._folder = folder
        self._place = START
        self._state: State | None = None
        self._teller = site.words.teller()
        self._used: list[timeline.Used] = []
        self._seen: object = None
        self._turn: turns.Seen | None = None

    def look(self) -> News | None:
        news, spoken = (
            self._moved(),
            self._spoken(),
        )  # in this order: when the run is over, the turn has been read whole
        if news is None:
            return News(spoken) if spoken else None
        return replace(news, regions={**news.regions, **spoken})

    def _spoken(self) -> dict[str, str]:
        now = turns.seen(self._folder)
        if now is None or now == self._turn:
            return {}
        found = turns.newest(now)
        self._turn = now
        return {"turn": self._renderer.part("part_turn.html", turn=found, run=self._folder.name)}

    def _moved(self) -> News | None:
        at_work = alive(self._site.root)
        seen = ((self._folder / journal.LOG).stat().st_size, at_work, runs.requests_changed(self._site.root))
        if seen == self._seen:
            return None
        found, self._place = journal.moments(self._folder, self._place, self._state)
        if found:
            self._state = found[-1].state
        if self._state is None:
            return None
        self._used += timeline.usage(found)
        rows = timeline.rows(found, self._teller)
        facts = run.facts(self._site, self._folder, self._state)
        self._seen = seen
        part = self._renderer.part
        return News(
            regions={
                "facts": part("part_facts.html", facts=facts),
                "used": part("part_used.html", **used_plots(self._used)),
                "board": part("part_board.html", board=run.board(self._site.root)),
            },
            rows=tuple((row.number, part("part_row.html", row=row, run=self._folder.name)) for row in rows),
            over=facts.over,
        )


class RunsFeed:
    """The list of runs."""

    def __init__(self, site: Site, renderer: Renderer) -> None:
        self._site = site
        self._renderer = renderer
        self._seen: object = None

    def look(self) -> News | None:
        seen = runs.signature(self._site.root)
        if seen == self._seen:
            return None
        self._seen = seen
        return News({"runs": self._renderer.part("part_runs.html", found=runs.page(self._site))})


class InboxFeed:
    """The requests that wait. Time changes them too: how long each has left, and whether an agent still waits."""

    def __init__(self, site: Site, renderer: Renderer) -> None:
        self._site = site
        self._renderer = renderer
        self._seen: object = None
        self._looked = 0.0

    def look(self) -> News | None:
        seen, now = runs.requests_changed(self._site.root), time.monotonic()
        if seen == self._seen and now < self._looked + INBOX_S:
            return None
        self._seen, self._looked = seen, now
        return News({"inbox": self._renderer.part("part_inbox.html", inbox=approvals.inbox(self._site))})


def used_plots(used: list[timeline.Used]) -> dict[str, object]:
    """What the part about usage takes."""
    return {
        "usage": used,
        "cost": line_plot([each.cost_usd for each in used], "$", "iterations") if used else None,
        "tokens": line_plot([each.tokens for each in used], "", "iterations") if used else None,
    }
