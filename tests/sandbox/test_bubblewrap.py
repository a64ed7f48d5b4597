"""The first level: what gets through bubblewrap and the filter, and what does not, as root and as an ordinary user."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from _pytest.mark import ParameterSet

from tests.sandbox.test_landlock import CALLS, HONEST, PYTHON, READS, WALLS, WIDE, WRITES
from tests.sandbox.world import NOBODY, SECRET, Paths, World, inhabited

pytestmark = pytest.mark.skipif(not shutil.which("bwrap"), reason="this machine has no bubblewrap")

# At this level these calls go into a namespace of its own: they succeed, and reach nobody.
OWN_NETWORK = {"UDP", "netlink", "unix datagrams"}
# And these find something, which is the sandbox's own; READS_HERE and WRITES_HERE look closer.
OWN_THINGS = {"environ", "list the home folder", "move into a writable folder"}
REFUSED = [case for case in CALLS if case.id not in OWN_NETWORK]


def unlike(cases: list[ParameterSet]) -> list[ParameterSet]:
    return [case for case in cases if case.id not in OWN_THINGS]


HONEST_HERE = [
    pytest.param("echo x > src/new.txt && mkdir src/d && mv src/new.txt src/d/ && rm -r src/d", id="new files"),
    pytest.param("echo x > /tmp/x && echo x > ~/.cache-of-a-tool && cat /tmp/x", id="private /tmp and home"),
    pytest.param(
        f"{PYTHON} 'import socket, threading\n"
        's = socket.create_server(("127.0.0.1", 0))\n'
        'threading.Thread(target=lambda: s.accept()[0].send(b"x")).start()\n'
        "socket.create_connection(s.getsockname()).recv(1)'",
        id="a server of its own",
    ),
    pytest.param(f"{PYTHON} 'import multiprocessing as m; m.Manager().dict()'", id="unix sockets of its own"),
    pytest.param(f"{PYTHON} 'from multiprocessing import shared_memory as s; x = s.SharedMemory(create=True, size=9)\n"
                 "x.close(); x.unlink()'", id="shared memory"),
]  # fmt: skip

READS_HERE = [
    pytest.param("cat /proc/1/environ /proc/*/environ | tr '\\0' '\\n' | grep -v ^TCP; true", id="environment of all"),
    pytest.param("cat /proc/1/root$PWD/.env /proc/*/root$PWD/.env", id="/proc/1/root"),
    pytest.param("ls -A $HOME | grep -qvx -e tools -e .cache && echo " + SECRET, id="list the home folder"),
    pytest.param("umount .env; cat .env; umount -l .env; cat .env", id="umount"),
    pytest.param("unshare -Urm sh -c 'umount .env; cat .env'", id="unmounted in a namespace of one's own"),
    pytest.param("nsenter -t 1 -m cat .env", id="nsenter"),
    pytest.param("ls -d /proc/$NEIGHBOUR && echo " + SECRET, id="processes outside"),
    pytest.param("ls /proc/self/fd | grep -qvx '[0-3]' && echo " + SECRET, id="inherited descriptors"),
    pytest.param(f"{PYTHON} 'import socket; socket.socketpair(type=2)[0].connect(\"/dev/log\")' && echo " + SECRET,
                 id="datagram to the system's log"),
    pytest.param("getent hosts example.org && echo " + SECRET, id="DNS"),
    pytest.param("ls -A /run /tmp /home /var/tmp | grep -v -e : -e ralph-world | grep . && echo " + SECRET,
                 id="folders of others"),
]  # fmt: skip

WRITES_HERE = [
    pytest.param("chmod u+s src/a.txt && echo SETUID", id="setuid"),
    pytest.param("mv node_modules/m src/; rm -r src/m", id="move into a writable folder"),
    pytest.param("echo core > /proc/sys/kernel/core_pattern && echo SETUID", id="kernel settings"),
    pytest.param("exec 3>/proc/sysrq-trigger && echo SETUID", id="sysrq"),
    pytest.param("mount -o remount,rw / && echo SETUID", id="remount"),
    pytest.param("mount -t tmpfs t src && echo SETUID", id="mount"),
    pytest.param("sudo -n true && echo SETUID; su -c true && echo SETUID", id="setuid programs"),
    pytest.param("echo x > /dev/pts/0 && echo SETUID", id="terminals of others"),
    pytest.param("mknod src/d b 254 0 && echo SETUID; rm -f src/d", id="device"),
]

WIDE_WRITES = [
    pytest.param("mkdir .ralph || echo x > .ralph/x", id="a protected folder that does not exist"),
    pytest.param("rmdir .ralph; mv .ralph r; ln -s /tmp .ralph", id="replace what stands there"),
    pytest.param("mv .git g; rm -rf .git; echo x >> .git/config", id="git"),
    pytest.param("echo x > .env; mv .env e; rm .env; cp .env e", id="a hidden file"),
    pytest.param(
        "mv state s; mkdir state; echo x > state/ledger; rm -rf s", id="move the folder around a protected file"
    ),
    pytest.param("cd state; mv ../state ../s; echo x > ledger", id="from inside"),
    pytest.param("mv ../project ../p", id="move the project"),
]


@pytest.fixture(params=["root", "user"], scope="module")
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    if os.getuid() == 0:
        uid = 0 if request.param == "root" else NOBODY
    elif request.param == "root":
        pytest.skip("only root can try it as root")
    else:
        uid = os.getuid()
    with inhabited(uid) as world:
        state = world.project / "state"
        state.mkdir()
        (state / "ledger").write_text("ledger\n")
        for path in (state, state / "ledger"):
            os.chown(path, uid, uid)
        world.run("true", "bubblewrap", WALLS)  # Ralph's own records are there from now on
        yield world


@pytest.mark.parametrize("line", [*HONEST, *HONEST_HERE])
def test_honest_work_goes_on(world: World, line: str) -> None:
    result = world.run(f"({line}) && echo WELL", "bubblewrap", WALLS)
    (world.project / "src/a.txt").write_text("a\n")
    os.chown(world.project / "src/a.txt", world.uid, world.uid)
    assert (result.exit_code, result.trouble, result.output.endswith("WELL\n")) == (0, None, True), result.output


@pytest.mark.parametrize("line", [*unlike(READS), *READS_HERE])
def test_secrets_stay_secret(world: World, line: str) -> None:
    before = world.snapshot()
    result = world.run(f"{line}; rm -f src/l src/e src/disk tests/l tests/e", "bubblewrap", WALLS)
    assert result.trouble is None
    assert SECRET not in result.output
    assert world.snapshot() == before


@pytest.mark.parametrize("line", [*unlike(WRITES), *WRITES_HERE])
def test_protected_places_stay_as_they_are(world: World, line: str) -> None:
    before = world.snapshot()
    result = world.run(f"({line}); echo END", "bubblewrap", WALLS)
    assert world.snapshot() == before
    assert (result.trouble, result.output.endswith("END\n"), "SETUID" in result.output) == (None, True, False)


@pytest.mark.parametrize("line", WIDE_WRITES)
def test_protected_places_in_a_writable_project(world: World, line: str) -> None:
    before = world.snapshot()
    wide: Paths = {**WIDE, "read_only": (*WIDE["read_only"], "project/state/ledger")}
    result = world.run(f"({line}); echo END", "bubblewrap", wide)
    assert world.snapshot() == before
    assert (result.trouble, result.output.endswith("END\n")) == (None, True)


@pytest.mark.parametrize(("line", "error"), REFUSED)
def test_dangerous_calls_are_refused(world: World, line: str, error: str) -> None:
    result = world.run(line, "bubblewrap", WALLS)
    assert (result.exit_code, result.output) == (0, f"{error}\n")


def test_others_cannot_be_killed(world: World) -> None:
    result = world.run("kill -9 $NEIGHBOUR; kill -9 -1; echo ALIVE", "bubblewrap", WALLS)
    assert (result.trouble, "ALIVE" in result.output) == (None, True)


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        pytest.param("for i in $(seq 2000); do sleep 9 & done", "Resource temporarily unavailable", id="processes"),
        pytest.param(f"{PYTHON} 'bytearray(9 << 30)'", "MemoryError", id="memory"),
        pytest.param("head -c 3G /dev/zero > src/big", "File size limit exceeded", id="a file"),
        pytest.param("for i in 1 2; do head -c 1G /dev/zero > /tmp/$i; done", "No space left", id="private folders"),
    ],
)
def test_bombs_are_held(world: World, line: str, refusal: str) -> None:
    result = world.run(f"ulimit -a >/dev/null; {line}; rm -f src/big", "bubblewrap", WALLS)
    assert refusal in result.output


@pytest.mark.parametrize("level", ["bubblewrap", "landlock"])
def test_no_program_with_the_rights_of_its_owner_is_left(world: World, level: str) -> None:
    """It would work on the host for whoever starts it, with root's rights if Ralph runs as root."""
    make = 'os.open("src/s", os.O_CREAT | os.O_WRONLY, 0o4755)'
    write = "cat /bin/true > src/s; chmod u+s src/s"
    (world.project / "src/s").unlink(missing_ok=True)
    walls: Paths = {"writable": ("project/src",)}
    world.run(f"{PYTHON} 'import os; os.write({make}, b\"x\")'; {write}", level, walls)
    assert not (world.project / "src/s").stat().st_mode & 0o4000
    (world.project / "src/s").unlink()
