"""Twenty processes at once: nothing is lost, nothing is used twice, every decision is recorded once."""

from __future__ import annotations

import multiprocessing
import multiprocessing.forkserver
import os
from collections.abc import Callable
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any

import pytest

from ralph.approvals.answering import Desk
from ralph.approvals.decisions import LEARNING, PROGRESS, record_violation
from ralph.approvals.model import Decision, Request
from ralph.approvals.queue import Queue
from ralph.audit.keys import signing_key
from ralph.errors import ApprovalError
from ralph.permissions.model import RunCommand
from ralph.system import clock, ledger
from tests.approvals.situation import JUDGEMENT, POLICY

PROCESSES = 20


@pytest.fixture
def children() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.approvals.test_many"])
    multiprocessing.forkserver.ensure_running()
    return context


def at_once(children: ForkServerContext, root: Path, act: Callable[..., Any], *details: Any) -> list[Any]:
    """What `act` gives in each of twenty processes that start together."""
    gate, results = children.Barrier(PROCESSES), children.SimpleQueue()
    arguments = (dict(os.environ), gate, results, root, act, details)
    processes = [children.Process(target=_child, args=(*arguments, number)) for number in range(PROCESSES)]
    for process in processes:
        process.start()
    found = [results.get() for _ in processes]
    for process in processes:
        process.join()
    return found


def _child(environ: dict[str, str], gate: Any, results: Any, root: Path, act: Any, details: Any, number: int) -> None:
    os.environ.update(environ)
    gate.wait()
    try:
        results.put(act(root, number, *details))
    except ApprovalError as error:
        results.put(str(error))


def ask(root: Path, number: int) -> Request:
    action = RunCommand(f"npm install {number % 5}")
    return Queue(root).ask(action, JUDGEMENT, POLICY, agent="claude", session="s")


def ask_and_wait(root: Path, number: int) -> Decision:
    queue = Queue(root)
    request = queue.ask(RunCommand(f"run {number}"), JUDGEMENT, POLICY, agent="claude", session="s")
    answer = queue.wait(request, 30)
    return queue.consume(request).decision if answer.approved else answer.decision


def answer(root: Path, number: int, request: Request) -> Decision:
    decision = Decision.APPROVED if number % 2 else Decision.REJECTED
    return Desk(root, {}).answer(request, decision, reason=f"{number}").decision


def use(root: Path, _: int, request: Request) -> bool:
    return Queue(root).consume(request).approved


def violate(root: Path, number: int) -> None:
    record_violation(root, RunCommand(f"sudo {number}"), JUDGEMENT, now=clock.now())


def test_all_that_is_asked_for_is_asked(children: ForkServerContext, tmp_path: Path) -> None:
    asked = at_once(children, tmp_path, ask)
    found = Desk(tmp_path, {}).entries()
    assert sorted(each.id for each in found) == sorted({request.id for request in asked})
    assert {each.request.action.text for each in found if each.request} == {f"npm install {n}" for n in range(5)}


def test_one_answer_counts(children: ForkServerContext, tmp_path: Path) -> None:
    request = Queue(tmp_path).ask(RunCommand("x"), JUDGEMENT, POLICY, agent="claude", session="s")
    given = at_once(children, tmp_path, answer, request)
    (counted,) = [each for each in given if isinstance(each, Decision)]
    (entry,) = ledger.read(tmp_path / LEARNING)
    assert entry.record["decision"] == counted
    assert all("takes no answer any more" in each for each in given if not isinstance(each, Decision))


def test_an_approval_is_used_once(children: ForkServerContext, tmp_path: Path) -> None:
    request = Queue(tmp_path).ask(RunCommand("x"), JUDGEMENT, POLICY, agent="claude", session="s")
    Desk(tmp_path, {}).answer(request, Decision.APPROVED, reason="needed")
    used = at_once(children, tmp_path, use, request)
    assert used.count(True) == 1
    assert [entry.record["type"] for entry in ledger.read(tmp_path / LEARNING)] == ["human_decision", "approval_used"]


def test_asking_and_answering_together(children: ForkServerContext, tmp_path: Path) -> None:
    signing_key(tmp_path)
    person = children.Process(target=_decide_all, args=(dict(os.environ), tmp_path))
    person.start()
    outcomes = at_once(children, tmp_path, ask_and_wait)
    person.join()
    assert sorted(outcomes) == ["approved"] * (PROCESSES // 2) + ["rejected"] * (PROCESSES // 2)
    records = [entry.record for entry in ledger.read(tmp_path / LEARNING)]
    decided = [record["target"] for record in records if record["type"] == "human_decision"]
    assert sorted(decided) == sorted(f"run {number}" for number in range(PROCESSES))


def _decide_all(environ: dict[str, str], root: Path) -> None:
    os.environ.update(environ)
    desk, decided = Desk(root, {}), set[str]()
    while len(decided) < PROCESSES:
        for each in desk.entries():
            if each.id not in decided and each.request:
                decision = Decision.REJECTED if len(decided) % 2 else Decision.APPROVED
                desk.answer(each.request, decision, reason="needed")
                decided.add(each.id)


@pytest.mark.parametrize("before", [None, b'{"type":"iteration"}\n{"type":"iter'], ids=["fresh", "another tool's log"])
def test_every_violation_is_recorded(children: ForkServerContext, tmp_path: Path, before: bytes | None) -> None:
    if before:
        (tmp_path / "state").mkdir()
        (tmp_path / PROGRESS).write_bytes(before)
    at_once(children, tmp_path, violate)
    records = [entry.record for entry in ledger.read(tmp_path / PROGRESS)]
    targets = [record["target"] for record in records if record["type"] == "policy_violation"]
    assert sorted(targets) == sorted(f"sudo {number}" for number in range(PROCESSES))
    assert [record["type"] for record in records].count("log_adopted") == (1 if before else 0)
    if before:
        assert (tmp_path / records[0]["kept"]).read_bytes() == before
