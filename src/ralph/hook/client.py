"""Ends the command when the client is gone that asked for it: nobody would read its output, or stop it.

A killed client cannot say so. It is gone when this process has another parent than at first, or, if a shell of the
client's stands between, when that shell has one; or when nobody holds the other end of standard output any more.
"""

from __future__ import annotations

import os
import select
import threading
import time
from pathlib import Path

from ralph.system.process import stop_all

LOOK_S = 0.25
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "fish"})


def watch() -> None:
    """Begin to look, until this process ends."""
    before = _line()
    threading.Thread(target=_look, args=(before,), daemon=True, name="client").start()


def _look(before: tuple[int, ...]) -> None:
    while True:
        if _line() != before or _unheard():
            stop_all()  # again and again: the command may not have begun
        time.sleep(LOOK_S)


def _line() -> tuple[int, ...]:
    """The parent, and its parent if it is a shell."""
    parent = os.getppid()
    try:
        name, _, rest = Path(f"/proc/{parent}/stat").read_text("utf-8", "replace").rpartition(")")
    except OSError:
        return (parent,)
    return (parent, int(rest.split()[1])) if name.partition("(")[2] in _SHELLS else (parent,)


def _unheard() -> bool:
    poll = select.poll()
    poll.register(1, 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))
