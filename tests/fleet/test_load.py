"""Two hundred jobs, four workers, one of them killed: on SQLite, and on a PostgreSQL that is restarted meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ralph.fleet.queue import QueueFleet
from tests.fleet.load import Load
from tests.fleet.postgres import postgres
from tests.fleet.stage import Stage

JOBS, REPOSITORIES, WORKERS, AT_ONCE = 200, 10, 4, 2
PATIENT = ("--poll", "0.5", "--beat", "2")
"""The processors are what limits these: who asks more often only takes some of them."""


@contextmanager
def loaded(place: Path, queue: str) -> Iterator[Load]:
    """Workers with all the jobs before them."""
    with closing(Stage(place, queue)) as stage, closing(QueueFleet(queue)) as fleet:
        load = Load(stage, fleet)
        load.submit(JOBS, REPOSITORIES)
        for _ in range(WORKERS):
            stage.start(AT_ONCE, *PATIENT)
        yield load


def test_all_end_once_although_a_worker_is_killed(tmp_path: Path) -> None:
    with loaded(tmp_path, f"sqlite:///{tmp_path}/queue.db") as load:
        load.until(60)
        held = load.kill_one()
        assert load.check(JOBS) == held, "only what the killed one had began twice"


def test_nothing_is_lost_when_postgresql_itself_is_restarted(tmp_path: Path) -> None:
    with postgres() as database, loaded(tmp_path, database.url) as load:
        load.until(60)
        held = load.kill_one()
        load.until(100)
        database.stop()
        database.start()
        again = load.check(JOBS)
        assert held <= again
        assert len(again) <= len(held) + WORKERS * AT_ONCE, "nothing began again but what was under way"
        assert sum(worker.poll() is None for worker in load.stage.workers) == WORKERS - 1, "the others live on"
