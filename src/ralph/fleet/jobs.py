"""The jobs of a queue: what is asked, who works on it, and how it ended.

Rules:

- A worker works on a job only while it holds it. It takes a job that nobody holds who lives, and never more jobs of one
  repository than allowed; each taking is an attempt with a number of its own.
- What a worker says about a job counts only while the attempt is its own: one that was given up, and comes back, says
  nothing. So a job ends once.
- A job whose worker died is taken up again, three times. Then it is an error: a job that kills its workers would go
  through all of them.
- A word to a waiting run is written down before it is sent; of many that come at once the first counts.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, Literal

import sqlalchemy as sa

from ralph.errors import UsageError
from ralph.fleet.model import OVER, Job, State, Word, Work, kind_of, work_of
from ralph.fleet.tables import DECISIONS, JOBS, WORKERS, Database
from ralph.record import record

MOST_LOST = 3
_J = JOBS.c


How = Literal["taken", "busy", "full", "over", "done"]


@record(kw_only=True)
class Taken:
    """What became of an attempt to take a job up. `attempt` is that of the worker who has it now; `done`: this piece of
    it was done before, and the worker died before the engine knew."""

    how: How
    job: Job
    attempt: int = 0


class Jobs:
    """`dead_after_s`: a worker that was not heard of for so long is given up."""

    def __init__(self, database: Database, *, dead_after_s: float = 30.0) -> None:
        self.database = database
        self.dead_after_s = dead_after_s

    def submit(self, work: Work) -> tuple[Job, bool]:
        """The job for this work, and whether it begins now."""

        def submitted(connection: sa.Connection) -> tuple[Job, bool]:
            self.database.alone(connection, work.id)
            found = _row(connection, work.id)
            if found is not None and not _is_measured_anew(found):
                return _job(found), False
            if found is not None:
                _begun_anew(connection, found, self.database.now)
                return _job(_there(connection, work.id)), True
            values = {"id": work.id, "kind": kind_of(work), "repository": work.repository}
            connection.execute(
                JOBS.insert().values(
                    **values, work=json.dumps(asdict(work)), state="queued", submitted_at=self.database.now
                )
            )
            return _job(_there(connection, work.id)), True

        return self.database.do(submitted)

    def retry(self, job: Job) -> Job:
        """Begin anew. Raises UsageError unless the job is over."""

        def retried(connection: sa.Connection) -> Job:
            self.database.alone(connection, job.id)
            found = _there(connection, job.id)
            if found.state not in OVER:
                raise UsageError(f"The job {job.id} is {found.state}: only what is over can be begun anew.")
            _begun_anew(connection, found, self.database.now)
            return _job(_there(connection, job.id))

        return self.database.do(retried)

    def get(self, job_id: str) -> Job:
        return self.database.do(lambda connection: _job(_there(connection, job_id)))

    def find(self, beginning: str) -> Job:
        """Raises UsageError unless exactly one job's id begins so."""
        query = sa.select(JOBS).where(_J.id.startswith(beginning, autoescape=True)).limit(2)
        rows = self.database.do(lambda connection: connection.execute(query).all())
        exact = [row for row in rows if row.id == beginning] or rows
        if len(exact) != 1 or not beginning:
            what = "Several jobs begin with" if exact and beginning else "There is no job"
            raise UsageError(f"{what} {beginning!r}: `ralph queue list` shows those there are.")
        return _job(exact[0])

    def newest(self, limit: int) -> list[Job]:
        query = sa.select(JOBS).order_by(_J.submitted_at.desc(), _J.id).limit(limit)
        return [_job(row) for row in self.database.do(lambda connection: connection.execute(query).all())]

    def waiting(self, home: str | None = None) -> list[tuple[Job, int]]:
        """The runs that wait, with the number of the wait."""
        query = sa.select(JOBS).where(_J.state == "waiting", *([_J.home == home] if home else []))
        return [(_job(row), row.number) for row in self.database.do(lambda connection: connection.execute(query).all())]

    def enqueued(self, job: Job) -> None:
        """Remember that the engine knows of it."""
        known = JOBS.update().where(_J.id == job.id, _J.round == job.round).values(enqueued=1)
        self.database.do(lambda connection: connection.execute(known))

    def forgotten(self, after_s: float) -> list[Job]:
        """Jobs of which the engine does not know although they were submitted: who did it died in between."""
        old = _J.submitted_at < self.database.now - after_s
        query = sa.select(JOBS).where(_J.state == "queued", _J.enqueued == 0, old)
        return [_job(row) for row in self.database.do(lambda connection: connection.execute(query).all())]

    def take(self, job_id: str, worker: str, *, round_number: int, number: int, allowed: int) -> Taken:
        """Take a job up for a worker. A run has many pieces, each with a number; what is left of an earlier round is
        over."""

        def taken(connection: sa.Connection) -> Taken:
            repository = connection.execute(sa.select(_J.repository).where(_J.id == job_id)).scalar()
            self.database.alone(connection, repository or job_id)
            row = _there(connection, job_id)
            if row.round != round_number:
                return Taken(how="over", job=_job(row))
            if (how := self._hindrance(connection, row, worker, number, allowed)) is not None:
                return Taken(how=how, job=_job(_there(connection, job_id)))
            values = {"state": "running", "holder": worker, "attempt": row.attempt + 1, "number": number, "waits": None}
            started = {"started_at": sa.func.coalesce(_J.started_at, self.database.now)}
            lost = {"lost": row.lost + (row.state == "running")}
            connection.execute(JOBS.update().where(_J.id == job_id).values(**values, **started, **lost))
            return Taken(how="taken", job=_job(_there(connection, job_id)), attempt=row.attempt + 1)

        return self.database.do(taken)

    def _hindrance(
        self, connection: sa.Connection, row: sa.Row[Any], worker: str, number: int, allowed: int
    ) -> How | None:
        """Why a worker may not take a job up now."""
        if row.state in OVER:
            return "over"
        if row.cancel:
            _ended(connection, row.id, self.database.now, state="cancelled")
            return "over"
        if row.number > number:
            return "done"
        living = sa.select(WORKERS.c.name).where(*self._lives())
        at_work = (_J.state == "running", _J.holder.in_(living))
        if connection.execute(sa.select(_J.id).where(_J.id == row.id, *at_work, _J.holder != worker)).first():
            return "busy"
        others = sa.select(sa.func.count()).where(_J.repository == row.repository, _J.id != row.id, *at_work)
        if connection.execute(others).scalar_one() >= allowed:
            return "full"
        if (lost := row.lost + (row.state == "running")) >= MOST_LOST:
            why = f"The workers that did it died {lost} times; `ralph queue retry` begins anew."
            _ended(connection, row.id, self.database.now, state="error", why=why)
            return "over"
        return None

    def settle(self, taken: Taken, worker: str, state: State, *, number: int, **values: Any) -> Job:
        """Say how a piece of work ended; nothing if the job was given to another meanwhile."""

        def settled(connection: sa.Connection) -> Job:
            self.database.alone(connection, taken.job.work.repository)
            row = _there(connection, taken.job.id)
            if (row.attempt, row.holder, row.state) == (taken.attempt, worker, "running"):
                plain = {
                    key: json.dumps(value) if key in ("result", "waits") else value for key, value in values.items()
                }
                if row.cancel:
                    _ended(connection, row.id, self.database.now, state="cancelled")
                elif state in OVER:
                    _ended(connection, row.id, self.database.now, state=state, **plain)
                else:
                    going_on = {"state": state, "holder": None, "number": number, "lost": 0, **plain}
                    connection.execute(JOBS.update().where(_J.id == row.id).values(going_on))
            return _job(_there(connection, taken.job.id))

        return self.database.do(settled)

    def give_back(self, worker: str) -> None:
        """A worker that ends in good order leaves its jobs to others; none of them counts as lost."""
        held = JOBS.update().where(_J.holder == worker, _J.state == "running").values(state="queued", holder=None)
        self.database.do(lambda connection: connection.execute(held))

    def held(self, worker: str) -> dict[str, int]:
        """The jobs that a worker has and may go on with, and their attempts."""
        query = sa.select(_J.id, _J.attempt).where(_J.holder == worker, _J.state == "running", _J.cancel == 0)
        rows = self.database.do(lambda connection: connection.execute(query).all())
        return {row.id: row.attempt for row in rows}

    def cancel(self, job: Job) -> tuple[Job, int]:
        """Have it end: at once if nobody works on it, else its worker sees to it. With the number of a wait."""

        def cancelled(connection: sa.Connection) -> tuple[Job, int]:
            self.database.alone(connection, job.work.repository)
            row = _there(connection, job.id)
            if row.state in OVER:
                raise UsageError(f"The job {job.id} is over already: {row.state}.")
            connection.execute(JOBS.update().where(_J.id == job.id).values(cancel=1))
            if row.state in ("queued", "waiting"):
                _ended(connection, job.id, self.database.now, state="cancelled")
            return _job(_there(connection, job.id)), row.number

        return self.database.do(cancelled)

    def answer(self, job: Job, word: Word) -> int:
        """Write down what a waiting run is told; the number of the wait. Raises UsageError if it does not wait for
        this, or was told already."""

        def answered(connection: sa.Connection) -> int:
            self.database.alone(connection, job.id)
            row = _there(connection, job.id)
            waits = json.loads(row.waits) if row.waits else {}
            if row.state != "waiting":
                raise UsageError(f"The job {job.id} waits for nobody: it is {row.state}.")
            if (word.do == "go on") == (waits.get("for") == "approval"):
                raise UsageError(
                    f"The job {job.id} waits for {'an approval' if waits.get('request') else 'its breaker'}."
                )
            place = {"job": job.id, "round": row.round, "number": row.number}
            where = [DECISIONS.c[name] == value for name, value in place.items()]
            if connection.execute(sa.select(DECISIONS.c.job).where(*where)).first():
                raise UsageError(f"The job {job.id} was answered already.")
            said = json.dumps({**asdict(word), "request": waits.get("request", "")})
            connection.execute(DECISIONS.insert().values(**place, word=said, made_at=self.database.now))
            return int(row.number)

        return self.database.do(answered)

    def decided(self, job: Job, number: int) -> dict[str, str] | None:
        """What a run was told in that wait."""
        where = (DECISIONS.c.job == job.id, DECISIONS.c.round == job.round, DECISIONS.c.number == number)
        found = self.database.do(
            lambda connection: connection.execute(sa.select(DECISIONS.c.word).where(*where)).scalar()
        )
        return dict(json.loads(found)) if found else None

    def _lives(self) -> tuple[sa.ColumnElement[bool], ...]:
        return (WORKERS.c.gone == 0, WORKERS.c.seen_at > self.database.now - self.dead_after_s)


