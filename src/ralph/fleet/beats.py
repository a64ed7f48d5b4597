"""Which workers live, and whose turn it is to look after those that do not.

Rules:

- A worker beats every few seconds. One that was not heard of for `dead_after_s` is given up; one whose lock in this
  home is free has died, and is given up at once.
- A worker that was given up learns it by its next beat, and ends. One that cannot reach the database for that long ends
  its jobs by itself, as others may have them.
- One worker at a time looks after the dead, and it looks again each time: what is missed once is found the next time.
  After the database was away nobody is given up until everybody had time to be heard of again.
"""

from __future__ import annotations

import os
import socket
import time

import sqlalchemy as sa

from ralph.fleet.home import FORGOTTEN_S, Home
from ralph.fleet.model import Seen
from ralph.fleet.tables import JOBS, LEASE, WORKERS, Database

_W = WORKERS.c
REAPER = "reaper"


class Beats:
    def __init__(self, database: Database, home: Home, name: str, *, beat_s: float, dead_after_s: float) -> None:
        self.database, self.home, self.name = database, home, name
        self.beat_s, self.dead_after_s = beat_s, dead_after_s
        self.heard = time.monotonic()
        self._steady_since = self.heard

    def enter(self, concurrency: int) -> None:
        """Be known as a worker."""
        now = self.database.now
        row = {"name": self.name, "host": socket.gethostname(), "pid": os.getpid(), "home": self.home.id}
        values = {**row, "concurrency": concurrency, "started_at": now, "seen_at": now, "gone": 0}
        self.database.do(lambda connection: connection.execute(WORKERS.insert().values(**values)))
        self._was_heard()

    def beat(self) -> bool:
        """Be heard of; False if this worker was given up meanwhile."""
        mine = WORKERS.update().where(_W.name == self.name, _W.gone == 0).values(seen_at=self.database.now)
        is_known = self.database.do(lambda connection: connection.execute(mine).rowcount) == 1
        self._was_heard()
        return is_known

    def _was_heard(self) -> None:
        now = time.monotonic()
        if now - self.heard > max(3 * self.beat_s, 1.0):
            self._steady_since = now
        self.heard = now

    @property
    def silent_s(self) -> float:
        """So long nothing reached the database."""
        return time.monotonic() - self.heard

    def leave(self) -> None:
        gone = WORKERS.update().where(_W.name == self.name).values(gone=1)
        self.database.do(lambda connection: connection.execute(gone))

    def is_reaper(self) -> bool:
        """Whether it is this worker's turn for the next while."""
        now, until = self.database.now, self.database.now + 3 * self.beat_s

        def taken(connection: sa.Connection) -> bool:
            self.database.alone(connection, REAPER)
            mine = sa.or_(LEASE.c.holder == self.name, LEASE.c.until < now)
            renewed = LEASE.update().where(LEASE.c.name == REAPER, mine).values(holder=self.name, until=until)
            if connection.execute(renewed).rowcount:
                return True
            if connection.execute(sa.select(LEASE.c.name)).first():
                return False
            connection.execute(LEASE.insert().values(name=REAPER, holder=self.name, until=until))
            return True

        return self.database.do(taken)

    def give_up_the_dead(self) -> None:
        """Mark the workers that died, or were silent for too long."""
        rows = self.database.do(lambda connection: connection.execute(sa.select(WORKERS).where(_W.gone == 0)).all())
        here = [row.name for row in rows if row.home == self.home.id and self.home.alive(row.name) is False]
        old = _W.seen_at < self.database.now - self.dead_after_s
        is_steady = time.monotonic() - self._steady_since > self.dead_after_s
        dead = sa.or_(_W.name.in_(here), old) if is_steady else _W.name.in_(here)
        given_up = WORKERS.update().where(_W.gone == 0, _W.name != self.name, dead).values(gone=1)
        forgotten = WORKERS.delete().where(_W.gone == 1, _W.seen_at < self.database.now - FORGOTTEN_S)

        def marked(connection: sa.Connection) -> None:
            connection.execute(given_up)
            connection.execute(forgotten)

        self.database.do(marked)

    def living(self) -> set[str]:
        """The workers that were not given up."""
        query = sa.select(_W.name).where(_W.gone == 0)
        return set(self.database.do(lambda connection: connection.execute(query).scalars().all()))


def seen(database: Database, dead_after_s: float) -> list[Seen]:
    """The workers as the queue knows them, the newest first."""
    at_work = sa.select(sa.func.count()).where(JOBS.c.holder == _W.name, JOBS.c.state == "running").scalar_subquery()
    query = sa.select(WORKERS, (database.now - _W.seen_at).label("silent"), at_work.label("running"))
    rows = database.do(lambda connection: connection.execute(query.order_by(_W.started_at.desc())).all())
    return [
        Seen(
            name=row.name,
            host=row.host,
            pid=row.pid,
            home=row.home,
            concurrency=row.concurrency,
            running=row.running,
            started_at=row.started_at,
            seen_s=max(0.0, row.silent),
            alive=not row.gone and row.silent < dead_after_s,
        )
        for row in rows
    ]
