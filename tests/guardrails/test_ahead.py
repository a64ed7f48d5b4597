"""Work that other processes do: the same answers in the same order, whatever becomes of the processes."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from ralph.guardrails import scan
from ralph.guardrails.ahead import done_ahead
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
    with done_ahead([partial(work, at) for at in range(5)], number) as answers:
        assert answers() == [work(at) for at in range(5)]
    assert len(started) == number


def test_what_one_process_does_not_answer_costs_nothing_of_the_others() -> None:
    jobs = [partial(dies if at == 3 else doubled, at) for at in range(9)]
    with done_ahead(jobs, 2) as answers:
        assert answers() == [3 if at == 3 else 2 * at for at in range(9)]


def test_work_that_fails_here_too_is_an_error() -> None:
    with pytest.raises(ZeroDivisionError), done_ahead([lambda: 1 // 0], 2) as answers:
        answers()


def test_nobody_need_wait_for_the_answers() -> None:
    with pytest.raises(KeyboardInterrupt), done_ahead([partial(many, at) for at in range(5)], 3):
        raise KeyboardInterrupt


def test_where_no_process_can_be_started_all_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", full)
    with done_ahead([partial(doubled, at) for at in range(5)], 3) as answers:
        assert answers() == [0, 2, 4, 6, 8]


def test_half_an_answer_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pickle.loads
    monkeypatch.setattr(pickle, "loads", lambda told: whole(told[:-1]))
    with done_ahead([partial(doubled, at) for at in range(5)], 2) as answers:
        assert answers() == [0, 2, 4, 6, 8]


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
    assert len(started) == 4, "two for the heads, two for the bases"
