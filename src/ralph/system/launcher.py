"""Stands in for a client that somebody else starts, such as a vendor's SDK: same input, output and end, but no orphans.

Rules (design decision 7; research: agent clients, 1.4):

- `write_script` makes an executable file that takes the client's place. Run as a child of Ralph, it has a warden start
  the client with the very descriptors it was given, so nothing is copied or buffered on the way.
- Everything that the client started is ended when the client ends, when the launcher is asked to end (TERM, INT, HUP:
  with grace), when it is killed, and when its parent is no longer the process that wrote the script.
- It ends as the client did: with the same exit code, or by the same signal.
- An SDK may hand on the whole environment of its process. `keep` names the only variables that reach the client.
"""

from __future__ import annotations

import os
import select
import shlex
import signal
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NoReturn

from ralph.errors import StorageError
from ralph.system import wardens
from ralph.system.process import Command, request_for

GRACE_S = 2.0
"""Less than SDKs wait between TERM and KILL."""

TICK_S = 0.1
_EVERYTHING = "*"
_BOOT = "import sys; sys.path.append(sys.argv[1]); from ralph.system.launcher import main; main(sys.argv[2:])"
_SOURCE_ROOT = str(Path(__file__).resolve().parents[2])


def write_script(
    path: Path, client: Sequence[str], *, keep: Iterable[str] | None = None, grace_s: float = GRACE_S
) -> Path:
    """An executable at `path` that runs `client` with its own arguments behind it, for children of this process only.

    `keep` names the variables of the environment that the client gets; None: all. Raises StorageError.
    """
    names = _EVERYTHING if keep is None else " ".join(keep)
    launcher = [sys.executable, "-I", "-S", "-c", _BOOT, _SOURCE_ROOT, str(os.getpid()), str(grace_s), names]
    try:
        path.write_text(f'#!/bin/sh\nexec {shlex.join([*launcher, *client])} "$@"\n', "utf-8")
        path.chmod(0o700)
    except OSError as error:
        raise StorageError(f"The launcher {path} cannot be written: {error.strerror}.") from error
    return path


class _Launcher:
    """One client, from its start to its end."""

    def __init__(self, owner: int, grace_s: float) -> None:
        self.owner = owner
        self.grace_s = grace_s
        self.asked_at: float | None = None

    def ask(self, *_: object) -> None:
        """The signal handler; what it asks for is done by `attend`, in its own time."""
        self.asked_at = self.asked_at or time.monotonic()

    def attend(self, charge: wardens.Charge) -> dict[str, object]:
        """Until the warden says how the client ended."""
        poll = select.poll()
        poll.register(charge, select.POLLIN | select.POLLHUP)
        told = False
        patience = self.grace_s + wardens.SLACK_S
        while not poll.poll(TICK_S * 1000):
            charge.wake()
            if os.getppid() != self.owner:
                charge.let_go()
                return charge.answer(patience)
            if self.asked_at is not None and not told:
                charge.ask_to_stop()
                told = True
            if self.asked_at is not None and time.monotonic() - self.asked_at > patience:
                return charge.answer(0.0)
        return charge.answer(patience)


def main(arguments: Sequence[str]) -> NoReturn:
    """`OWNER GRACE_S NAMES CLIENT...`; never returns."""
    owner, grace_s, names, *client = arguments
    launcher = _Launcher(int(owner), float(grace_s))
    for asking in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(asking, launcher.ask)
    kept = None if names == _EVERYTHING else frozenset(names.split())
    command = Command(
        line=tuple(client),
        cwd=Path.cwd(),
        env={name: value for name, value in os.environ.items() if kept is None or name in kept},
        log=Path(os.devnull),
        timeout_s=float("inf"),
        grace_s=launcher.grace_s,
    )
    given = [os.dup(number) for number in (0, 1, 2)]
    charge = wardens.Charge(request_for(command, stdin=given[0], stdout=given[1], log=given[2]))
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):  # the ends belong to the client alone: its parent sees when it closes them
        os.dup2(nothing, number)
    for number in given:
        os.close(number)
    answer = launcher.attend(charge)
    charge.close()
    _end_like(answer)


def _end_like(answer: dict[str, object]) -> NoReturn:
    if answer["trouble"]:
        os.write(2, f"{answer['trouble']}\n".encode("utf-8", "replace"))
    number, code = answer["signal"], answer["exit_code"]
    if isinstance(number, int):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(code if isinstance(code, int) else 127)
