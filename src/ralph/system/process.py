"""The one door to processes.

Rules (design decisions 2, 7):

- A shell line runs as `bash --noprofile --norc -c LINE`, a tuple as it is; the environment is exactly the one given.
- The command has a session of its own, a time limit (TERM, grace, KILL), a limit to what it may write, and nothing
  that it started is alive when `run` returns: not after `setsid`, a double fork, or with SIGTERM ignored.
- Output goes straight to the log file, so nobody waits for a pipe that a daemon holds open, and a large output costs
  nothing; only its head and tail are read back.
- `run` waits for the command. How it ended is told apart: by itself (`exit_code`), by a signal (`signal`), at its
  time limit (`timed_out`), or so that Ralph cannot vouch for it (`trouble`).
- Between Ralph and the command stands a warden (see `warden.py`), which ends everything and puts files back when
  Ralph is killed. If the command kills its warden, this process adopts what is left and does the same.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

from ralph.errors import StorageError
from ralph.record import field, record
from ralph.system import restore, wardens

_SHELLS = ("/bin/bash", "/usr/bin/bash")


@record(kw_only=True)
class SetAside:
    """A report path that must be fresh: what stands at `path` is moved away before the command and put back after it;
    what the command wrote there is moved to `collect_to`."""

    path: Path
    collect_to: Path


@record(kw_only=True)
class Confinement:
    """What a command gives up just before it starts (see `confinement.py`), for itself and all below it."""

    limits: Mapping[int, int] = field(default_factory=dict)
    """Resource limits, by the numbers of the `resource` module."""
    powerless: bool = False
    """Give up every capability of root but those over files."""
    ruleset: int | None = None
    """A Landlock ruleset: an open descriptor."""
    filter: bytes = b""
    """A seccomp program: instructions of eight bytes."""


@record(kw_only=True)
class Command:
    """What to run, and its limits. `aside_root` is where set-aside files wait (required when there are any).

    Of this process's descriptors the command gets `pass_descriptors`, under the same numbers, and no others.
    `cgroups` are files (`cgroup.procs`, `tasks`) by which the command joins control groups before it starts. Pulling
    the `leash` ends it at once.
    """

    line: str | tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]
    log: Path
    timeout_s: float = 600.0
    grace_s: float = 5.0
    keep_bytes: int = 1 << 20
    max_log_bytes: int = 2 << 30
    set_aside: tuple[SetAside, ...] = ()
    aside_root: Path | None = None
    stdin: bytes = b""
    pass_descriptors: tuple[int, ...] = ()
    cgroups: tuple[Path, ...] = ()
    confinement: Confinement | None = None
    leash: wardens.Leash | None = None


@record(kw_only=True)
class Ended:
    """How a command ended. `exit_code` is None when a signal ended it or it never ran. `stopped`: Ralph asked."""

    exit_code: int | None
    signal: str | None
    timed_out: bool
    duration_ms: int
    output: str
    output_bytes: int
    truncated: bool
    containment: str
    leftovers: int
    trouble: str | None
    stopped: bool = False


def run(command: Command) -> Ended:
    """Run a command to its end. Raises StorageError if Ralph's own files (the log, the aside) cannot be written."""
    pairs = [(os.path.abspath(each.path), os.path.abspath(each.collect_to)) for each in command.set_aside]  # noqa: PTH100
    with (
        log_file(command.log) as log,
        input_file(command.stdin) as stdin,
        restore.opened(command.aside_root, pairs) as aside,
    ):
        request = request_for(command, log=log, stdin=stdin)
        held = [aside.lock] if aside.lock is not None else []
        request |= {"aside": aside.directory, "pairs": pairs, "descriptors": [*request["descriptors"], *held]}
        return ended(wardens.entrust(request, command.leash), log, command)


def request_for(command: Command, *, log: int, stdin: int | None, stdout: int | None = None) -> dict[str, Any]:
    """What a warden is asked to do: the command with these descriptors. Without a `stdout` all goes to the log."""
    ruleset = command.confinement.ruleset if command.confinement else None
    needed = (log, stdin, stdout, ruleset, *command.pass_descriptors)
    return {
        "argv": shell_argv(command.line),
        "cwd": str(command.cwd),
        "env": dict(command.env),
        "log": log,
        "stdin": stdin,
        "stdout": stdout,
        "timeout_s": command.timeout_s,
        "grace_s": command.grace_s,
        "max_log_bytes": command.max_log_bytes,
        "aside": None,
        "pairs": [],
        "descriptors": [number for number in needed if number is not None],
        "inherited": list(command.pass_descriptors),
        "cgroups": [str(path) for path in command.cgroups],
        "confinement": _confinement(command.confinement),
    }


def ended(answer: dict[str, Any], log: int, command: Command) -> Ended:
    """A warden's answer, with what the log holds."""
    size = os.fstat(log).st_size
    number = answer["signal"]
    return Ended(
        **{**answer, "signal": None if number is None else _signal_name(number)},
        output=_head_and_tail(log, size, command),
        output_bytes=size,
        truncated=size > command.keep_bytes,
    )


def stop_all() -> None:
    """End every running command of this process; each `run` then returns with trouble. For the end of a thread pool."""
    wardens.stop_all()


def shell_argv(line: str | tuple[str, ...]) -> list[str]:
    """The arguments that run a line of shell; a tuple as it is."""
    if not isinstance(line, str):
        return list(line)
    # Never a `bash` of the project's own bin directory, which the command's PATH begins with.
    shell = next((path for path in _SHELLS if os.access(path, os.X_OK)), None) or shutil.which("bash") or "bash"
    return [shell, "--noprofile", "--norc", "-c", line]


def _confinement(wanted: Confinement | None) -> dict[str, object] | None:
    if wanted is None:
        return None
    return {each.name: getattr(wanted, each.name) for each in fields(wanted)} | {"limits": dict(wanted.limits)}


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"


def _head_and_tail(log: int, size: int, command: Command) -> str:
    if size <= command.keep_bytes:
        return os.pread(log, size, 0).decode("utf-8", "replace")
    head = command.keep_bytes // 2
    tail = command.keep_bytes - head
    first, last = os.pread(log, head, 0), os.pread(log, tail, size - tail)
    gap = f"\n[... {size - command.keep_bytes} bytes left out here; all of it is in {command.log.name} ...]\n"
    return first.decode("utf-8", "replace") + gap + last.decode("utf-8", "replace")


@contextmanager
def log_file(path: Path) -> Iterator[int]:
    """A new file, open for the command's output. Raises StorageError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_NOFOLLOW, 0o644)
    except OSError as error:
        raise StorageError(f"The log {path} cannot be written: {error.strerror}.") from error
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def input_file(data: bytes) -> Iterator[int | None]:
    """A file, not a pipe: no reader is needed to write it, and its size does not matter."""
    if not data:
        yield None
        return
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        file.seek(0)
        yield file.fileno()
