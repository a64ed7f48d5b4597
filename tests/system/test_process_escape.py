"""Ways to outlive a command, each of which has to fail."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from ralph.system.process import run
from tests.system.commands import command, living, noted, script

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux can adopt orphans")

ESCAPES = {
    "a daemon that ignores TERM and keeps the output open": """
        detach(); signal.signal(signal.SIGTERM, signal.SIG_IGN); note(); time.sleep(60)
    """,
    "a daemon that closes everything": """
        detach(); os.closerange(0, 256); note(); time.sleep(60)
    """,
    "a stopped process": """
        if os.fork() == 0:
            note(); os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(0.1)
    """,
    "a stopped daemon": """
        detach(); note(); os.kill(os.getpid(), signal.SIGSTOP)
    """,
    "a new one whenever one is asked to end": """
        detach()
        def again(*_):
            if os.fork() == 0: os.setsid(); note()
        signal.signal(signal.SIGTERM, again); note()
        while True: time.sleep(1)
    """,
    "two that start each other again": """
        detach(); signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for _ in range(1000):
            note(); child = os.fork()
            if child: os.waitpid(child, 0)
            else: os.setsid(); note(); time.sleep(60)
    """,
    "a chain that forks and ends, each link in a session of its own": """
        detach(); signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for _ in range(20000):
            if os.fork(): os._exit(0)
            os.setsid()
            if os.path.getsize("pids") < 4000: note()
    """,
    "a swarm": """
        detach(); signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        for _ in range(6):
            if os.fork() == 0: os.setsid()
        note(); time.sleep(60)
    """,
    "deep below": """
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for _ in range(60):
            if os.fork(): time.sleep(60)
            os.setsid(); note()
        os.kill(int(open("pids").read().split()[0]), 0); time.sleep(60)
    """,
}


@pytest.mark.parametrize("body", ESCAPES.values(), ids=ESCAPES.keys())
def test_nobody_outlives_the_command(tmp_path: Path, body: str) -> None:
    (tmp_path / "pids").touch()
    ended = run(command(tmp_path, f"{script(tmp_path, body)} & while ! [ -s pids ]; do sleep 0.02; done; sleep 0.1"))
    assert (ended.exit_code, ended.containment, ended.trouble) == (0, "subreaper", None)
    assert noted(tmp_path)
    assert living(noted(tmp_path)) == []
    before = len(noted(tmp_path))
    time.sleep(0.05)
    assert len(noted(tmp_path)) == before  # and nobody new came


def test_leftovers_are_counted(tmp_path: Path) -> None:
    assert run(command(tmp_path, "setsid sleep 60 & setsid sleep 60 & sleep 0.1")).leftovers == 2
    assert run(command(tmp_path, "sleep 0.01 & wait")).leftovers == 0


def test_nobody_outlives_the_time_limit(tmp_path: Path) -> None:
    body = "signal.signal(signal.SIGTERM, signal.SIG_IGN); note(); detach(); note(); time.sleep(60)"
    ended = run(command(tmp_path, f"{script(tmp_path, body)}; sleep 60", timeout_s=0.6, grace_s=0.1))
    assert ended.timed_out
    assert len(noted(tmp_path)) == 2
    assert living(noted(tmp_path)) == []


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("os.kill(int(sys.argv[1]), signal.SIGKILL); time.sleep(60)", id="child stays"),
        pytest.param("detach(); note(); os.kill(int(sys.argv[1]), signal.SIGKILL); time.sleep(60)", id="daemon stays"),
    ],
)
def test_killing_the_warden_is_no_way_out(tmp_path: Path, body: str) -> None:
    ended = run(command(tmp_path, f"{script(tmp_path, 'note(); ' + body)} $PPID & sleep 60"))
    assert (ended.exit_code, ended.signal) == (None, None)
    assert "the process that watches over the command was killed" in (ended.trouble or "")
    assert ended.leftovers >= 1
    assert living(noted(tmp_path)) == []


def test_stopping_the_warden_is_no_way_out(tmp_path: Path) -> None:
    ended = run(command(tmp_path, "kill -STOP $PPID; exit 5"))
    assert (ended.exit_code, ended.trouble) == (5, None)


def test_signals_to_the_warden_that_can_be_ignored_are(tmp_path: Path) -> None:
    ended = run(command(tmp_path, "kill -TERM $PPID; kill -INT $PPID; kill -HUP $PPID; sleep 0.2; exit 6"))
    assert (ended.exit_code, ended.trouble) == (6, None)
