"""`ralph verify`, killed with SIGKILL at any moment or interrupted: nothing is lost, nothing half is believed.

A kill leaves a state from which the next run goes on by itself. An interruption cleans up at once.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ralph.cli.main import run
from tests.engine.wreckage import (
    assert_tidy,
    fingerprint,
    living,
    slow_project,
    start,
    wait_until_quiet,
    whole_runs,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of its own, which every process of the test speaks of, with a project and a place for scratch."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    slow_project(tmp_path / "project")
    yield tmp_path
    assert living(tmp_path) == []


def verify_command(root: Path) -> list[str]:
    return [sys.executable, "-m", "ralph", "verify", "-C", str(root), "--fresh"]


def verdict_now(root: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """A whole verification in this process."""
    capsys.readouterr()
    run(["verify", "-C", str(root), "--json", *options])
    verdict: str = json.loads(capsys.readouterr().out)["type"]
    return verdict


@pytest.mark.parametrize("seed", range(5))
def test_a_kill_at_any_moment_leaves_everything_whole(
    place: Path, capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    root, chance = place / "project", random.Random(seed)
    untouched = fingerprint(root)
    began = time.monotonic()
    assert start(verify_command(root), place).wait() == 0, (place / "said").read_text()
    duration = time.monotonic() - began
    runs = whole_runs(root)
    for _ in range(10):
        moment = chance.uniform(0.0, 1.05 * duration)
        ralph = start(verify_command(root), place)
        time.sleep(moment)
        ralph.kill()
        ralph.wait()
        wait_until_quiet(place)
        assert fingerprint(root) == untouched, f"killed after {moment:.3f} s"
        assert whole_runs(root, runs) >= runs
        assert verdict_now(root, capsys) == "PASS", newest_reason(root)
        assert_tidy(root)
        runs = whole_runs(root, runs)
    assert verdict_now(root, capsys, "--fresh") == "PASS", newest_reason(root)
    assert fingerprint(root) == untouched
    assert len(whole_runs(root)) >= 12


def newest_reason(root: Path) -> str:
    """What the newest verdict says, for a test that did not expect it."""
    return (sorted((root / ".ralph" / "audit").glob("2*"))[-1] / "verdict.json").read_text()


def wait_for_step(place: Path, script: str) -> None:
    deadline = time.monotonic() + 120
    while not any(script in row for row in living(place)):
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.mark.parametrize("step", ["test.sh", "coverage.sh"], ids=["steps at once", "one step"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("everybody", [False, True], ids=["ralph alone", "the whole terminal"])
def test_an_interruption_ends_everything_at_once(place: Path, number: int, step: str, everybody: bool) -> None:
    root = place / "project"
    tools = {path: path.read_text() for path in (root / "tools").glob("*.sh")}
    for path, text in tools.items():
        path.write_text(f"{text}sleep 600\n" if path.name == step else text)
    untouched = fingerprint(root)
    ralph = start(verify_command(root), place)
    wait_for_step(place, step)
    (os.killpg if everybody else os.kill)(ralph.pid, number)
    assert ralph.wait(60) == 130, "it waits for what a step has started"
    said = [line for line in (place / "said").read_text().splitlines() if line.strip()]
    assert "ralph: interrupted" in said, "what a step says of its own end may come behind it"
    assert not any("Traceback" in line for line in said)
    assert living(place) == []
    assert fingerprint(root) == untouched
    assert whole_runs(root) == set()
    assert_tidy(root)


def test_a_report_that_cannot_simply_be_put_back_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = place / "project"
    waiting = root / ".ralph/aside/0"
    waiting.mkdir(parents=True)
    (waiting / "lock").touch()
    os.utime(waiting / "lock", (0, 0))
    (waiting / "moved").write_text("1")
    (waiting / "0").write_text("what stood there before the kill\n")
    pairs = [[str(root / "coverage.json"), str(place / "collected.json")]]
    (waiting / "journal.json").write_text(json.dumps({"pairs": pairs}))
    run(["verify", "-C", str(root), "--json"])
    answer = capsys.readouterr()
    assert json.loads(answer.out)["type"] == "PASS"
    assert f"the earlier one is {waiting}/0" in answer.err
    assert (root / "coverage.json").read_text() == "the user's own\n"
    assert (waiting / "0").read_text() == "what stood there before the kill\n"
