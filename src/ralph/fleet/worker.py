"""A worker: takes jobs from the queue until it is told to end, and looks after those of workers that died.

Rules:

- The engine below recovers nobody's work but a worker's own, and each worker has a name of its own. So the workers look
  after each other: what a dead one had goes back into the queue it came from (any other queue would forget the limits).
- It looks again at every beat. What one look misses, because the database was away or the looker died, the next finds.
- A worker that cannot reach the database for as long as it takes to be given up ends its jobs: others may have them.
- Told to end (Ctrl-C, SIGTERM) it ends its processes, gives its jobs back, and is gone; they begin elsewhere at once.
"""

from __future__ import annotations

import secrets
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

from ralph.approvals.answering import Desk
from ralph.approvals.model import Status
from ralph.errors import RalphError
from ralph.fleet import parts
from ralph.fleet.beats import Beats
from ralph.fleet.home import Home
from ralph.fleet.jobs import Jobs
from ralph.fleet.mirrors import Bounds, tidy
from ralph.fleet.performing import Hands
from ralph.fleet.queue import QueueFleet
from ralph.fleet.tables import Database
from ralph.fleet.workflows import register
from ralph.record import field, record

PENDING = "PENDING"
TIDY_S = 3600.0
FORGOTTEN_AFTER_S = 10.0
KEPT_S = 14 * 24 * 3600.0
"""So long the engine remembers what ended."""


@record(kw_only=True)
class Settings:
    """`poll_s`: how often the queue is asked for work."""

    address: str
    concurrency: int
    per_repository: int = 2
    beat_s: float = 5.0
    dead_after_s: float = 30.0
    poll_s: float = 0.5
    bounds: Bounds = field(default_factory=Bounds)


class Worker:
    """Raises RalphError where it cannot begin."""

    def __init__(self, settings: Settings, home: Home, *, say: Callable[[str], None]) -> None:
        self.settings, self.home, self.say = settings, home, say
        self.name = f"{socket.gethostname()[:60]}-{secrets.token_hex(6)}"
        self.fleet = QueueFleet(settings.address, dead_after_s=settings.dead_after_s)
        database = Database(settings.address, patience_s=float("inf"))
        self.jobs = Jobs(database, dead_after_s=settings.dead_after_s)
        self.hands = Hands(
            jobs=self.jobs,
            home=home,
            name=self.name,
            concurrency=settings.concurrency,
            per_repository=settings.per_repository,
        )
        quick = Database(settings.address, patience_s=settings.beat_s)
        self.beats = Beats(quick, home, self.name, beat_s=settings.beat_s, dead_after_s=settings.dead_after_s)
        self.stop = threading.Event()

    def run(self) -> int:
        """Work until told to end; the exit code. Does not return where work is still under way: the process ends."""
        with suppress(ValueError):  # not in the main thread
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, self._told_to_end)
        mark = self.home.enter(self.name)
        self.beats.enter(self.settings.concurrency)
        self._launch()
        self.say(f"{self.name} takes jobs.")
        for task in (self._look_after, self._tidy_up):
            threading.Thread(target=task, name=task.__name__, daemon=True).start()
        code = self._beat_on()
        self.hands.drop_everything()
        with suppress(RalphError):
            self.fleet.jobs_kept.give_back(self.name)
            self.beats.leave()
        mark.release()
        return code

    def _told_to_end(self, number: int, frame: FrameType | None) -> None:
        self.stop.set()

    def _launch(self) -> None:
        """Start the engine, which takes work from the queues from now on."""
        settings, library = self.settings, parts.loaded()
        dbos: Any = library.DBOS
        dbos(config=parts.config(settings.address, self.name))
        register(self.hands)
        here = parts.at(self.home.id)
        dbos.listen_queues([parts.WORK, parts.RUNS, here])
        dbos.launch()
        for queue in (parts.WORK, here):
            dbos.register_queue(
                queue,
                worker_concurrency=settings.concurrency,
                partition_concurrency=settings.per_repository,
                polling_interval_sec=settings.poll_s,
                on_conflict="always_update",
            )
        dbos.register_queue(parts.RUNS, polling_interval_sec=settings.poll_s, on_conflict="always_update")

    def _beat_on(self) -> int:
        """Beat, and end what may not go on. Gives 3 if this worker was given up."""
        next_beat = 0.0
        while not self.stop.wait(0.3):
            try:
                self.hands.let_go()
                if time.monotonic() >= next_beat:
                    next_beat = time.monotonic() + self.settings.beat_s
                    if not self.beats.beat():
                        self.say(f"{self.name} was not heard of for too long, and others have its work: start it anew.")
                        return 3
            except RalphError as error:
                self.say(str(error))
            if self.beats.silent_s > self.settings.dead_after_s:
                self.say(f"The database was away for {self.beats.silent_s:.0f} s: others may have this worker's jobs.")
                return 3
        return 0

    def _look_after(self) -> None:
        """Look after the dead, again and again."""
        while not self.stop.wait(self.settings.beat_s * (0.5 + secrets.randbelow(100) / 100)):
            try:
                if self.beats.is_reaper():
                    self._reap()
                self._tell_again()
            except RalphError as error:
                self.say(str(error))
            except Exception as error:  # noqa: BLE001 - the engine's own errors; the next look finds what this one missed
                self.say(f"The queue could not be looked after ({type(error).__name__}).")

    def _tidy_up(self) -> None:
        """Keep the home within its bounds."""
        while True:
            try:
                for mirror in tidy(self.home, self.settings.bounds):
                    self.say(f"Removed the mirror {mirror.name}, which nobody used.")
            except RalphError as error:
                self.say(str(error))
            if self.stop.wait(TIDY_S):
                return

    def _reap(self) -> None:
        """Put back what dead workers had, each into its queue."""
        self.beats.give_up_the_dead()
        living = self.beats.living()
        client = self.fleet.client
        pending = client.list_workflows(status=PENDING, load_input=False, load_output=False)
        lost = [each for each in pending if each.executor_id not in living and each.queue_name]
        for queue in {each.queue_name for each in lost}:
            ids = [each.workflow_id for each in lost if each.queue_name == queue]
            client.resume_workflows(ids, queue_name=queue)
            self.say(f"Put back into {queue}: {len(ids)} that dead workers had.")
        for job in self.jobs.forgotten(FORGOTTEN_AFTER_S):
            self.fleet.enqueue(job)
        self.fleet.forget(KEPT_S)

    def _tell_again(self) -> None:
        """Wake the runs of this home that were answered, by a word in the queue or in their own working copy."""
        for job, number in self.jobs.waiting(self.home.id):
            if self.jobs.decided(job, number) or self._answered_here(job.waits or {}, job.result.get("folder")):
                self.fleet.wake(job, number)

    def _answered_here(self, waits: Any, folder: Any) -> bool:
        if waits.get("for") != "approval" or not Path(folder or "/nowhere").is_dir():
            return False
        return Desk(Path(folder), {}).find(waits["request"]).status is not Status.OPEN
