"""The last step before a command starts: the new process gives up what it may not do, for itself and all below it.

Rules (research: commands and sandbox, part B; design decision 25):

- What is given up was prepared by Ralph and is only entered here: a Landlock ruleset comes as a descriptor, a system
  call filter as bytes, the limits as numbers. Nothing here decides anything, and nothing here needs a path.
- It happens between fork and exec in the warden, which has one thread: a `preexec_fn` in a process with threads would
  not be safe, and a launcher of its own would cost as much as a second interpreter.
- In this order: limits, capabilities, no new privileges, Landlock, filter. The filter comes last because it forbids
  the calls that were needed before it.
- Whatever cannot be entered is an OSError, and the command does not start.

Like the warden, this module loads nothing that it does not need.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 24, 38
LANDLOCK_RESTRICT_SELF = 446
SECCOMP_CALLS = {"x86_64": 317, "aarch64": 277, "riscv64": 277, "loongarch64": 277}
SECCOMP_SET_MODE_FILTER = 1
CAPABILITIES_VERSION_3 = 0x20080522
FILE_CAPABILITIES = 0b01011
"""CHOWN, DAC_OVERRIDE, FOWNER: root keeps working on files of others inside its walls. All else goes: raw disks,
mounts, modules, file handles, the clock; and FSETID, with which a file stays setuid while it is written."""


def enter(confinement: dict[str, Any]) -> None:
    """Confine this process. `confinement` holds `limits`, `powerless`, `ruleset` and `filter`."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    _limit(confinement["limits"])
    if confinement["powerless"]:
        _give_up_capabilities(libc)
    if confinement["ruleset"] is not None or confinement["filter"]:
        _check(libc.prctl(PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1), 0, 0, 0))
    if confinement["ruleset"] is not None:
        _check(libc.syscall(LANDLOCK_RESTRICT_SELF, ctypes.c_int(confinement["ruleset"]), ctypes.c_uint(0)))
    if confinement["filter"]:
        _filter(libc, confinement["filter"])


def _check(result: int) -> None:
    if result != 0:
        import ctypes

        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _limit(limits: dict[int, int]) -> None:
    """A limit is only ever lowered: one that stands lower already is stricter, and stays."""
    import resource

    for which, value in limits.items():
        hard = resource.getrlimit(which)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(which, (value, value))


def _give_up_capabilities(libc: Any) -> None:
    import ctypes

    for number in range(64):  # the last one is not known: the kernel refuses numbers that it does not have
        if not FILE_CAPABILITIES >> number & 1:
            libc.prctl(PR_CAPBSET_DROP, ctypes.c_ulong(number), 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(CAPABILITIES_VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)()  # twice effective, permitted, inheritable: low half, high half
    _check(libc.capget(header, sets))
    permitted = sets[1] & FILE_CAPABILITIES
    _check(libc.capset(header, (ctypes.c_uint32 * 6)(sets[0] & permitted, permitted, 0, 0, 0, 0)))


def _filter(libc: Any, program: bytes) -> None:
    import ctypes

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]

    machine = os.uname().machine
    if machine not in SECCOMP_CALLS:
        raise OSError(38, f"no system call filter is known for {machine}")
    fprog = Program(len(program) // 8, program)
    _check(libc.syscall(SECCOMP_CALLS[machine], SECCOMP_SET_MODE_FILTER, ctypes.c_uint(0), ctypes.byref(fprog)))
