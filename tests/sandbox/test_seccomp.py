"""The system call filter, run by an interpreter of the kernel's BPF dialect, for machines that are not here, too."""

from __future__ import annotations

import errno
import struct

import pytest

from ralph.errors import MissingToolError
from ralph.permissions.sandbox.seccomp import program
from ralph.permissions.sandbox.syscalls import FORBIDDEN, JUDGED, NEWEST_KNOWN

ARCHES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
I386 = 0x40000003
ALLOW, KILL = 0x7FFF0000, 0x80000000
HIGH = 1 << 32


def answer(code: bytes, arch: int, number: int, *arguments: int) -> str:
    """What the kernel would do with this call."""
    data = struct.pack("=IIQ6Q", number, arch, 0, *(*arguments, *[0] * (6 - len(arguments))))
    instructions = list(struct.iter_unpack("=HBBI", code))
    accumulator = at = 0
    while True:
        operation, yes, no, value = instructions[at]
        at += 1
        match operation:
            case 0x20:
                accumulator = int.from_bytes(data[value : value + 4], "little")
            case 0x54:
                accumulator &= value
            case 0x15:
                at += yes if accumulator == value else no
            case 0x35:
                at += yes if accumulator >= value else no
            case 0x45:
                at += yes if accumulator & value else no
            case 0x06:
                return {ALLOW: "allow", KILL: "kill"}.get(value) or errno.errorcode[value & 0xFFFF]
            case _:
                raise AssertionError(f"no such operation: {operation:#x}")


@pytest.fixture(params=ARCHES)
def arch(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def call(arch: str, name: str, *arguments: int, deny_inet: bool = False, deny_unix: bool = False) -> str | None:
    audit, column = ARCHES[arch]
    number = JUDGED[name][column]
    if number is None:
        return None
    return answer(program(arch, deny_inet=deny_inet, deny_unix=deny_unix), audit, number, *arguments)


def test_forbidden_calls(arch: str) -> None:
    audit, column = ARCHES[arch]
    code = program(arch, deny_inet=False, deny_unix=False)
    numbers = {row[0]: row[1:][column] for row in FORBIDDEN}
    answers = {name: answer(code, audit, number) for name, number in numbers.items() if number is not None}
    assert set(answers.values()) == {"EPERM"}


@pytest.mark.parametrize("number", [0, 1, 2, 57, 63, 64, 202, 257, 424, 434, 436, 439, 444, 451, NEWEST_KNOWN])
def test_ordinary_calls(arch: str, number: int) -> None:
    assert answer(program(arch, deny_inet=True, deny_unix=True), ARCHES[arch][0], number) == "allow"


def test_other_ways_to_name_a_call(arch: str) -> None:
    audit = ARCHES[arch][0]
    code = program(arch, deny_inet=False, deny_unix=False)
    assert answer(code, I386, 1) == "kill"
    assert answer(code, audit, 0x40000000 + 41, 2) == "ENOSYS"
    assert answer(code, audit, NEWEST_KNOWN + 1) == "ENOSYS"
    assert answer(code, audit, 0xFFFFFFFF) == "ENOSYS"


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("clone", (0x11,), "allow"),  # fork
        ("clone", (0x003D0F00,), "allow"),  # a thread
        ("clone", (0x10000011,), "EPERM"),
        ("clone", (0x00020011,), "EPERM"),
        ("clone", (HIGH | 0x10000011,), "EPERM"),
        ("clone3", (0, 88), "ENOSYS"),
        ("unshare", (0x400,), "allow"),  # CLONE_FILES
        ("unshare", (0x10000000,), "EPERM"),
        ("unshare", (0x80,), "EPERM"),
        ("ioctl", (0, 0x5413), "allow"),
        ("ioctl", (0, 0x5412), "EPERM"),
        ("ioctl", (0, HIGH | 0x5412), "EPERM"),
        ("ioctl", (0, 0x541C), "EPERM"),
        ("chmod", (0, 0o755), "allow"),
        ("chmod", (0, 0o4755), "EPERM"),
        ("fchmod", (3, 0o4755), "EPERM"),
        ("fchmodat", (3, 0, 0o4755), "EPERM"),
        ("fchmodat2", (3, 0, 0o4755), "EPERM"),
        ("fchmodat", (3, 0, 0o2755), "allow"),  # folders of a group
        ("mknodat", (3, 0, 0o010644), "allow"),  # a pipe
        ("mknodat", (3, 0, 0o100644), "allow"),
        ("mknodat", (3, 0, 0o020644), "EPERM"),
        ("mknodat", (3, 0, 0o060644), "EPERM"),
        ("mknod", (0, 0o060644), "EPERM"),
    ],
)
def test_calls_judged_by_an_argument(arch: str, name: str, arguments: tuple[int, ...], expected: str) -> None:
    assert call(arch, name, *arguments) in (expected, None)


@pytest.mark.parametrize(
    ("family", "open_to_all", "no_inet", "no_unix", "neither"),
    [
        (1, "allow", "allow", "EAFNOSUPPORT", "EAFNOSUPPORT"),
        (2, "allow", "EAFNOSUPPORT", "allow", "EAFNOSUPPORT"),
        (10, "allow", "EAFNOSUPPORT", "allow", "EAFNOSUPPORT"),
        (16, "allow", "EAFNOSUPPORT", "allow", "EAFNOSUPPORT"),
        (17, *["EAFNOSUPPORT"] * 4),  # raw packets
        (38, *["EAFNOSUPPORT"] * 4),  # the kernel's ciphers
        (40, *["EAFNOSUPPORT"] * 4),  # the machine's host
    ],
)
def test_sockets(arch: str, family: int, open_to_all: str, no_inet: str, no_unix: str, neither: str) -> None:
    variants = [(False, False), (True, False), (False, True), (True, True)]
    found = [call(arch, "socket", family, 1, deny_inet=inet, deny_unix=unix) for inet, unix in variants]
    assert found == [open_to_all, no_inet, no_unix, neither]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [(1, "allow"), (5, "allow"), (0o2000001, "allow"), (2, "EPERM"), (0o2000002, "EPERM"), (3, "EPERM")],
    ids=["stream", "packets", "stream, close on exec", "datagram", "datagram, close on exec", "raw, which is datagram"],
)
def test_pairs_of_sockets(arch: str, kind: int, expected: str) -> None:
    assert call(arch, "socketpair", 1, kind, 0, deny_unix=True) == expected
    assert call(arch, "socketpair", 1, kind, 0) == "allow"


def test_an_unknown_architecture() -> None:
    with pytest.raises(MissingToolError, match="riscv64"):
        program("riscv64", deny_inet=True, deny_unix=True)


def test_the_kernel_takes_it() -> None:
    """4,096 instructions are its limit."""
    assert all(len(program(arch, deny_inet=True, deny_unix=True)) // 8 < 1024 for arch in ARCHES)
