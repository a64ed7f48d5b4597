"""The system call filter of every level, as a program for the kernel's classic BPF machine.

Rules (research: commands and sandbox, B.3):

- Another architecture's calls (i386 on x86_64) end the process, the x32 ones do not exist: their numbers mean other
  calls, and a filter that reads them by this table would judge the wrong thing.
- The calls of `syscalls.FORBIDDEN` fail with EPERM; so do new namespaces, keystrokes pushed into a terminal
  (TIOCSTI, TIOCLINUX), device nodes, and setuid bits, which would outlive the sandbox on a file of the host.
- `clone3` passes its flags in memory, which a filter cannot read: it does not exist, and libc falls back to `clone`.
- Sockets are of a few families. AF_VSOCK reaches the machine's host past every network namespace.
- With `deny_unix` there are connected pairs only. A pair of datagram sockets can still send to any address: no such.

The bytes serve bubblewrap's `--seccomp` and seccomp(2) alike.
"""

from __future__ import annotations

import errno
import platform
import struct
from functools import cache

from ralph.errors import MissingToolError
from ralph.permissions.sandbox.syscalls import FORBIDDEN, JUDGED, NEWEST_KNOWN

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16

_CLONE_NEW = 0x7E020000  # every namespace
_UNSHARE_NEW = _CLONE_NEW | 0x80  # CLONE_NEWTIME, whose bit belongs to the exit signal in clone
_TERMINAL_INPUT = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
_SETUID = 0o4000
_FILE_KIND, _CHARACTER, _BLOCK = 0o170000, 0o020000, 0o060000
_AF_UNIX, _AF_INET, _AF_INET6, _AF_NETLINK = 1, 2, 10, 16
_SOCKET_KIND, _STREAM, _SEQPACKET = 0xF, 1, 5

_ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}

Instruction = tuple[int, int, int, int]


@cache
def program(arch: str | None = None, *, deny_inet: bool, deny_unix: bool) -> bytes:
    """The filter as an array of `struct sock_filter`, for this machine unless told otherwise.

    Raises MissingToolError for an architecture whose calls are not known here.
    """
    arch = arch or platform.machine()
    if arch not in _ARCHITECTURES:
        raise MissingToolError(f"Ralph has no system call filter for {arch}; use a machine with x86_64 or aarch64.")
    audit, column = _ARCHITECTURES[arch]
    code = [_load(_ARCH), _skip_if(_EQUAL, audit, 1), _give(_KILL), _load(_NUMBER)]
    code += [_skip_unless(_AT_LEAST, NEWEST_KNOWN + 1, 1), _fail(errno.ENOSYS)]  # all of x32 (0x40000000 and up) too
    for _, *numbers in FORBIDDEN:
        if (number := numbers[column]) is not None:
            code += [_skip_unless(_EQUAL, number, 1), _fail(errno.EPERM)]
    for name, judgement in _judgements(deny_inet=deny_inet, deny_unix=deny_unix):
        if (number := JUDGED[name][column]) is not None:
            code += [_skip_unless(_EQUAL, number, len(judgement)), *judgement]
    return b"".join(struct.pack("=HBBI", *each) for each in [*code, _give(_ALLOW)])


def _judgements(*, deny_inet: bool, deny_unix: bool) -> list[tuple[str, list[Instruction]]]:
    families = [_AF_UNIX] * (not deny_unix) + [_AF_INET, _AF_INET6, _AF_NETLINK] * (not deny_inet)
    pairs = _only(1, (_STREAM, _SEQPACKET), errno.EPERM, mask=_SOCKET_KIND) if deny_unix else [_give(_ALLOW)]
    return [
        ("clone", _without(0, _CLONE_NEW)),
        ("clone3", [_fail(errno.ENOSYS)]),
        ("unshare", _without(0, _UNSHARE_NEW)),
        ("ioctl", _none_of(1, _TERMINAL_INPUT)),
        ("chmod", _without(1, _SETUID)),
        ("fchmod", _without(1, _SETUID)),
        ("fchmodat", _without(2, _SETUID)),
        ("fchmodat2", _without(2, _SETUID)),
        ("mknod", _none_of(1, (_CHARACTER, _BLOCK), mask=_FILE_KIND)),
        ("mknodat", _none_of(2, (_CHARACTER, _BLOCK), mask=_FILE_KIND)),
        ("socket", _only(0, tuple(families), errno.EAFNOSUPPORT)),
        ("socketpair", pairs),
    ]


def _without(argument: int, bits: int) -> list[Instruction]:
    """EPERM if the argument has one of the bits."""
    return [_argument(argument), _skip_if(_ANY_BIT, bits, 1), _give(_ALLOW), _fail(errno.EPERM)]


def _none_of(argument: int, values: tuple[int, ...], mask: int = 0xFFFFFFFF) -> list[Instruction]:
    """EPERM if the masked argument is one of the values."""
    tests = [step for value in values for step in (_skip_unless(_EQUAL, value, 1), _fail(errno.EPERM))]
    return [_argument(argument), (_AND, 0, 0, mask), *tests, _give(_ALLOW)]


def _only(argument: int, values: tuple[int, ...], number: int, mask: int = 0xFFFFFFFF) -> list[Instruction]:
    """An error unless the masked argument is one of the values."""
    tests = [step for value in values for step in (_skip_unless(_EQUAL, value, 1), _give(_ALLOW))]
    return [_argument(argument), (_AND, 0, 0, mask), *tests, _fail(number)]


def _load(offset: int) -> Instruction:
    return (_LOAD, 0, 0, offset)


def _argument(index: int) -> Instruction:
    """The low half: these are `int`s to the kernel, and a test of all 64 bits could be passed by setting a high one."""
    return _load(_ARGUMENTS + 8 * index)


def _skip_if(test: int, value: int, steps: int) -> Instruction:
    return (test, steps, 0, value)


def _skip_unless(test: int, value: int, steps: int) -> Instruction:
    return (test, 0, steps, value)


def _give(answer: int) -> Instruction:
    return (_RETURN, 0, 0, answer)


def _fail(number: int) -> Instruction:
    return _give(_ERRNO | number)