def _is_measured_anew(row: sa.Row[Any]) -> bool:
    """What passed is reused, what is under way is shared; all else is done again."""
    return row.state in OVER and not (row.state == "done" and row.outcome in ("PASS", "passed"))


def _begun_anew(connection: sa.Connection, row: sa.Row[Any], now: sa.ColumnElement[float]) -> None:
    fresh = {"outcome": None, "why": "", "result": "{}", "waits": None, "holder": None, "started_at": None}
    connection.execute(
        JOBS.update()
        .where(_J.id == row.id)
        .values(
            state="queued",
            round=row.round + 1,
            lost=0,
            number=0,
            cancel=0,
            enqueued=0,
            ended_at=None,
            submitted_at=now,
            **fresh,
        )
    )


def _ended(connection: sa.Connection, job_id: str, now: sa.ColumnElement[float], **values: Any) -> None:
    connection.execute(JOBS.update().where(_J.id == job_id).values(holder=None, waits=None, ended_at=now, **values))


def _row(connection: sa.Connection, job_id: str) -> sa.Row[Any] | None:
    return connection.execute(sa.select(JOBS).where(_J.id == job_id)).first()


def _there(connection: sa.Connection, job_id: str) -> sa.Row[Any]:
    if (row := _row(connection, job_id)) is None:
        raise UsageError(f"There is no job {job_id!r}: `ralph queue list` shows those there are.")
    return row


def _job(row: sa.Row[Any]) -> Job:
    plain = row._mapping
    same = ("id", "kind", "state", "round", "attempt", "holder", "home", "outcome", "why")
    times = ("submitted_at", "started_at", "ended_at")
    return Job(
        **{name: plain[name] for name in (*same, *times)},
        work=work_of(row.kind, json.loads(row.work)),
        result=json.loads(row.result),
        waits=json.loads(row.waits) if row.waits else None,
    )
