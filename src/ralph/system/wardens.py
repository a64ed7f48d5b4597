"""Ralph's side of the wardens: starting one, waiting for its answer, and standing in for one that was killed.

Rules (design decision 7):

- While a warden lives, this process adopts orphans too. A warden can only die by being killed, so what it leaves
  falls to this process, which ends it, puts the set-aside files back and says so in `trouble`.
- Commands run in several threads at once, so only what certainly came from a dead warden is ended: nothing below a
  warden can be in the session of this process (a session cannot be entered, only founded), nor be older than the
  warden. A direct child that is neither, and is no warden, was adopted.
- An interruption here closes the lifeline, and the warden ends its command.
"""

from __future__ import annotations

import json
import marshal
import os
import select
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from ralph.system import aside, offspring

SLACK_S = 30.0  # beyond time limit and grace: more than the warden needs to end and to put back
SWEEP_LIMIT_S = 10.0
_SOURCE_ROOT = str(Path(__file__).resolve().parents[2])
_BOOT = "import sys; sys.path.append(sys.argv[1]); from ralph.system.warden import main; main(int(sys.argv[2]))"


class _Wardens:
    """The wardens of this process. Adopting orphans is a property of the whole process, hence this one object."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.living: dict[int, subprocess.Popen[bytes]] = {}

    def start(self, descriptors: list[int]) -> subprocess.Popen[bytes]:
        with self.lock:
            if not self.living:
                offspring.adopt_orphans()
            warden = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _BOOT, _SOURCE_ROOT, str(os.getpid())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pass_fds=descriptors,
                cwd="/",
                start_new_session=True,
            )
            self.living[warden.pid] = warden
            return warden

    def forget(self, warden: subprocess.Popen[bytes]) -> None:
        with self.lock:
            del self.living[warden.pid]
            if not self.living:
                offspring.adopt_orphans(False)

    def orphans(self, born_after: int) -> list[offspring.Process]:
        me, session = os.getpid(), os.getsid(0)
        return [
            row
            for row in offspring.everybody()
            if row.parent == me and row.session != session and row.started >= born_after and row.pid not in self.living
        ]

    def sweep(self, born_after: int) -> tuple[int, bool]:
        """End what a dead warden has left behind: how many there were, and whether all are gone."""
        if not offspring.LINUX:
            return 0, False  # there is no table to find them in
        met: set[int] = set()
        limit = time.monotonic() + SWEEP_LIMIT_S
        with self.lock:  # nobody starts a warden that is not in the list yet
            while rows := self.orphans(born_after):
                if time.monotonic() > limit:
                    return len(met), False
                met.update(row.pid for row in rows)
                offspring.signal_all(rows, signal.SIGKILL, os.getpid())
                for row in rows:
                    with suppress(ChildProcessError):
                        os.waitpid(row.pid, os.WNOHANG)
                time.sleep(0.001)
        return len(met), True


_WARDENS = _Wardens()


class Charge:
    """A warden at work on a request. Its descriptor can be read as soon as there is an answer, or no warden."""

    def __init__(self, request: dict[str, Any]) -> None:
        self._request = request
        self._began = time.monotonic()
        self._warden = _WARDENS.start(request["descriptors"])
        row = offspring.look_up(self._warden.pid) if offspring.LINUX else None
        self._born = row.started if row else 0
        assert self._warden.stdin is not None
        data = marshal.dumps(request)
        with suppress(OSError):  # it was killed, which is seen when it does not answer
            self._warden.stdin.write(len(data).to_bytes(8, "big") + data)
            self._warden.stdin.flush()

    def fileno(self) -> int:
        assert self._warden.stdout is not None
        return self._warden.stdout.fileno()

    def ask_to_stop(self) -> None:
        """Have the command ended with its grace; the answer says when it is."""
        assert self._warden.stdin is not None
        with suppress(OSError, ValueError):  # gone, or let go by another thread
            self._warden.stdin.write(b".")
            self._warden.stdin.flush()

    def let_go(self) -> None:
        """Have the command ended at once."""
        _let_go(self._warden)

    def wake(self) -> None:
        """The command may have stopped its warden."""
        self._warden.send_signal(signal.SIGCONT)

    def answer(self, within_s: float) -> dict[str, Any]:
        """What the warden says, or what this process had to do in its place."""
        found = self._read(time.monotonic() + within_s)
        if found is None:
            self._warden.kill()
            self._warden.wait()
            found = _stand_in(self._request, self._born, self._began)
        return found

    def _read(self, deadline: float) -> dict[str, Any] | None:
        """None if the warden was killed or does not answer."""
        data = b""
        poll = select.poll()
        poll.register(self, select.POLLIN | select.POLLHUP)
        while (left := deadline - time.monotonic()) > 0:
            if not poll.poll(min(1.0, left) * 1000):
                self.wake()
                continue
            part = os.read(self.fileno(), 65536)
            if not part:
                break
            data += part
        try:
            found: dict[str, Any] = json.loads(data)
        except ValueError:
            return None
        return found

    def close(self) -> None:
        """Nothing that the warden started is alive afterwards."""
        _dismiss(self._warden)
        _WARDENS.forget(self._warden)


class Leash:
    """Ends the commands that run on it, and those that start on it later, as soon as it is pulled."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: list[Charge] = []
        self.pulled = False

    def pull(self) -> None:
        with self._lock:
            self.pulled = True
            for charge in self._held:
                charge.let_go()

    def take(self, charge: Charge) -> None:
        with self._lock:
            self._held.append(charge)
            if self.pulled:
                charge.let_go()

    def drop(self, charge: Charge) -> None:
        with self._lock:
            self._held.remove(charge)


def entrust(request: dict[str, Any], leash: Leash | None = None) -> dict[str, Any]:
    """Have a warden run the request; its answer, or what this process had to do in its place."""
    charge = Charge(request)
    if leash is not None:
        leash.take(charge)
    try:
        return charge.answer(request["timeout_s"] + request["grace_s"] + SLACK_S)
    finally:
        if leash is not None:
            leash.drop(charge)
        charge.close()


def stop_all() -> None:
    with _WARDENS.lock:
        for warden in _WARDENS.living.values():
            _let_go(warden)


def _stand_in(request: dict[str, Any], born_after: int, began: float) -> dict[str, Any]:
    """Do what the warden did not live to do."""
    met, gone = _WARDENS.sweep(born_after)
    notes = ["the process that watches over the command was killed"]
    if not gone:
        notes.append("some of its processes may be alive")
    if request["aside"]:
        notes += aside.put_back(request["aside"], request["pairs"])
    return {
        "exit_code": None,
        "signal": None,
        "timed_out": False,
        "stopped": False,
        "duration_ms": round((time.monotonic() - began) * 1000),
        "containment": "subreaper" if offspring.LINUX else "none",
        "leftovers": met,
        "trouble": "; ".join(notes),
    }


def _let_go(warden: subprocess.Popen[bytes]) -> None:
    if warden.stdin is not None:
        with suppress(OSError):
            warden.stdin.close()


def _dismiss(warden: subprocess.Popen[bytes]) -> None:
    """Close the lifeline and wait until the warden has ended everything."""
    _let_go(warden)
    try:
        warden.wait(SLACK_S)
    except subprocess.TimeoutExpired:
        warden.kill()
        warden.wait()
    if warden.stdout is not None:
        warden.stdout.close()
