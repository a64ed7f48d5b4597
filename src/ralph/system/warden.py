"""The process that stands between Ralph and one command: it holds the command and outlives Ralph's death.

Rules (design decisions 2, 7; spec: governance engine, steps):

- Standard input is the lifeline: the request comes through it, and its end means that Ralph is gone or has had enough.
  (PR_SET_PDEATHSIG would fire when the *thread* that started the warden ends; a pipe does not.)
- One byte through it, after the request, asks for the end with grace: the command may take its leave.
- Standard output carries the one result. A command whose output somebody reads gets a pipe as `stdout`, of which the
  warden keeps no end: whoever reads it sees its end with that of the last process that holds it.
- The command runs in a session of its own; whatever it starts stays below the warden, which adopts all orphans.
- At the end of the command, at its time limit, when its log grows too large, or when Ralph is gone, everything below
  is asked to end (TERM), given its grace, and then ended (KILL) until the kernel says that there is no child left.
- Only then the set-aside files are put back.

It starts in about the time the bare interpreter takes, so it loads nothing that it does not need.
"""

from __future__ import annotations

import errno
import marshal
import os
import select
import time

from ralph.system import aside, confinement, offspring
from ralph.system.flat_json import written

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from typing import Any, NoReturn
else:
    import _signal as signal

LIFELINE, ANSWER = 0, 1
TICK_S = 0.1
LEFTOVER_GRACE_S = 0.5
LINGER_S = 0.02  # whoever is just ending (the other half of a pipe, a sandbox's own process) is no leftover
KILL_LIMIT_S = 10.0
LOOK_S, WIDE_EVERY_S, HASTE_S = 0.5, 0.25, 1.0


class Warden:
    """One command, from its start to the death of the last process below it."""

    def __init__(self, request: dict[str, Any], owner: int) -> None:
        self.request = request
        self.owner = owner
        self.adopts = offspring.adopt_orphans()
        self.command = 0
        self.status: int | None = None
        self.childless = False
        self.leftovers = 0
        self.reaped = 0
        self.timed_out = False
        self.stopped = False
        self.trouble: str | None = None

    def watch(self) -> None:
        """Until the command ends by itself, or there is a reason to end it."""
        poll = select.poll()
        poll.register(LIFELINE, select.POLLIN | select.POLLHUP)
        tick = TICK_S
        try:
            poll.register(os.pidfd_open(self.command), select.POLLIN)
        except (OSError, AttributeError):
            tick = 0.01  # no handle to wait for: ask often
        deadline = time.monotonic() + self.request["timeout_s"]
        next_sign = 0.0
        while not self.reap():
            now = time.monotonic()
            if now >= deadline:
                self.timed_out = True
                return
            if os.fstat(self.request["log"]).st_size > self.request["max_log_bytes"]:
                self.trouble = f"the command wrote more than {self.request['max_log_bytes']} bytes and was ended"
                return
            if self.request["aside"] and now >= next_sign:
                offspring.quietly(aside.sign_of_life, self.request["aside"])
                next_sign = now + aside.SIGN_OF_LIFE_S
            ready = poll.poll(max(0.0, min(tick, deadline - now)) * 1000)
            called = any(number == LIFELINE for number, _ in ready)
            if called and os.read(LIFELINE, 1):
                self.stopped = True
                return
            if called or os.getppid() != self.owner:
                self.trouble = "Ralph was interrupted and ended the command"
                return

    def reap(self) -> bool:
        """Collect whatever has ended. True once the command itself has."""
        while not self.childless:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                self.childless = True
                break
            if pid == 0:
                break
            if pid == self.command:
                self.status = status
            else:
                self.reaped += 1
        return self.status is not None

    def everything_ended(self) -> bool:
        self.reap()
        if self.adopts or not self.childless:
            return self.childless
        try:
            os.killpg(self.command, 0)
        except OSError:
            return True
        return False

    def end(self) -> None:
        """TERM, grace, KILL for all that is left; a swarm gets no grace."""
        if self.wait_for_all(LINGER_S):
            return
        before = self.reaped
        offspring.quietly(os.setpriority, os.PRIO_PROCESS, 0, -20)  # where allowed: a swarm leaves no time to others
        rows = offspring.descendants(os.getpid(), LOOK_S)
        if rows is not None:
            self.leftovers = len([row for row in rows if row.pid != self.command])
            for number in (signal.SIGTERM, signal.SIGCONT):  # a stopped process cannot take its leave
                self.signal(rows, number)
            asked = self.timed_out or self.stopped
            grace = self.request["grace_s"] if asked else min(LEFTOVER_GRACE_S, self.request["grace_s"])
            if self.wait_for_all(grace):
                return
        finished = self.kill_all()
        self.leftovers = max(self.leftovers, self.reaped - before)
        if not finished:
            self.trouble = f"processes of the command could not be ended within {KILL_LIMIT_S:.0f} s"

    def kill_all(self) -> bool:
        """KILL until the kernel says that nobody is left; False if that takes too long."""
        now = began = time.monotonic()
        next_wide = began + WIDE_EVERY_S
        while not self.everything_ended():
            now = time.monotonic()
            if now - began > KILL_LIMIT_S:
                return False
            if not self.adopts:
                offspring.signal_group(self.command, signal.SIGKILL)
            elif now < next_wide:
                offspring.kill_children()
            else:  # layer by layer is too slow: a long chain of parents, perhaps
                self.signal(offspring.descendants(os.getpid(), LOOK_S) or [], signal.SIGKILL)
                next_wide = now + WIDE_EVERY_S
            if now - began > HASTE_S:
                time.sleep(0.005)  # nobody is forking any more; somebody takes long to die
        return True

    def signal(self, rows: list[offspring.Process], number: int) -> None:
        if self.adopts:
            offspring.signal_all(rows, number, os.getpid())
        else:
            offspring.signal_group(self.command, number)

    def wait_for_all(self, seconds: float) -> bool:
        limit = time.monotonic() + seconds
        pause = 0.001
        while not self.everything_ended():
            if time.monotonic() >= limit:
                return False
            time.sleep(pause)
            pause = min(pause * 2, 0.02)
        return True


