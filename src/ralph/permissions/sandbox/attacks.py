"""Run inside the sandbox by `probe.py`: tries what a sandbox must refuse, and prints what came of it.

It knows nothing of Ralph and imports nothing of it. One argument, a JSON object that names the targets outside; one
line of JSON as answer: name of the attack -> None if it succeeded, else why it did not.
"""

# It speaks the system's language, and pathlib takes longer to load than all of it:
# ruff: noqa: PTH123, PTH104, PTH208

from __future__ import annotations

import ctypes
import errno
import json
import os
import socket
import sys
from collections.abc import Callable
from typing import Any

_CALLS = {"x86_64": {"ptrace": 101, "unshare": 272}, "aarch64": {"ptrace": 117, "unshare": 97}}
_IO_URING_SETUP, _CLONE_NEWUSER, _PTRACE_TRACEME = 425, 0x10000000, 0


def _read(path: str) -> None:
    with open(path, "rb") as file:
        file.read(1)


def _write(path: str) -> None:
    with open(path, "r+b") as file:  # a file made anew could be one that only the sandbox sees
        file.write(b"x")


def _list(path: str) -> None:
    if not os.listdir(path):
        raise FileNotFoundError(errno.ENOENT, "an empty folder stands in its place")


def _open(path: str) -> None:
    os.close(os.open(path, os.O_WRONLY))


def _connect(family: int, address: tuple[str, int] | str) -> None:
    with socket.socket(family, socket.SOCK_STREAM) as client:
        client.settimeout(0.2)
        client.connect(address)


def _connect_near(path: str) -> None:
    """An address holds 108 characters, and the folder may lie deeper."""
    folder, _, name = path.rpartition("/")
    os.chdir(folder)
    _connect(socket.AF_UNIX, name)


def _call(number: int, *arguments: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(number, *map(ctypes.c_long, arguments)) < 0:
        raise OSError(ctypes.get_errno(), "")


def _attacks(targets: dict[str, Any]) -> dict[str, Callable[[], None]]:
    calls = _CALLS[os.uname().machine]
    return {
        "read a denied file": lambda: _read(targets["denied"]),
        "read a denied file through /proc": lambda: _read("/proc/self/root" + targets["denied"]),
        "read Ralph's keys": lambda: _list(targets["keys"]),
        "write outside of the project": lambda: _write(targets["outside"]),
        "write a protected file": lambda: _write(targets["protected"]),
        "replace a protected folder": lambda: os.rename(targets["folder"], targets["folder"] + ".old"),
        "change the kernel's settings": lambda: _open("/proc/sys/kernel/core_pattern"),
        "connect to a local server": lambda: _connect(socket.AF_INET, (targets["tcp"][0], targets["tcp"][1])),
        "connect to a unix socket": lambda: _connect_near(targets["unix"]),
        "connect to an abstract socket": lambda: _connect(socket.AF_UNIX, "\0" + targets["abstract"]),
        "signal a process outside": lambda: os.kill(targets["pid"], 0),
        "read a process's environment": lambda: _read(f"/proc/{targets['pid']}/environ"),
        "new user namespace": lambda: _call(calls["unshare"], _CLONE_NEWUSER),
        "io_uring": lambda: _call(_IO_URING_SETUP, 1, 0),
        "ptrace": lambda: _call(calls["ptrace"], _PTRACE_TRACEME, 0, 0, 0),
    }


def _outcome(attack: Callable[[], None]) -> str | None:
    try:
        attack()
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error))
    return None


if __name__ == "__main__":
    goals = json.loads(sys.argv[1])
    _write(goals["allowed"])
    print(json.dumps({name: _outcome(attack) for name, attack in _attacks(goals).items()}))  # noqa: T201
