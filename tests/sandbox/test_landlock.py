"""The second level: what gets through Landlock and the filter, and what does not, as root and as an ordinary user."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from ralph.permissions.sandbox import landlock
from tests.sandbox.world import NOBODY, SECRET, Paths, World, inhabited

pytestmark = pytest.mark.skipif(not landlock.available(), reason="this kernel has no Landlock")

WALLS: Paths = {
    "writable": ("project/src", "project/tests"),
    "read_only": ("project/.git", "project/src/kept"),
    "unreadable": ("project/.env", "project/secrets", "project/src/.env"),
    "readable_home": ("home/tools",),
}
WIDE: Paths = {
    "writable": ("project",),
    "read_only": ("project/.git", "project/.ralph"),
    "unreadable": ("project/.env",),
}

PYTHON = "/usr/bin/python3 -I -c"
CONNECT = f"{PYTHON} 'import os, socket; s = socket.socket({{0}}); s.connect({{1}}); print(s.recv(99))'"
SYSCALL = f"""{PYTHON} 'import ctypes, errno, os; c = ctypes.CDLL(None, use_errno=True)
r = c.syscall({{0}}); print("TAKEN" if r >= 0 else errno.errorcode[ctypes.get_errno()])'"""

HONEST = [
    pytest.param("cat src/a.txt package.json", id="read the project"),
    pytest.param(
        "echo b > tests/a && mv tests/a tests/b && rm tests/b && echo c >> src/a.txt", id="write, rename and delete"
    ),
    pytest.param("mkdir -p $TMPDIR/x && echo x > $TMPDIR/x/y && mktemp", id="temporary files"),
    pytest.param("ls -a . src node_modules/m", id="list"),
    pytest.param("echo x >/dev/null && head -c 9 /dev/urandom | wc -c", id="devices"),
    pytest.param("diff <(echo a) <(echo a)", id="process substitution"),
    pytest.param("cat <<< here && (sleep 0.01 & wait)", id="here string and background"),
    pytest.param("$HOME/tools/bin/tool", id="a toolchain in the home folder"),
    pytest.param(f"{PYTHON} 'import multiprocessing as m; print(m.Pool(2).map(abs, [-1]))'", id="a pool of processes"),
    pytest.param(f"{PYTHON} 'import socket; a, b = socket.socketpair(); a.send(b\"x\"); b.recv(1)'", id="socketpair"),
    pytest.param(f"{PYTHON} 'import threading as t; x = t.Thread(target=print); x.start(); x.join()'", id="threads"),
    pytest.param("cd tests && git init -q x && git -C x status && rm -rf x", id="git"),
    pytest.param("find src -name '*.txt' | xargs grep -c . && tar cf $TMPDIR/a.tar src/a.txt", id="ordinary tools"),
]