def start(request: dict[str, Any]) -> int:
    """Start the command and return its number. Raises OSError, with the name of what was missing, if it cannot run."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        become(request, writer)
    os.close(writer)
    failure = os.read(reader, 4096)
    os.close(reader)
    for descriptor in (request["stdin"], request["stdout"]):
        if descriptor is not None:
            os.close(descriptor)
    if failure:
        os.waitpid(pid, 0)
        number, _, name = failure.decode("utf-8", "surrogateescape").partition(" ")
        raise OSError(int(number), os.strerror(int(number)), name)
    return pid


def become(request: dict[str, Any], report: int) -> NoReturn:
    """In the new process: turn into the command. Never returns."""
    name = request["cwd"]
    try:
        os.setsid()
        offspring.prctl(offspring.PR_SET_PDEATHSIG, signal.SIGKILL)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        for name in request["cgroups"]:
            join(name)
        name = request["cwd"]
        os.chdir(name)
        stdin = request["stdin"]
        os.dup2(os.open(os.devnull, os.O_RDONLY) if stdin is None else stdin, 0)
        os.dup2(request["log"] if request["stdout"] is None else request["stdout"], 1)
        os.dup2(request["log"], 2)
        for descriptor in request["inherited"]:
            os.set_inheritable(descriptor, True)
        if request["confinement"] is not None:
            name = "the confinement"
            confinement.enter(request["confinement"])
        name = request["argv"][0]
        os.execvpe(name, request["argv"], request["env"])
    except OSError as error:
        os.write(report, f"{error.errno} {name}".encode("utf-8", "surrogateescape"))
    except (ValueError, IndexError):  # nothing to run, a NUL in an argument, `=` in the name of a variable
        os.write(report, f"{errno.EINVAL} {name}".encode("utf-8", "surrogateescape"))
    finally:
        os._exit(127)


def join(group: str) -> None:
    """Put this process, and all that it will start, into a control group."""
    procs = os.open(group, os.O_WRONLY)
    os.write(procs, b"0")
    os.close(procs)


def read_request() -> dict[str, Any]:
    def exactly(size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = os.read(LIFELINE, size - len(data))
            if not part:
                os._exit(1)  # Ralph died before it had asked for anything
            data += part
        return data

    request: dict[str, Any] = marshal.loads(exactly(int.from_bytes(exactly(8), "big")))
    return request


def attend(request: dict[str, Any], owner: int) -> dict[str, Any]:
    """Everything between request and answer."""
    warden = Warden(request, owner)
    began = time.monotonic()
    notes: list[str] = []
    waiting: list[str] = []
    what = "set aside"
    try:
        if request["aside"]:
            waiting = aside.move_away(request["aside"], request["pairs"])
        what = "started"
        began = time.monotonic()
        warden.command = start(request)
        warden.watch()
    except OSError as error:
        warden.trouble = f"{error.filename} could not be {what}: {error.strerror}"
    duration = time.monotonic() - began
    if warden.command:
        warden.end()
        warden.reap()
    if request["aside"]:
        notes = aside.lost(waiting) + aside.put_back(request["aside"], request["pairs"])
    status = warden.status
    return {
        "exit_code": os.WEXITSTATUS(status) if status is not None and os.WIFEXITED(status) else None,
        "signal": os.WTERMSIG(status) if status is not None and os.WIFSIGNALED(status) else None,
        "timed_out": warden.timed_out,
        "stopped": warden.stopped,
        "duration_ms": round(duration * 1000),
        "containment": "subreaper" if warden.adopts else "process-group",
        "leftovers": warden.leftovers,
        "trouble": "; ".join([*([warden.trouble] if warden.trouble else []), *notes]) or None,
    }


def main(owner: int) -> NoReturn:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)  # its end comes through the lifeline
    request = read_request()
    for descriptor in request["descriptors"]:
        os.set_inheritable(descriptor, False)
    try:
        os.write(ANSWER, written(attend(request, owner)))
    except BrokenPipeError:
        pass  # Ralph is gone; what had to be done is done
    finally:
        os._exit(0)
