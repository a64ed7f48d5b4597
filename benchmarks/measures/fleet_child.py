"""The processes of the fleet's measures: `fleet_child.py WHAT ADDRESS COUNT [PAIRS]` prints what it measured last."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ralph.fleet import home as homes
from ralph.fleet import parts, requests
from ralph.fleet.inline import InlineFleet
from ralph.fleet.jobs import Taken
from ralph.fleet.model import Run, Verification
from ralph.fleet.performing import Hands
from ralph.fleet.worker import Settings, Worker

CONCURRENCY = 4
POLL_S = 0.05


class Idle(Hands):
    """Hands that take a job and settle it, and do nothing between. `ended` is released by each that is settled."""

    ended = threading.Semaphore(0)

    def work(self, job_id: str, round_number: int, number: int) -> dict[str, Any]:
        told = Hands.work(self, job_id, round_number, number)
        self.ended.release()
        return told

    def _performed(self, taken: Taken, number: int) -> dict[str, Any]:
        if isinstance(taken.job.work, Run):
            return {"then": "wait", "waits": {"for": "breaker", "timeout_s": 3600.0}}
        return {"outcome": "PASS"}


def plain(address: str, count: int, pairs: str) -> None:
    dbos: Any = parts.loaded().DBOS
    parts.prepare(address)
    dbos(config=parts.config(address, "plain"))
    left = threading.Semaphore(0)

    @dbos.workflow(name="empty")  # type: ignore[untyped-decorator]
    def empty() -> str:
        left.release()
        return "done"

    dbos.listen_queues(["plain"])
    dbos.launch()
    dbos.register_queue("plain", worker_concurrency=CONCURRENCY, partition_concurrency=2, polling_interval_sec=POLL_S)
    client = parts.client(address)
    begun = time.monotonic()
    for number in range(count):
        options = parts.options("empty", "plain", f"plain-{os.getpid()}-{number}", partition=f"r{number % 10}")
        client.enqueue(options)  # type: ignore[arg-type]
    for _ in range(count):
        left.acquire()
    print(time.monotonic() - begun)


def worker_of(address: str, *, idle: bool) -> Worker:
    folder = homes.opened(Path(tempfile.mkdtemp(prefix="ralph-bench-home-")))
    made = Worker(Settings(address=address, concurrency=CONCURRENCY, poll_s=POLL_S), folder, say=print)
    if idle:
        old = made.hands
        made.hands = Idle(jobs=old.jobs, home=folder, name=old.name, concurrency=CONCURRENCY, per_repository=2)
    threading.Thread(target=made.run, daemon=True).start()
    while not any(each.alive for each in made.fleet.workers()):
        time.sleep(0.05)
    time.sleep(1.0)
    return made


def ours(address: str, count: int, pairs: str) -> None:
    made = worker_of(address, idle=True)
    begun = time.monotonic()
    for number in range(count):
        made.fleet.submit(
            Verification(repository=f"/r{number % 10}", commit=f"{number:040x}", policy="v1", policy_digest=str(begun))
        )
    for _ in range(count):
        Idle.ended.acquire()
    print(time.monotonic() - begun)


def works(pairs: str) -> list[Verification]:
    root = str(Path(pairs).with_suffix(""))
    lines = [line.split() for line in Path(pairs).read_text().splitlines()]
    return [requests.verification(root, commit, base=base, fresh=True) for commit, base in lines]


def direct(address: str, count: int, pairs: str) -> None:
    fleet = InlineFleet(homes.opened(Path(tempfile.mkdtemp(prefix="ralph-bench-home-"))))
    wanted = works(pairs)
    begun = time.monotonic()
    with ThreadPoolExecutor(2) as pool:  # as many as the queue allows of one repository
        done = list(pool.map(lambda work: fleet.wait(fleet.submit(work), lambda job: None), wanted))
    assert [job.outcome for job in done] == ["PASS"] * count, {job.why for job in done}
    print(time.monotonic() - begun)


def queued(address: str, count: int, pairs: str) -> None:
    made, wanted = worker_of(address, idle=False), works(pairs)
    begun = time.monotonic()
    jobs = [made.fleet.submit(work) for work in wanted]
    ended = [made.fleet.wait(job, lambda job: None) for job in jobs]
    assert [job.outcome for job in ended] == ["PASS"] * count, {job.why for job in ended}
    print(time.monotonic() - begun)


def waiting(address: str, count: int, pairs: str) -> None:
    made = worker_of(address, idle=True)
    before = memory_mb()
    for number in range(count):
        made.fleet.submit(
            Run(id=f"{os.getpid()}-{number}", repository=f"/r{number}", commit="c" * 40, prompt="wait for me")
        )
    while sum(job.id.startswith(f"{os.getpid()}-") for job, _ in made.jobs.waiting()) < count:
        time.sleep(0.2)
    time.sleep(3)
    print(before, memory_mb())


def memory_mb() -> float:
    """What this process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    what, address, count, pairs = sys.argv[1:]
    {"plain": plain, "ours": ours, "direct": direct, "queued": queued, "waiting": waiting}[what](
        address, int(count), pairs
    )
    sys.stdout.flush()
    os._exit(0)