READS = [
    pytest.param("cat .env", id="directly"),
    pytest.param("cat link", id="through a link"),
    pytest.param("ln -s ../.env tests/l; cat tests/l", id="through a link of one's own"),
    pytest.param("ln .env tests/l && cat tests/l", id="hard link"),
    pytest.param("mv .env tests/l && cat tests/l", id="rename"),
    pytest.param("cat /proc/self/root$PWD/.env", id="/proc/self/root"),
    pytest.param("cat /proc/self/cwd/.env", id="/proc/self/cwd"),
    pytest.param("cat /proc/$PPID/environ && echo " + SECRET, id="environ"),
    pytest.param("cat /proc/$NEIGHBOUR/cmdline | grep -q sleep && echo " + SECRET, id="command lines of others"),
    pytest.param("cat src/.env", id="below a writable folder"),
    pytest.param("mv src/.env tests/e && cat tests/e", id="renamed below a writable folder"),
    pytest.param("mv src s2 && cat s2/.env", id="its folder renamed"),
    pytest.param("cat secrets/key", id="in a closed folder"),
    pytest.param("cd secrets && cat key", id="from inside a closed folder"),
    pytest.param("tar c . | tar x -O", id="archived"),
    pytest.param("cat $HOME/.ssh/id $HOME/.npmrc $HOME/notes ~/notes", id="home"),
    pytest.param("ls $HOME && echo " + SECRET, id="list the home folder"),
    pytest.param("cat < $HOME/tools/../notes", id="home through a toolchain"),
    pytest.param("exec 3<.env; cat <&3", id="by descriptor"),
    pytest.param(
        f"{PYTHON} 'import mmap; f = open(\".env\"); print(mmap.mmap(f.fileno(), 0, prot=1)[:])'", id="mapped"
    ),
    pytest.param("/lib64/ld-linux-x86-64.so.2 /bin/cat .env", id="by the loader"),
    pytest.param("mknod tests/disk b 254 0 && echo " + SECRET, id="a disk of one's own"),
    pytest.param("head -c1 /dev/vda /dev/sda /dev/mem /dev/kmsg && echo " + SECRET, id="raw devices"),
    pytest.param("cat /etc/shadow && echo " + SECRET, id="passwords"),
    pytest.param(CONNECT.format("socket.AF_UNIX", 'os.environ["UNIX"]'), id="unix socket"),
    pytest.param(CONNECT.format("socket.AF_UNIX", '"\\0" + os.environ["ABSTRACT"]'), id="abstract socket"),
    pytest.param(CONNECT.format("socket.AF_INET", '("127.0.0.1", int(os.environ["TCP"]))'), id="TCP"),
    pytest.param("exec 3<>/dev/tcp/127.0.0.1/$TCP; cat <&3", id="TCP by bash"),
]

WRITES = [
    pytest.param("echo x > package.json", id="a file"),
    pytest.param("echo x > new", id="a new file in the project"),
    pytest.param("echo x > .git/hooks/pre-commit", id="a hook"),
    pytest.param("echo x >> .git/config", id="git configuration"),
    pytest.param("truncate -s 0 .git/config", id="truncate"),
    pytest.param(f"{PYTHON} 'import os; os.truncate(\".git/config\", 0)'", id="truncate by name"),
    pytest.param("mv .git g", id="move .git"),
    pytest.param("rm -rf node_modules .git .env secrets", id="delete"),
    pytest.param("mv node_modules/m tests/", id="move into a writable folder"),
    pytest.param("ln node_modules/m/index.js tests/i && echo x > tests/i", id="hard link"),
    pytest.param("ln -s ../package.json tests/p && echo x > tests/p; rm -f tests/p", id="through a link of one's own"),
    pytest.param("mkdir src/kept; echo x > src/kept/f", id="a protected place that does not exist"),
    pytest.param("mkdir folder", id="a folder in the project"),
    pytest.param("echo x >> $HOME/.bashrc; echo x > $HOME/new; echo x >> $HOME/tools/bin/tool", id="home"),
    pytest.param("echo x > $OUTSIDE/file; echo x > $OUTSIDE/new; rm $OUTSIDE/file", id="outside"),
    pytest.param("cd .. && mv project p2", id="move the project"),
    pytest.param("echo x > ../x; echo x > tests/../x", id="upwards"),
    pytest.param("rm -f secrets/key src/.env", id="delete what cannot be read"),
]

