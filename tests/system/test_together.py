"""Work side by side: all of it is done at the end, and an error reaches who asks."""

from __future__ import annotations

import threading

import pytest

from ralph.system.together import together


def test_what_it_gives() -> None:
    met = threading.Barrier(3, timeout=30)
    with together() as others:
        jobs = [others.start(met.wait) for _ in range(2)]
        met.wait()  # never over if they ran one after another
        named = others.start(divmod, 7, 2)
    assert sorted(job.result() for job in jobs) in ([0, 1], [0, 2], [1, 2])
    assert (named.result(), named.result()) == ((3, 1), (3, 1))


def test_an_error_is_raised_where_the_result_is_asked_for() -> None:
    with together() as others:
        failing = others.start(divmod, 1, 0)
        with pytest.raises(ZeroDivisionError):
            failing.result()


def test_nothing_runs_on_after_an_error() -> None:
    done: list[int] = []
    let_go = threading.Event()

    def late() -> None:
        let_go.wait(30)
        done.append(1)

    def fails() -> None:
        with together() as others:
            others.start(late)
            threading.Timer(0.05, let_go.set).start()
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        fails()
    assert done == [1]
