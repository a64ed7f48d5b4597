"""A filter gives what the program made of the data, or nothing: half a result and a failure look the same."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from ralph.system.filter import filtered

LARGE = bytes(range(256)) * 4096 * 4


def run(line: str, data: bytes = b"", timeout_s: float = 20.0) -> bytes | None:
    return filtered(["/bin/sh", "-c", line], data, env={"PATH": "/usr/bin:/bin", "A": "b"}, timeout_s=timeout_s)


@pytest.mark.parametrize("data", [b"", b"x", LARGE], ids=["nothing", "little", "more than a pipe holds"])
def test_what_goes_in_comes_out(data: bytes) -> None:
    assert run("cat", data) == data


def test_the_environment_is_what_is_given() -> None:
    assert run("echo $A$HOME") == b"b\n"


def test_no_other_descriptor_is_passed_on(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file:
        passed_on = run("ls /proc/self/fd")
        assert passed_on is not None
        assert file.fileno() > 3  # 3 is ls looking
        assert str(file.fileno()).encode() not in passed_on.split()


@pytest.mark.parametrize(
    "line",
    ["echo half; exit 1", "echo half; kill -9 $$", "exec >&-; exit 3"],
    ids=["exit code", "signal", "nothing and an exit code"],
)
def test_a_failure_gives_nothing(line: str) -> None:
    assert run(line) is None


def test_a_program_that_is_not_there_gives_nothing() -> None:
    assert filtered(["/no/such/program"], b"", env={}, timeout_s=5) is None


def test_input_that_nobody_reads_is_no_failure() -> None:
    assert run("echo done", LARGE) == b"done\n"


@pytest.mark.parametrize(
    "line",
    ["exec sleep 60", "exec >&-; exec sleep 60", "exec yes"],
    ids=["silent", "output closed", "writes for ever"],
)
def test_time_is_limited(line: str) -> None:
    began = time.monotonic()
    assert run(line, LARGE, timeout_s=0.3) is None
    assert time.monotonic() - began < 10


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_no_descriptor_stays_behind() -> None:
    before = descriptors()
    for line in ("cat", "exit 1", "exec sleep 60"):
        run(line, b"x", timeout_s=0.2)
    assert descriptors() == before