# With arguments that would do nothing if they got through: the answer would be another error.
CALLS = [
    pytest.param(SYSCALL.format('101, 16, int(os.environ["NEIGHBOUR"]), 0, 0'), "EPERM", id="ptrace"),
    pytest.param(SYSCALL.format("425, 8, None"), "EPERM", id="io_uring"),
    pytest.param(SYSCALL.format("272, 0x10000000"), "EPERM", id="user namespace"),
    pytest.param(SYSCALL.format("272, 0x00020000"), "EPERM", id="mount namespace"),
    pytest.param(SYSCALL.format("165, None, None, None, 0, None"), "EPERM", id="mount"),
    pytest.param(SYSCALL.format("161, None"), "EPERM", id="chroot"),
    pytest.param(SYSCALL.format("321, 0, None, 0"), "EPERM", id="bpf"),
    pytest.param(SYSCALL.format("250, 99, 0"), "EPERM", id="keys"),
    pytest.param(SYSCALL.format("170, None, -1"), "EPERM", id="host name"),
    pytest.param(SYSCALL.format("304, -1, None, 0"), "EPERM", id="file by handle"),
    pytest.param(SYSCALL.format("41, 2, 2, 0"), "EAFNOSUPPORT", id="UDP"),
    pytest.param(SYSCALL.format("41, 1, 2, 0"), "EAFNOSUPPORT", id="unix datagrams"),
    pytest.param(SYSCALL.format("41, 16, 3, 0"), "EAFNOSUPPORT", id="netlink"),
    pytest.param(SYSCALL.format("41, 40, 1, 0"), "EAFNOSUPPORT", id="vsock"),
    pytest.param(SYSCALL.format("0x40000000 + 41, 2, 1, 0"), "ENOSYS", id="the x32 way to a socket"),
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
        yield world


@pytest.mark.parametrize("line", HONEST)
def test_honest_work_goes_on(world: World, line: str) -> None:
    """`tests` is writable as a whole; in `src` stand closed things, so only what is there already can be written."""
    result = world.run(f"({line}) && echo WELL", "landlock", WALLS)
    (world.project / "src/a.txt").write_text("a\n")
    os.chown(world.project / "src/a.txt", world.uid, world.uid)
    assert (result.exit_code, result.trouble, result.output.endswith("WELL\n")) == (0, None, True), result.output


@pytest.mark.parametrize("line", READS)
def test_secrets_stay_secret(world: World, line: str) -> None:
    before = world.snapshot()
    result = world.run(f"{line}; rm -f tests/l tests/e", "landlock", WALLS)
    assert result.trouble is None
    assert SECRET not in result.output
    assert world.snapshot() == before


@pytest.mark.parametrize("line", WRITES)
def test_protected_places_stay_as_they_are(world: World, line: str) -> None:
    before = world.snapshot()
    result = world.run(f"({line}); echo END", "landlock", WALLS)
    assert world.snapshot() == before
    assert (result.trouble, result.output.endswith("END\n")) == (None, True)


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the calls are numbered as there")
@pytest.mark.parametrize(("line", "error"), CALLS)
def test_dangerous_calls_are_refused(world: World, line: str, error: str) -> None:
    result = world.run(line, "landlock", WALLS)
    assert (result.exit_code, result.output) == (0, f"{error}\n")


def test_others_cannot_be_killed(world: World) -> None:
    result = world.run("kill -9 $NEIGHBOUR; kill -0 $PPID && echo FOUND; kill -9 $$", "landlock", WALLS)
    assert (result.signal, result.trouble, "FOUND" in result.output) == ("SIGKILL", None, False)


def test_a_writable_project_around_protected_places(world: World) -> None:
    """What was there can be written, and what is below too; beside a protected place nothing can be made."""
    before = world.snapshot()
    line = "echo x >> src/a.txt; echo y > src/new; echo z > top; echo z > .git/config; mkdir .ralph; ls"
    result = world.run(line, "landlock", WIDE)
    assert result.output.count("denied") == 3
    assert {key for key, value in world.snapshot().items() if before.get(key) != value} == {
        "project/src/a.txt",
        "project/src/new",
    }
    (world.project / "src/a.txt").write_text("a\n")
    (world.project / "src/new").unlink()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        pytest.param("while :; do echo x; done > tests/big", "File size limit exceeded", id="file size"),
        pytest.param(f"{PYTHON} 'bytearray(3 << 30)'", "MemoryError", id="memory"),
        pytest.param("ulimit -c", "0", id="core files"),
        pytest.param("ulimit -n 99999 && echo more", "cannot modify limit", id="not to be raised"),
    ],
)
def test_ceilings(world: World, line: str, said: str) -> None:
    result = world.run(f"({line}); rm -f tests/big", "landlock", WALLS, (2 << 30, 1 << 20))
    assert said in result.output
