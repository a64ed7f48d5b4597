"""What the tests of the process door share: a command with short limits, and a look at what is still alive."""

from __future__ import annotations

import os
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ralph.system.process import Command

PYTHON = sys.executable

DETACH = """
    import os, signal, sys, time
    def detach():
        "Leave session, group and parent, as a daemon does."
        if os.fork(): os._exit(0)
        os.setsid()
        if os.fork(): os._exit(0)
    def note():
        with open("pids", "a") as file: file.write(f"{os.getpid()}\\n")
"""


def command(place: Path, line: str | tuple[str, ...], **changes: Any) -> Command:
    standard: dict[str, Any] = {
        "cwd": place,
        "env": {"PATH": os.environ["PATH"]},
        "log": place / "log",
        "timeout_s": 20.0,
        "grace_s": 0.3,
    }
    return Command(line=line, **{**standard, **changes})


def script(place: Path, body: str) -> str:
    """A shell line that runs this Python text (with `detach` and `note` at hand)."""
    file = place / "script.py"
    file.write_text(textwrap.dedent(DETACH) + textwrap.dedent(body), encoding="utf-8")
    return f"{PYTHON} -I -S {file}"


def noted(place: Path) -> list[int]:
    """The processes that called `note`."""
    file = place / "pids"
    return [int(line) for line in file.read_text().split()] if file.exists() else []


def living(pids: list[int]) -> list[int]:
    return [pid for pid in pids if _lives(pid)]


def eventually(holds: Callable[[], bool], within_s: float = 10.0) -> bool:
    deadline = time.monotonic() + within_s
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
