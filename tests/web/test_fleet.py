"""The page of workers and queues over a real queue, with the records that real workers leave."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("dbos")

from ralph.fleet.model import Job, State
from ralph.fleet.queue import QueueFleet
from tests.fleet.office import Office, a_run, verification
from tests.web.sites import Browser, browser, project, text_of


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Office:
    address = f"sqlite:///{tmp_path}/queue.db"
    QueueFleet(address).close()  # whoever begins a queue makes all of it
    monkeypatch.setenv("RALPH_QUEUE", address)
    return Office(tmp_path)


@pytest.fixture
def shown(tmp_path: Path) -> Browser:
    return browser(project(tmp_path / "p").resolve())


def part(shown: Browser, name: str) -> str:
    """What one section of the page says."""
    answer = shown.get("/fleet")
    assert answer.status_code == 200, answer.text
    found = re.search(rf'<section aria-labelledby="{name}">.*?</section>', answer.text, re.DOTALL)
    assert found is not None, answer.text
    return text_of(found[0])


def test_a_queue_in_which_everything_happened(office: Office, shown: Browser) -> None:
    jobs = office.jobs
    passed, failed, broken, dropped, under_way, orphan, untouched = (
        jobs.submit(verification(number, repository=f"/srv/r{number % 2}"))[0] for number in range(7)
    )
    ends: list[tuple[Job, State, dict[str, str]]] = [
        (passed, "done", {"outcome": "PASS"}),
        (failed, "done", {"outcome": "FAIL", "why": "2 of 9 tests fail"}),
        (broken, "error", {"why": "The policy set v1 is another one here."}),
    ]
    for job, state, told in ends:
        jobs.settle(office.take(job, "ann"), "ann", state, number=0, **told)
    jobs.cancel(dropped)
    run = jobs.submit(a_run())[0]
    waits = {"for": "approval", "request": "q1", "timeout_s": 5}
    jobs.settle(office.take(run, "ann"), "ann", "waiting", number=1, waits=waits, home="h")
    assert office.take(under_way, "ann").how == office.take(orphan, "bob").how == "taken"
    office.dies("bob")

    workers = part(shown, "workers")
    assert re.search(r"ann \S+ 1 of 4 \d+ s ago alive", workers), workers
    assert re.search(r"bob \S+ 1 of 4 \d+ s ago lost", workers), workers
    queues = part(shown, "queues")
    for row in ("/r waiting 1", "/srv/r0 done 1", "/srv/r0 error 1", "/srv/r0 running 1", "/srv/r0 queued 1"):
        assert row in queues, queues
    for row in ("/srv/r1 done 1", "/srv/r1 cancelled 1", "/srv/r1 running 1"):
        assert row in queues, queues
    listed = part(shown, "jobs")
    for job, how in (
        (passed, "verify done PASS /srv/r0 · attempt 1"),
        (failed, "verify done FAIL /srv/r1 · attempt 1 2 of 9 tests fail"),
        (broken, "verify error /srv/r0 · attempt 1 The policy set v1 is another one here."),
        (dropped, "verify cancelled /srv/r1 · attempt 0"),
        (under_way, "verify running /srv/r0 · attempt 1 · ann"),
        (orphan, "verify running /srv/r1 · attempt 1 · bob"),
        (untouched, "verify queued /srv/r0 · attempt 0"),
        (run, "run waiting /r · attempt 1"),
    ):
        assert f"{job.id} {how}" in listed, listed

    with closing(QueueFleet(office.database.address)) as fleet:
        assert fleet.find(orphan.id).state == "running", "who looks changes nothing"
    assert office.take(orphan, "ann").attempt == 2
    assert f"{orphan.id} verify running /srv/r1 · attempt 2 · ann" in part(shown, "jobs")


def test_a_queue_without_jobs(office: Office, shown: Browser) -> None:
    assert office.jobs.newest(5) == []
    assert [part(shown, each).split() for each in ("queues", "jobs")] == [
        ["Queues", "Repository", "State", "Jobs"],
        ["Jobs"],
    ]
