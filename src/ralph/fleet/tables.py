"""Our own records in the queue's database: jobs, workers, decisions. The same on SQLite and PostgreSQL.

Rules:

- What people ask about stands here, not in the tables of the engine below: those may be emptied, and change with it.
- Time is the database's, so that the clocks of many machines need not agree.
- Nothing is stored but JSON and plain values: who can write here can ask for work, and can run nothing by that.
- Records of another form, which another version of Ralph wrote, are neither read nor changed.
- A statement that meets a database that is away is tried again for a while: a restart of it loses nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import sqlalchemy as sa

from ralph.errors import StorageError
from ralph.fleet.address import shown, sqlite_file

T = TypeVar("T")
PATIENCE_S = 60.0

FORM = 1
"""Of these records, and of what the engine keeps with them: raised when either is not understood by older versions."""

META = sa.MetaData()
FORMS = sa.Table("ralph_form", META, sa.Column("form", sa.Integer, primary_key=True))
JOBS = sa.Table(
    "ralph_jobs",
    META,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("repository", sa.Text, nullable=False),
    sa.Column("work", sa.Text, nullable=False),
    sa.Column("state", sa.String(12), nullable=False),
    sa.Column("round", sa.Integer, nullable=False, default=0),
    sa.Column("attempt", sa.Integer, nullable=False, default=0),
    sa.Column("lost", sa.Integer, nullable=False, default=0),
    sa.Column("number", sa.Integer, nullable=False, default=0),
    sa.Column("enqueued", sa.Integer, nullable=False, default=0),
    sa.Column("cancel", sa.Integer, nullable=False, default=0),
    sa.Column("holder", sa.String(100)),
    sa.Column("home", sa.String(32)),
    sa.Column("outcome", sa.String(16)),
    sa.Column("why", sa.Text, nullable=False, default=""),
    sa.Column("result", sa.Text, nullable=False, default="{}"),
    sa.Column("waits", sa.Text),
    sa.Column("submitted_at", sa.Float, nullable=False),
    sa.Column("started_at", sa.Float),
    sa.Column("ended_at", sa.Float),
    sa.Index("ralph_jobs_by_state", "state", "repository"),
    sa.Index("ralph_jobs_by_time", "submitted_at"),
)
WORKERS = sa.Table(
    "ralph_workers",
    META,
    sa.Column("name", sa.String(100), primary_key=True),
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("pid", sa.Integer, nullable=False),
    sa.Column("home", sa.String(32), nullable=False),
    sa.Column("concurrency", sa.Integer, nullable=False),
    sa.Column("started_at", sa.Float, nullable=False),
    sa.Column("seen_at", sa.Float, nullable=False),
    sa.Column("gone", sa.Integer, nullable=False, default=0),
)
DECISIONS = sa.Table(
    "ralph_decisions",
    META,
    sa.Column("job", sa.String(64), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("word", sa.Text, nullable=False),
    sa.Column("made_at", sa.Float, nullable=False),
)
LEASE = sa.Table(
    "ralph_lease",
    META,
    sa.Column("name", sa.String(16), primary_key=True),
    sa.Column("holder", sa.String(100), nullable=False),
    sa.Column("until", sa.Float, nullable=False),
)


class Database:
    """The queue's database. Raises StorageError, without what may be secret, when it cannot be used."""

    def __init__(self, address: str, *, patience_s: float = PATIENCE_S) -> None:
        self.address = address
        self.patience_s = patience_s
        self.is_sqlite = sqlite_file(address) is not None
        self.engine = _sqlite(address) if self.is_sqlite else _postgres(address)
        clock = (
            "(julianday('now') - 2440587.5) * 86400.0" if self.is_sqlite else "extract(epoch from clock_timestamp())"
        )
        self.now: sa.ColumnElement[float] = sa.literal_column(clock, sa.Float)

    def make(self) -> None:
        """Make what is missing; of several that do it at once the others wait."""

        def made(connection: sa.Connection) -> None:
            self.alone(connection, "make")
            FORMS.create(connection, checkfirst=True)
            self._refuse_others(connection)
            META.create_all(connection)

        try:
            self.do(made)
        except TypeError:  # the driver answers with bytes where a database has no encoding
            raise StorageError(f"The queue {shown(self.address)} cannot be used: it is not kept in UTF-8.") from None

    def _refuse_others(self, connection: sa.Connection) -> None:
        found = connection.execute(sa.select(FORMS.c.form)).scalar()
        if found is None:
            connection.execute(FORMS.insert().values(form=FORM))
        elif found != FORM:
            age, way = ("a newer", "upgrade Ralph here") if found > FORM else ("an older", "let it run empty first")
            raise StorageError(f"The queue {shown(self.address)} is of {age} version of Ralph: {way}.")

    def do(self, work: Callable[[sa.Connection], T]) -> T:
        """Do something in one transaction, again while the database is away. Work that was done and not answered is
        done once more, so all of it must bear that."""
        until, pause = time.monotonic() + self.patience_s, 0.05
        while True:
            try:
                with self.engine.begin() as connection:
                    return work(connection)
            except (sa.exc.OperationalError, sa.exc.InterfaceError, sa.exc.InternalError) as error:
                if time.monotonic() > until:
                    raise StorageError(f"The queue {shown(self.address)} cannot be used: {_reason(error)}.") from None
                time.sleep(pause)
                pause = min(2 * pause, 2.0)
            except sa.exc.SQLAlchemyError as error:
                raise StorageError(f"The queue {shown(self.address)} cannot be used: {_reason(error)}.") from None

    def alone(self, connection: sa.Connection, name: str) -> None:
        """Until the transaction ends, nobody else is in one that has this name. SQLite has one writer anyway."""
        if not self.is_sqlite:
            connection.execute(sa.text("select pg_advisory_xact_lock(hashtextextended(:name, 0))"), {"name": name})

    def close(self) -> None:
        self.engine.dispose()


def _sqlite(address: str) -> sa.Engine:
    path = sqlite_file(address) or Path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
    except OSError as error:
        raise StorageError(f"The queue {path} cannot be written: {error.strerror}.") from None
    engine = sa.create_engine(address, connect_args={"timeout": 30})

    @sa.event.listens_for(engine, "connect")
    def prepared(connection: object, record: object) -> None:
        connection.isolation_level = None  # type: ignore[attr-defined]
        connection.execute("pragma journal_mode=wal")  # type: ignore[attr-defined]

    @sa.event.listens_for(engine, "begin")
    def begun(connection: sa.Connection) -> None:
        connection.exec_driver_sql("begin immediate")  # a reader that would write later could not

    return engine


def _postgres(address: str) -> sa.Engine:
    url = sa.make_url(address).set(drivername="postgresql+psycopg")
    return sa.create_engine(url, pool_size=4, pool_pre_ping=True, connect_args={"connect_timeout": 10})


def _reason(error: sa.exc.SQLAlchemyError) -> str:
    """What the database says first; never the statement, nor its values."""
    original = getattr(error, "orig", None)
    said = str(original if original is not None else "").strip().splitlines() or [type(error).__name__]
    return " ".join(said[0].split())[:300].rstrip(".")
