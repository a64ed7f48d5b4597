"""Orders from outside, and the one run that is alive: real files, real processes, real kills."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ralph.errors import StorageError, UsageError
from ralph.loop.control import CONTROL, LONGEST_TEXT, Alive, Control, Do, alive, hold
from ralph.system import clock, ledger

ME, OTHER = Alive(id="me", run="one"), Alive(id="other", run="one")


def texts(control: Control, number: int = 0) -> list[str]:
    return [order.text for order in control.since(number, ME)]


def test_orders_come_once_and_in_their_order(tmp_path: Path) -> None:
    control = Control(tmp_path)
    assert control.since(0, ME) == ()
    control.post("inject", "use tabs", priority=5, by="ann")
    control.post("pause", to=ME)
    first, second = control.since(0, ME)
    assert (first.do, first.text, first.priority, first.by, first.number) == ("inject", "use tabs", 5, "ann", 1)
    assert (second.do, second.number) == ("pause", 2)
    assert control.since(2, ME) == ()
    control.post("inject", "and more")
    assert texts(control, 2) == ["and more"]


def test_what_stops_one_run_does_not_stop_the_next(tmp_path: Path) -> None:
    """Nor the same one once it is resumed. A hint and a reset of the breaker wait for whoever comes."""
    control = Control(tmp_path)
    for do in ("stop", "pause", "resume", "handoff"):
        control.post(do, to=OTHER)
    control.post("inject", "a hint", to=OTHER)
    control.post("reset_breaker")
    assert [order.do for order in control.since(0, ME)] == ["inject", "reset_breaker"]
    assert len(control.since(0, OTHER)) == 6


def test_a_hint_is_taken_by_nobody_but_the_runner(tmp_path: Path) -> None:
    """It once never reached a prompt, and a handoff deleted it unread: looking is not taking, and nothing deletes."""
    control = Control(tmp_path)
    control.post("inject", "first")
    assert texts(control) == texts(control) == texts(Control(tmp_path)) == ["first"]


@pytest.mark.parametrize(
    "bad",
    [
        b"not json\n",
        b"\xff\xfe\n",
        b'{"do":"inject","text":"by hand"}\n',
        b"[1]\n",
        b"\n",
        b'{"digest":"00","prev":"00","record":{"do":"stop"},"seq":2,"time":"x"}\n',
    ],
)
def test_one_bad_line_hides_none_of_the_others(tmp_path: Path, bad: bytes) -> None:
    """All hints behind it were once lost without a word."""
    control = Control(tmp_path)
    for text in ("one", "two", "three"):
        control.post("inject", text)
    path = tmp_path / CONTROL
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + bad + lines[2])
    assert texts(control) == ["one", "three"]
    assert texts(control, 1) == ["three"]
    assert [each.partition(" of ")[0] for each in control.unusable()] == ["line 2"]
    control.post("inject", "four")
    assert texts(control, 1) == ["three", "four"]


@pytest.mark.parametrize("record", [{"do": "dance"}, {"do": "stop", "speed": 1}, [], {"text": "x"}, {"do": 5}])
def test_an_order_of_another_version_hides_none_either(tmp_path: Path, record: object) -> None:
    control = Control(tmp_path)
    ledger.append(tmp_path / CONTROL, record, time=clock.now())
    control.post("inject", "one")
    assert texts(control) == ["one"]
    assert control.unusable() == (f"line 1 of {tmp_path / CONTROL} is no order that this version knows",)


def test_a_line_that_was_copied_is_followed_once(tmp_path: Path) -> None:
    control = Control(tmp_path)
    control.post("inject", "one")
    control.post("inject", "two")
    path = tmp_path / CONTROL
    path.write_bytes(path.read_bytes() + path.read_bytes().splitlines(keepends=True)[0])
    assert texts(control) == ["one", "two"]
    assert texts(control, 2) == []


def test_a_file_that_is_not_the_one_is_no_silence(tmp_path: Path) -> None:
    control = Control(tmp_path)
    control.post("inject", "one")
    (tmp_path / CONTROL).unlink()
    with pytest.raises(StorageError, match="lost lines"):
        control.since(1, ME)


@pytest.mark.parametrize(
    ("do", "text", "priority", "words"),
    [
        ("inject", " \n", 0, "nothing to tell"),
        ("inject", "x" * (LONGEST_TEXT + 1), 0, "may have 10000"),
        ("inject", "\udcff", 0, "not UTF-8"),
        ("inject", "x", 1001, "-1000 to 1000"),
        ("stop", "", 0, "no run to stop"),
        ("dance", "", 0, "does not know the order"),
    ],
)
def test_what_is_no_order(tmp_path: Path, do: Do, text: str, priority: int, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Control(tmp_path).post(do, text, priority=priority)
    assert not (tmp_path / CONTROL).exists()


def test_many_people_at_once_lose_nothing(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: Control(tmp_path).post("inject", str(number)), range(64)))
    assert sorted(texts(Control(tmp_path)), key=int) == [str(number) for number in range(64)]


def test_one_run_at_a_time(tmp_path: Path) -> None:
    assert alive(tmp_path) is None
    with hold(tmp_path, "run-1") as held:
        assert alive(tmp_path) == held
        assert (held.run, held.pid) == ("run-1", os.getpid())
        with pytest.raises(StorageError, match=rf"The run run-1 is at work here already \(process {os.getpid()}\)"):
            hold(tmp_path, "run-2").__enter__()
    assert alive(tmp_path) is None
    with hold(tmp_path, "run-1") as again:
        assert again.id != held.id


HOLDS = """
import subprocess, sys, time
from pathlib import Path
from ralph.loop.control import hold
with hold(Path(sys.argv[1]), "run-1"):
    child = subprocess.Popen(["sleep", "30"], stdout=subprocess.DEVNULL)
    print(child.pid, flush=True)
    time.sleep(30)
"""


def test_a_run_that_was_killed_is_not_alive_though_its_child_is(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDS, tmp_path], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        try:
            assert (alive(tmp_path) or Alive()).pid == process.pid
            process.kill()
            process.wait()
            assert alive(tmp_path) is None
            with hold(tmp_path, "run-1"):
                pass
        finally:
            os.kill(child, signal.SIGKILL)


def test_a_link_in_the_place_of_the_lock_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".ralph").mkdir()
    (tmp_path / "victim").write_text("mine")
    (tmp_path / ".ralph" / "run.lock").symlink_to(tmp_path / "victim")
    with pytest.raises(StorageError, match="symbolic link"):
        hold(tmp_path, "run-1").__enter__()
    with pytest.raises(StorageError, match="symbolic link"):
        alive(tmp_path)
    assert (tmp_path / "victim").read_text() == "mine"
