"""Killed before each single thing that asking, answering and using change: the state is the one before or after."""

from __future__ import annotations

import multiprocessing
import multiprocessing.forkserver
import os
import shutil
import signal
import sys
from collections.abc import Callable
from itertools import count
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from ralph.approvals.decisions import LEARNING
from ralph.approvals.model import Decision, Status
from ralph.audit.keys import signing_key
from ralph.errors import ApprovalError
from ralph.system import ledger
from tests.approvals.situation import Situation

CHANGES = {"os.link", "os.rename", "os.remove", "os.mkdir", "os.truncate"}


def asks(place: Situation) -> None:
    place.ask()


def answers(place: Situation) -> None:
    place.decide(place.ask())


def waits(place: Situation) -> None:
    assert not place.queue.wait(place.ask(), 0).approved


def uses(place: Situation) -> None:
    place.queue.consume(place.ask())


def counts(event: str, details: tuple[object, ...]) -> bool:
    if event == "open":
        flags = details[2]
        return isinstance(flags, int) and bool(flags & (os.O_CREAT | os.O_RDWR))
    return event in CHANGES


def act_until(root: Path, environ: dict[str, str], act: Callable[[Situation], None], fatal: int) -> None:
    """In the child: act, and die before the change with the number `fatal`."""
    os.environ.update(environ)
    numbers = count()

    def watch(event: str, details: tuple[object, ...]) -> None:
        if counts(event, details) and next(numbers) == fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    place = Situation(root)
    sys.addaudithook(watch)
    act(place)


@pytest.fixture
def children() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.approvals.situation", "ralph.approvals.sealing"])
    multiprocessing.forkserver.ensure_running()
    return context


def nothing(place: Situation) -> None:
    pass


def rejected(place: Situation) -> None:
    place.decide(place.ask(), Decision.REJECTED)


@pytest.mark.parametrize(
    ("before", "act", "least"), [(nothing, asks, 5), (asks, answers, 8), (rejected, waits, 4), (answers, uses, 4)]
)
def test_killed_before_every_change(
    children: ForkServerContext,
    tmp_path: Path,
    before: Callable[[Situation], None],
    act: Callable[[Situation], None],
    least: int,
) -> None:
    origin, root = tmp_path / "origin", tmp_path / "origin-copy"
    signing_key(origin)
    for fatal in count():
        shutil.rmtree(root, ignore_errors=True)
        place = Situation(root)
        before(place)
        for request in list(place.queue._held):
            place.queue._release(request)
        child = children.Process(target=act_until, args=(root, dict(os.environ), act, fatal))
        child.start()
        child.join()
        assert child.exitcode in (0, -signal.SIGKILL)
        assert_whole(Situation(root), fatal)
        if child.exitcode == 0:
            break
    assert fatal >= least


def assert_whole(place: Situation, fatal: int) -> None:
    """Whatever there is can be read and gone on with; in the end one action was used once, recorded once."""
    found = place.desk.entries()
    assert [each.status for each in found] in ([], *([status] for status in Status if status is not Status.DAMAGED))
    if found and found[0].status is Status.USED:
        with pytest.raises(ApprovalError, match="counts once"):
            place.queue.consume(place.entry(found[0].request).request)  # type: ignore[arg-type]
    request = place.ask()
    if place.entry(request).status is Status.OPEN:
        place.decide(request)
    if place.queue.wait(request, 0).approved:
        place.queue.consume(request)
    else:
        request = place.ask()
        place.decide(request)
        place.queue.consume(request)
    assert not list(place.folder.glob(".*.tmp")), fatal
    found_in_log = [entry.record for entry in ledger.read(place.root / LEARNING)]
    records = [record["requestId"] for record in found_in_log if record["type"] == "human_decision"]
    answered = [path.name.partition(".")[0] for path in place.folder.glob("*.answer.json")]
    assert sorted(records) == sorted(answered), fatal
