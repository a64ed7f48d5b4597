"""Who may work on what, and what comes of it: our own records, without an engine below them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from ralph.errors import StorageError, UsageError
from ralph.fleet import home as homes
from ralph.fleet.beats import Beats, seen
from ralph.fleet.jobs import MOST_LOST
from ralph.fleet.model import Job, Word
from ralph.fleet.performing import Hands
from ralph.fleet.tables import FORMS, Database
from ralph.system.wardens import Leash
from tests.fleet.office import Office, a_run, verification


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return Office(tmp_path)


def test_the_id_is_the_digest_of_the_inputs() -> None:
    same = verification()
    assert same.id == verification().id
    others = [verification(2), verification(base="b" * 40), verification(fresh="x"), verification(repository="/s")]
    assert len({same.id, *(each.id for each in others)}) == 5


def test_a_job_is_held_by_one_who_lives(office: Office) -> None:
    job, begins = office.jobs.submit(verification())
    assert begins
    assert office.jobs.submit(verification()) == (job, False), "asked for twice it is the same"
    assert office.take(job, "ann").how == "taken"
    assert office.take(job, "bob").how == "busy"
    office.dies("ann")
    assert office.take(job, "bob").attempt == 2


def test_never_more_of_one_repository_than_allowed(office: Office) -> None:
    jobs = [office.jobs.submit(verification(number))[0] for number in range(4)]
    elsewhere = office.jobs.submit(verification(repository="/other"))[0]
    run = office.jobs.submit(a_run())[0]
    hows = [office.take(each, "ann").how for each in [*jobs, run, elsewhere]]
    assert hows == ["taken", "taken", "full", "full", "full", "taken"], "runs and verifications count together"
    office.dies("ann")
    assert office.take(jobs[2], "bob").how == "taken", "what a dead one had does not count"


def test_who_was_given_up_says_nothing_any_more(office: Office) -> None:
    job, _ = office.jobs.submit(verification())
    old = office.take(job, "ann")
    office.dies("ann")
    new = office.take(job, "bob")
    late = office.jobs.settle(old, "ann", "done", number=0, outcome="PASS")
    assert (late.state, late.outcome) == ("running", None)
    assert office.jobs.settle(new, "bob", "done", number=0, outcome="FAIL").outcome == "FAIL"
    assert office.jobs.settle(old, "ann", "done", number=0, outcome="PASS").outcome == "FAIL"
    assert not office.beats["ann"].beat(), "and it learns that it was given up"
    assert office.beats["bob"].beat()


def test_a_job_that_kills_its_workers_is_an_error(office: Office) -> None:
    job, _ = office.jobs.submit(verification())
    for attempt in range(1, MOST_LOST + 1):
        assert office.take(job, "ann").attempt == attempt, "the same worker name stands for one that died each time"
    last = office.take(job, "ann")
    assert (last.how, last.job.state) == ("over", "error")
    assert "died 3 times" in last.job.why
    again = office.jobs.retry(job)
    hands = Hands(jobs=office.jobs, home=office.home, name="ann", concurrency=1, per_repository=2)
    assert hands.work(job.id, 0, 0)["then"] == "over", "what is left of the first round does nothing"
    assert office.take(again, "ann").how == "taken"


def test_what_passed_is_reused_and_all_else_is_measured_again(office: Office) -> None:
    for outcome, begins in (("FAIL", True), ("BLOCKED", True), ("PASS", False)):
        job, _ = office.jobs.submit(verification())
        office.jobs.settle(office.take(job, "ann"), "ann", "done", number=0, outcome=outcome)
        again, begun = office.jobs.submit(verification())
        assert (begun, again.state) == (begins, "queued" if begins else "done")


def test_cancelled_is_cancelled_whatever_comes_after(office: Office) -> None:
    job, _ = office.jobs.submit(verification())
    assert office.jobs.cancel(job)[0].state == "cancelled"
    assert office.take(job, "ann").how == "over", "put back into the queue by mistake, it does nothing"
    running, _ = office.jobs.submit(verification(2))
    taken = office.take(running, "ann")
    assert office.jobs.cancel(running)[0].state == "running", "its worker sees to it"
    assert office.jobs.held("ann") == {}
    ended = office.jobs.settle(taken, "ann", "done", number=0, outcome="PASS")
    assert (ended.state, ended.outcome) == ("cancelled", None)


def waiting_run(office: Office) -> Job:
    job, _ = office.jobs.submit(a_run())
    waits = {"for": "approval", "request": "q1", "timeout_s": 5}
    return office.jobs.settle(office.take(job, "ann"), "ann", "waiting", number=1, waits=waits, home="h")


def test_a_piece_that_was_done_is_not_done_again(office: Office) -> None:
    job = waiting_run(office)
    again = office.take(job, "bob", number=0)
    assert (again.how, again.job.state) == ("done", "waiting"), "who did it died before the engine knew"
    hands = Hands(jobs=office.jobs, home=office.home, name="bob", concurrency=1, per_repository=2)
    assert hands.work(job.id, 0, 0) == {"then": "wait", "state": "waiting", "home": "h", "timeout_s": 5}
    assert office.take(job, "bob", number=1).how == "taken"


def test_of_many_answers_the_first_counts(office: Office) -> None:
    job = waiting_run(office)
    told: list[str] = []

    def answer(reason: str) -> None:
        with suppress(UsageError):
            office.jobs.answer(job, Word(do="approve", by=reason, reason=reason))
            told.append(reason)

    threads = [threading.Thread(target=answer, args=(f"reason {number}",)) for number in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(told) == 1
    decided = office.jobs.decided(job, 1)
    assert decided is not None
    assert (decided["reason"], decided["request"]) == (told[0], "q1")
    assert office.jobs.decided(job, 2) is None, "it is for this wait, and for no later one"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (lambda office, job: office.jobs.answer(job, Word(do="go on", by="ann")), "waits for an approval"),
        (lambda office, job: office.jobs.retry(job), "only what is over"),
        (lambda office, job: office.jobs.get("none"), "no job 'none'"),
        (lambda office, job: office.jobs.find(""), "no job ''"),
        (lambda office, job: office.jobs.find("%"), "no job '%'"),
    ],
)
def test_what_cannot_be_is_said(office: Office, said: Callable[[Office, Job], object], why: str) -> None:
    job = waiting_run(office)
    with pytest.raises(UsageError, match=why):
        said(office, job)


def test_a_job_that_was_never_told_to_the_engine_is_found(office: Office) -> None:
    forgotten, known = (office.jobs.submit(verification(number))[0] for number in (1, 2))
    office.jobs.enqueued(known)
    assert [job.id for job in office.jobs.forgotten(-1)] == [forgotten.id]
    assert office.jobs.forgotten(60) == [], "who submits it has time to do so"


def test_one_looks_after_the_dead_at_a_time(office: Office) -> None:
    assert [office.beats[name].is_reaper() for name in ("ann", "bob", "ann")] == [True, False, True]


def test_the_silent_are_given_up_only_when_the_database_was_there(office: Office, tmp_path: Path) -> None:
    far = homes.opened(tmp_path / "far")
    late = Beats(office.database, far, "cid", beat_s=0.1, dead_after_s=0.0)
    office.beats["ann"].dead_after_s = 0.0
    late.enter(1)
    assert "cid" in office.beats["ann"].living()
    steady, office.beats["ann"]._steady_since = office.beats["ann"]._steady_since, float("inf")
    office.beats["ann"].give_up_the_dead()
    assert "cid" in office.beats["ann"].living(), "nobody could be heard of"
    office.beats["ann"]._steady_since = steady
    office.beats["ann"].give_up_the_dead()
    assert office.beats["ann"].living() == {"ann"}
    assert {each.name: each.alive for each in seen(office.database, 30)} == {"ann": True, "bob": False, "cid": False}


def test_only_what_was_taken_away_is_ended(office: Office) -> None:
    mine, lost = (office.jobs.submit(verification(number))[0] for number in (1, 2))
    hands = Hands(jobs=office.jobs, home=office.home, name="ann", concurrency=2, per_repository=2)
    for job in (mine, lost):
        hands.leashes[job.id, office.take(job, "ann").attempt] = Leash()
    office.jobs.cancel(lost)
    hands.let_go()
    assert {job: leash.pulled for (job, _), leash in hands.leashes.items()} == {mine.id: False, lost.id: True}
    hands.drop_everything()
    assert all(leash.pulled for leash in hands.leashes.values())


def test_a_database_that_is_away_is_one_sentence(tmp_path: Path) -> None:
    away = Database("postgresql://ann:topsecret@127.0.0.1:1/q", patience_s=0)
    with pytest.raises(StorageError, match="cannot be used") as caught:
        away.make()
    assert "topsecret" not in str(caught.value)
    (tmp_path / "queue.db").write_bytes(b"this is no database" * 100)
    with pytest.raises(StorageError, match="cannot be used"):
        Database(f"sqlite:///{tmp_path}/queue.db", patience_s=0).make()


@pytest.mark.parametrize(("form", "why"), [(2, "of a newer version of Ralph: upgrade"), (0, "of an older version")])
def test_a_queue_of_another_version_is_left_alone(office: Office, form: int, why: str) -> None:
    office.database.make()
    office.database.do(lambda connection: connection.execute(FORMS.update().values(form=form)))
    with pytest.raises(StorageError, match=why):
        office.database.make()
