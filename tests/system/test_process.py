"""The one door to processes: how a command ended, and what it wrote."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ralph.errors import StorageError
from ralph.system.process import run, stop_all
from tests.system.commands import command, eventually


@pytest.mark.parametrize(
    ("line", "exit_code", "signal"),
    [
        pytest.param("true", 0, None, id="well"),
        pytest.param("exit 3", 3, None, id="exit code"),
        pytest.param("no-such-tool", 127, None, id="shell finds no tool"),
        pytest.param("kill -9 $$", None, "SIGKILL", id="the shell itself is killed"),
        pytest.param("kill -SEGV $$", None, "SIGSEGV", id="the shell itself crashes"),
        pytest.param("bash -c 'kill -9 $$'; exit $?", 137, None, id="the shell reports a killed child"),
        pytest.param(("sh", "-c", "exit 4"), 4, None, id="argv"),
        pytest.param(("sh", "-c", "kill -TERM $$"), None, "SIGTERM", id="argv killed"),
    ],
)
def test_how_it_ended(tmp_path: Path, line: str, exit_code: int | None, signal: str | None) -> None:
    ended = run(command(tmp_path, line))
    assert (ended.exit_code, ended.signal, ended.timed_out, ended.trouble) == (exit_code, signal, False, None)


@pytest.mark.parametrize(
    ("line", "changes", "said"),
    [
        pytest.param(("no-such-tool",), {}, "no-such-tool could not be started: No such file", id="no tool"),
        pytest.param("true", {"cwd": Path("/no/such/place")}, "/no/such/place could not be started", id="no directory"),
        pytest.param((), {}, "Invalid argument", id="nothing to run"),
        pytest.param(("echo", "a\0b"), {}, "Invalid argument", id="NUL in an argument"),
        pytest.param(("echo",), {"env": {"PATH": "/bin", "A=B": "c"}}, "Invalid argument", id="= in a name"),
    ],
)
def test_what_cannot_run_is_trouble(tmp_path: Path, line: str, changes: dict[str, object], said: str) -> None:
    ended = run(command(tmp_path, line, **changes))
    assert (ended.exit_code, ended.signal) == (None, None)
    assert said in (ended.trouble or "")


def test_time_limit(tmp_path: Path) -> None:
    """It is asked once: a second signal, while it takes its leave, would let the trap run once more.
    The trap is set behind the fork, or its process has it, too, until it has become `sleep`."""
    leave = "echo leaving; for i in {1..20000}; do :; done; exit 9"
    ended = run(command(tmp_path, f"sleep 50 & trap '{leave}' TERM; wait", timeout_s=0.5, grace_s=10))
    assert (ended.timed_out, ended.exit_code, ended.output) == (True, 9, "leaving\n")


def test_time_limit_of_one_that_will_not_leave(tmp_path: Path) -> None:
    ended = run(command(tmp_path, "trap '' TERM; while :; do sleep 1; done", timeout_s=0.2, grace_s=0.2))
    assert (ended.timed_out, ended.exit_code, ended.signal) == (True, None, "SIGKILL")


def test_the_environment_is_exactly_what_was_given(tmp_path: Path) -> None:
    ended = run(command(tmp_path, ("/usr/bin/env",), env={"ONLY": "this", "BYTES": "\udcff"}))
    assert sorted((tmp_path / "log").read_bytes().splitlines()) == [b"BYTES=\xff", b"ONLY=this"]
    assert ended.output.endswith("\n")


def test_the_shell_is_not_the_projects(tmp_path: Path) -> None:
    fake = tmp_path / "bash"
    fake.write_text("#!/bin/sh\necho fooled\n")
    fake.chmod(0o755)
    assert run(command(tmp_path, "echo real", env={"PATH": str(tmp_path)})).output == "real\n"


def test_input(tmp_path: Path) -> None:
    assert run(command(tmp_path, "wc -c", stdin=b"x" * 300_000)).output.strip() == "300000"
    assert run(command(tmp_path, "wc -c")).output.strip() == "0"


def test_only_its_own_descriptors_reach_the_command(tmp_path: Path) -> None:
    ended = run(command(tmp_path, ("ls", "/proc/self/fd"), stdin=b"x"))
    assert ended.output.split() == ["0", "1", "2", "3"]  # 3 is the directory that ls reads


def test_both_streams_in_the_order_written_and_bytes_replaced(tmp_path: Path) -> None:
    ended = run(command(tmp_path, r"echo a; echo b >&2; printf '\xff\x00\x1b[1m'"))
    assert ended.output == "a\nb\n\ufffd\0\x1b[1m"


def test_head_and_tail_of_200_megabytes(tmp_path: Path) -> None:
    began = time.monotonic()
    ended = run(command(tmp_path, "echo first; head -c 200000000 /dev/zero; echo; echo last", keep_bytes=1000))
    assert (ended.output_bytes, ended.truncated) == (200_000_012, True)
    assert ended.output.startswith("first\n")
    assert ended.output.endswith("\nlast\n")
    assert "199999012 bytes left out" in ended.output
    assert time.monotonic() - began < 10
    (tmp_path / "log").unlink()


def test_too_much_output_ends_the_command(tmp_path: Path) -> None:
    ended = run(command(tmp_path, "yes", max_log_bytes=1_000_000))
    assert "wrote more than 1000000 bytes" in (ended.trouble or "")
    (tmp_path / "log").unlink()


def test_a_log_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "log").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match=r"The log .* cannot be written"):
        run(command(tmp_path, "true"))


def test_many_threads_at_once(tmp_path: Path) -> None:
    def one(number: int) -> tuple[int | None, str]:
        place = tmp_path / str(number)
        place.mkdir()
        ended = run(command(place, f"(setsid sleep 60 &); echo {number}; exit {number}"))
        return ended.exit_code, ended.output

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(one, range(12))) == [(number, f"{number}\n") for number in range(12)]


def test_a_thread_that_ends_does_not_end_the_command_of_another(tmp_path: Path) -> None:
    """The warden is not tied to the thread that started it, only to the process."""
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(run, command(tmp_path, "sleep 0.3; echo done"))
    assert first.result().output == "done\n"


def test_stop_all_ends_what_runs_in_threads(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(run, command(tmp_path, "touch here; sleep 60"))
        assert eventually((tmp_path / "here").exists)
        stop_all()
        assert "interrupted" in (running.result(10).trouble or "")


def test_children_that_ralph_started_elsewhere_are_left_alone(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        run(command(tmp_path, "kill -9 $PPID; sleep 60"))
        assert other.poll() is None
        other.communicate(b"\n")
