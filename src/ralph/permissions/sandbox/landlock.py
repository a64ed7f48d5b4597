"""Landlock: the kernel's own list of what a process may touch, through its system calls.

Rules (research: commands and sandbox, B.1-B.3):

- Whether the kernel has it, and how much, is asked of the kernel (`available`), never read from a file or a version.
- A ruleset handles every right that the kernel knows of, so what no rule grants is refused. Later kernels know more:
  links between folders (2), truncation (3), TCP ports (4), device controls (5), abstract sockets and signals (6).
- It can only grant, and what it grants holds for everything below; see `landlock_rules` for what follows from that.
- A symbolic link is never followed: the file or folder that was meant is granted, or nothing.
- A ruleset is a descriptor. Ralph builds it; the command's process enters it (`system.confinement`).
"""

from __future__ import annotations

import ctypes
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import IntFlag

from ralph.errors import SandboxUnavailable
from ralph.record import record

_CREATE_RULESET, _ADD_RULE = 444, 445
_VERSION, _PATH_BENEATH = 1, 1
OLDEST = 3
"""Before that, any file of the user's could be emptied by truncate(2)."""
_TCP = 0b11  # bind and connect
_SCOPES = 0b11  # abstract unix sockets and signals


class Right(IntFlag):
    """What a rule can grant, by the kernel's numbers."""

    EXECUTE = 1 << 0
    WRITE_FILE = 1 << 1
    READ_FILE = 1 << 2
    READ_DIR = 1 << 3
    REMOVE_DIR = 1 << 4
    REMOVE_FILE = 1 << 5
    MAKE_CHAR = 1 << 6
    MAKE_DIR = 1 << 7
    MAKE_REG = 1 << 8
    MAKE_SOCK = 1 << 9
    MAKE_FIFO = 1 << 10
    MAKE_BLOCK = 1 << 11
    MAKE_SYM = 1 << 12
    REFER = 1 << 13
    TRUNCATE = 1 << 14
    IOCTL_DEV = 1 << 15


LIST = Right.READ_DIR
READ = Right.EXECUTE | Right.READ_FILE | Right.READ_DIR
USE = Right.READ_FILE | Right.WRITE_FILE | Right.TRUNCATE
"""For devices like /dev/null."""
WRITE = ~(Right.MAKE_CHAR | Right.MAKE_BLOCK | Right.IOCTL_DEV) & Right((1 << 16) - 1)
"""Everything but devices: whoever may make one in a folder of their own may read the disk through it."""
_OF_FILES = Right.EXECUTE | Right.READ_FILE | Right.WRITE_FILE | Right.TRUNCATE | Right.IOCTL_DEV


@record
class Grant:
    """Rights over one file, or over a folder and everything below it."""

    path: str
    rights: Right


def available() -> int:
    """The version of Landlock that this kernel offers; 0 if there is none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(_libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(_VERSION))))


@contextmanager
def ruleset(grants: Iterable[Grant], *, open_network: bool = False) -> Iterator[int]:
    """The descriptor of a ruleset that grants this and nothing else. Raises SandboxUnavailable."""
    libc, version = _libc(), available()
    if version < OLDEST:
        raise SandboxUnavailable(
            f"This kernel offers Landlock {version}, and {OLDEST} is needed; use Linux 6.2 or later with landlock "
            "among its security modules, or install bubblewrap."
        )
    handled = _handled(version)
    attributes = [int(handled)] + [0 if open_network else _TCP] * (version >= 4) + [_SCOPES] * (version >= 6)
    attribute = (ctypes.c_uint64 * len(attributes))(*attributes)
    size = ctypes.c_size_t(ctypes.sizeof(attribute))
    descriptor = libc.syscall(_CREATE_RULESET, ctypes.byref(attribute), size, ctypes.c_uint(0))
    if descriptor < 0:
        raise SandboxUnavailable(f"The kernel refuses a Landlock ruleset: {os.strerror(ctypes.get_errno())}.")
    try:
        for grant in grants:
            _add(libc, descriptor, Grant(grant.path, grant.rights & handled))
        yield descriptor
    finally:
        os.close(descriptor)


def _handled(version: int) -> Right:
    """All rights that this version can refuse."""
    return Right((1 << 16) - 1) & ~(Right.IOCTL_DEV if version < 5 else Right(0))


def _add(libc: ctypes.CDLL, ruleset: int, grant: Grant) -> None:
    """Grant it. What has gone meanwhile, or cannot be reached, is simply not granted."""
    try:
        place = os.open(grant.path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return
    try:
        kind = os.fstat(place).st_mode
        if stat.S_ISLNK(kind):
            return
        rights = grant.rights if stat.S_ISDIR(kind) else grant.rights & _OF_FILES
        rule = rights.to_bytes(8, sys.byteorder) + place.to_bytes(4, sys.byteorder)
        if rights and libc.syscall(_ADD_RULE, ruleset, ctypes.c_int(_PATH_BENEATH), rule, ctypes.c_uint(0)) != 0:
            number = ctypes.get_errno()
            raise SandboxUnavailable(f"The kernel refuses a rule for {grant.path}: {os.strerror(number)}.")
    finally:
        os.close(place)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
