"""Commands on a leash end as soon as it is pulled."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from ralph.system.process import Command, run
from ralph.system.wardens import Leash


def command(tmp_path: Path, line: str, leash: Leash | None) -> Command:
    return Command(line=line, cwd=tmp_path, env=dict(os.environ), log=tmp_path / "log", leash=leash)


def test_a_command_that_runs_is_ended(tmp_path: Path) -> None:
    leash = Leash()
    threading.Timer(0.3, leash.pull).start()
    began = time.monotonic()
    ended = run(command(tmp_path, "sleep 60", leash))
    assert time.monotonic() - began < 10
    assert ended.exit_code is None


def test_a_command_that_starts_later_is_ended_too(tmp_path: Path) -> None:
    leash = Leash()
    leash.pull()
    began = time.monotonic()
    assert run(command(tmp_path, "sleep 60", leash)).exit_code is None
    assert time.monotonic() - began < 10


def test_others_are_left_alone(tmp_path: Path) -> None:
    leash = Leash()
    assert run(command(tmp_path, "true", leash)).exit_code == 0
    leash.pull()
    assert run(command(tmp_path, "true", None)).exit_code == 0
    assert run(command(tmp_path, "true", Leash())).exit_code == 0
