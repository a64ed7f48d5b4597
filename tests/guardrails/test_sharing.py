"""Work that other processes do: the same answers in the same order, whatever becomes of the processes."""

from __future__ import annotations

import os
import pickle
import signal
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from ralph.guardrails import scan
from ralph.guardrails.sharing import shared
from ralph.policy import registry
from tests.guardrails.memory import change, corpus

HERE = os.getpid()


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The processes that are started; none of them is left, not even as one that has ended."""
    fork, ids = os.fork, list[int]()

    def noted() -> int:
        child = fork()
        ids.append(child)
        return child

    monkeypatch.setattr(os, "fork", noted)
    yield ids
    for each in ids:
        with pytest.raises(ChildProcessError):
            os.waitpid(each, os.WNOHANG)


def doubled(number: int) -> int:
    return 2 * number


def dies(number: int) -> int:
    """In a process of its own it ends before it answers, here it answers."""
    if os.getpid() != HERE:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def fails(number: int) -> int:
    if os.getpid() != HERE:
        raise ValueError(number)
    return number


def many(number: int) -> list[int]:
    """More than a pipe holds."""
    return [number] * 100_000


@pytest.mark.parametrize("number", [0, 1, 2, 3, 7])
@pytest.mark.parametrize("work", [doubled, dies, fails, many])
def test_all_is_answered_in_order(work: Callable[[int], object], number: int, started: list[int]) -> None:
    assert shared([partial(work, at) for at in range(5)], number) == [work(at) for at in range(5)]
    assert len(started) == number


def test_what_one_process_does_not_answer_costs_nothing_of_the_others() -> None:
    jobs = [partial(dies if at == 3 else doubled, at) for at in range(9)]
    assert shared(jobs, 2) == [3 if at == 3 else 2 * at for at in range(9)]


@pytest.mark.parametrize("jobs", [0, 1, 8192, 20_000])
def test_however_many_there_are(jobs: int) -> None:
    assert shared([partial(doubled, at) for at in range(jobs)], 3) == [2 * at for at in range(jobs)]


def test_nothing_is_done_twice(tmp_path: Path) -> None:
    def noted(number: int) -> int:
        with (tmp_path / str(number)).open("a") as file:
            file.write(f"{os.getpid()}\n")
        time.sleep(0.01)
        return number

    assert shared([partial(noted, at) for at in range(60)], 3) == list(range(60))
    doers = [(tmp_path / str(at)).read_text().split() for at in range(60)]
    assert {len(each) for each in doers} == {1}


def test_work_that_fails_here_too_is_an_error() -> None:
    with pytest.raises(ZeroDivisionError):
        shared([lambda: 1 // 0], 2)


def test_an_interruption_leaves_no_process() -> None:
    def interrupted() -> None:
        if os.getpid() != HERE:
            time.sleep(60)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shared([interrupted] * 4, 3)


def test_where_no_process_can_be_started_all_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", full)
    assert shared([partial(doubled, at) for at in range(5)], 3) == [0, 2, 4, 6, 8]


def test_half_an_answer_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pickle.loads
    monkeypatch.setattr(pickle, "loads", lambda told: whole(told[:-1]))
    assert shared([partial(doubled, at) for at in range(5)], 2) == [0, 2, 4, 6, 8]


def test_a_scan_says_the_same_with_processes(monkeypatch: pytest.MonkeyPatch, started: list[int]) -> None:
    policy, before, after = registry.load("v2"), dict[str, str](), dict[str, str]()
    for case in list(corpus())[::12]:
        before |= {f"{case['id']}/{path}": text for path, text in case["before"].items()}
        after |= {f"{case['id']}/{path}": text for path, text in case["after"].items()}
    after["broken/a.py"] = "x = 1  # noqa \x00\n"
    changed = change(before, after)
    alone = scan.scan(changed, policy)
    assert len(alone) > 20
    monkeypatch.setattr(scan, "WORTH_PROCESSES", 1)
    monkeypatch.setattr(scan, "processes", lambda: 2)
    assert scan.scan(changed, policy) == alone
    assert len(started) == 8, "two for the heads, two for the bases, and as many where moves are edits"
