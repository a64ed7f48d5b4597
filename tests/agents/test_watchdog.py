"""When a turn is ended: told to stop, out of time, or without a sign of life."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ralph.agents.base import Turn, TurnLimits
from ralph.agents.watchdog import Watchdog, last_change


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def turn(place: Path, **limits: float | None) -> Turn:
    return Turn(prompt="go", workdir=place, iteration=1, limits=TurnLimits(**limits))  # type: ignore[arg-type]


def silent(clock: Clock, step_s: float, steps: int = 100) -> Iterator[str | None]:
    for _ in range(steps):
        clock.seconds += step_s
        yield None


def aged(place: Path) -> Path:
    """Files that were there before the turn."""
    (place / "old.txt").write_text("old")
    time.sleep(0.01)
    return place


def test_silence_is_a_stall(tmp_path: Path) -> None:
    clock = Clock()
    dog = Watchdog(turn(aged(tmp_path), stall_s=60), now=clock)
    assert list(dog.watch(silent(clock, 10))) == []
    assert dog.overdue is not None
    assert (dog.overdue.reason, clock.seconds) == ("stalled", 1060)
    assert dog.overdue.end().reason == "stalled"


def test_output_is_a_sign_of_life(tmp_path: Path) -> None:
    clock = Clock()
    dog = Watchdog(turn(aged(tmp_path), stall_s=60), now=clock)

    def talking() -> Iterator[str | None]:
        for _ in range(10):
            clock.seconds += 50
            yield "thinking"

    assert len(list(dog.watch(talking()))) == 10
    assert dog.overdue is None


def test_bytes_that_are_no_line_yet_are_a_sign_of_life(tmp_path: Path) -> None:
    clock = Clock()
    dog = Watchdog(turn(aged(tmp_path), stall_s=60), pulse=lambda: min(clock.seconds, 1200), now=clock)
    list(dog.watch(silent(clock, 10)))
    assert clock.seconds == 1260


def test_a_changed_file_is_a_sign_of_life(tmp_path: Path) -> None:
    """A tool may work for long without a word."""
    clock = Clock()
    dog = Watchdog(turn(aged(tmp_path), stall_s=60), now=clock)
    time.sleep(0.05)  # a file's time is that of the kernel's last tick
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/new.txt").write_text("new")
    clock.seconds += 70
    assert dog.check() is None
    clock.seconds += 70
    assert dog.check() is not None


@pytest.mark.parametrize("folder", ["node_modules", ".git", ".ralph", ".venv"])
def test_files_that_say_nothing(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir()
    clock = Clock()
    time.sleep(0.01)
    dog = Watchdog(turn(aged(tmp_path), stall_s=60), now=clock)
    (tmp_path / folder / "new.txt").write_text("new")
    clock.seconds += 70
    assert dog.check() is not None


def test_a_time_that_was_set_is_no_change(tmp_path: Path) -> None:
    """`touch -d 2099-01-01` would keep a turn alive for ever."""
    clock = Clock()
    os.utime(aged(tmp_path) / "old.txt", (4e9, 4e9))
    time.sleep(0.01)
    dog = Watchdog(turn(tmp_path, stall_s=60), now=clock)
    clock.seconds += 70
    assert dog.check() is not None


def test_waiting_for_a_person_is_no_stall(tmp_path: Path) -> None:
    clock = Clock()
    dog = Watchdog(turn(aged(tmp_path), stall_s=60), now=clock)
    with dog.paused():
        clock.seconds += 3600
        assert dog.check() is None
    clock.seconds += 50
    assert dog.check() is None
    clock.seconds += 20
    assert dog.check() is not None


def test_the_limit_of_time_counts_waiting_too(tmp_path: Path) -> None:
    clock = Clock()
    dog = Watchdog(turn(tmp_path, runtime_s=100, stall_s=None), now=clock)
    with dog.paused():
        clock.seconds += 101
        found = dog.check()
    assert found is not None
    assert found.reason == "timeout"


def test_told_to_stop(tmp_path: Path) -> None:
    played = turn(tmp_path, stall_s=None)
    dog = Watchdog(played)

    def talking() -> Iterator[str | None]:
        yield "one"
        played.stop.set()
        yield "two"
        yield "three"

    assert list(dog.watch(talking())) == ["one", "two"]
    assert dog.overdue is not None
    assert dog.overdue.reason == "interrupted"


def test_no_limits(tmp_path: Path) -> None:
    clock = Clock()
    dog = Watchdog(turn(tmp_path, stall_s=None), now=clock)
    assert list(dog.watch(silent(clock, 1e6))) == []
    assert dog.overdue is None


def test_the_last_change(tmp_path: Path) -> None:
    began = time.time() - 0.1
    aged(tmp_path)
    (tmp_path / "link").symlink_to("/")
    found = last_change(tmp_path, after=began)
    assert found is not None
    assert began < found <= time.time()
    assert last_change(tmp_path, after=time.time() + 1) is None
    assert last_change(tmp_path / "none", after=0) is None
    assert last_change(tmp_path, after=began, within_s=-1) is None
