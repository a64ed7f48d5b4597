"""A small world to attack: a project with secrets and protected places, a home folder, and neighbours outside."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path


def _for_everybody(source: Path) -> Path:
    """The package where an ordinary user can read it: a repository in a home folder is closed to others."""
    if all(folder.stat().st_mode & 0o001 for folder in source.parents):
        return source
    copy = Path(tempfile.mkdtemp(prefix="ralph-source-", dir="/tmp"))
    atexit.register(shutil.rmtree, copy, ignore_errors=True)
    copy.chmod(0o755)
    shutil.copytree(source, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


SOURCE = _for_everybody(Path(__file__).resolve().parents[2] / "src")
NOBODY = 65534
SECRET = "the-secret"

Paths = dict[str, tuple[str, ...]]
"""Fields of `Walls`, with paths below the world's folder."""

FILES = {
    "project/src/a.txt": "a\n",
    "project/src/.env": SECRET,
    "project/.env": SECRET,
    "project/tests/t.txt": "t\n",
    "project/secrets/key": SECRET,
    "project/.git/config": "[core]\n",
    "project/.git/hooks/sample": "#\n",
    "project/node_modules/m/index.js": "module.exports = 1\n",
    "project/package.json": "{}\n",
    "home/.ssh/id": SECRET,
    "home/.npmrc": SECRET,
    "home/notes": SECRET,
    "home/.bashrc": "# mine\n",
    "home/tools/bin/tool": "#!/bin/sh\necho tool\n",
    "outside/file": "outside\n",
}

_DRIVER = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from ralph.permissions.sandbox.confine import run_confined
from ralph.permissions.sandbox.model import Ceilings, Level, Walls
from ralph.system.process import Command
given = json.loads(sys.argv[2])
paths = {key: tuple(map(Path, value)) for key, value in given["paths"].items()}
ceilings = Ceilings(memory_bytes=given["ceilings"][0], file_bytes=given["ceilings"][1])
walls = Walls(root=Path(given["root"]), environment=given["env"], ceilings=ceilings, **paths)
command = Command(line=given["line"], cwd=Path(given["root"]), env={}, log=Path(given["log"]), timeout_s=120)
ended = run_confined(command, walls, Level(given["level"]))
print(json.dumps([ended.exit_code, ended.signal, ended.trouble, ended.output]))
"""


@dataclass(frozen=True, slots=True)
class Result:
    """How a confined command ended, and what it wrote."""

    exit_code: int | None
    signal: str | None
    trouble: str | None
    output: str


@dataclass(frozen=True, slots=True)
class World:
    """Its folders, its neighbours, and who lives in it."""

    top: Path
    uid: int
    variables: dict[str, str]

    @property
    def project(self) -> Path:
        return self.top / "project"

    def run(self, line: str, level: str, paths: Paths, ceilings: tuple[int, int] = (8 << 30, 2 << 30)) -> Result:
        """Run a shell line in the project, as the owner of this world, with these folders for walls. The ceilings are
        bytes of memory and of a file."""
        given = {
            "line": line,
            "level": level,
            "ceilings": ceilings,
            "root": str(self.project),
            "log": str(self.top / "log"),
            "paths": {key: [str(self.top / each) for each in value] for key, value in paths.items()},
            "env": {**self.variables, "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.top / "home")},
        }
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.top / "home"), "TMPDIR": str(self.top / "scratch")}
        done = subprocess.run(
            [interpreter(self.uid), "-I", "-c", _DRIVER, str(SOURCE), json.dumps(given)],
            capture_output=True,
            cwd=self.top,
            env=environment,
            check=False,
            text=True,
            **self._identity(),  # type: ignore[call-overload]  # of the three numbers
        )
        if done.returncode:
            raise AssertionError(done.stderr)
        return Result(*json.loads(done.stdout))

    def snapshot(self) -> dict[str, str | None]:
        """Every file of the world with its content, but for what runs of ours write."""
        own = {self.top / "log", self.top / "scratch"}
        return {
            str(path.relative_to(self.top)): path.read_text() if path.is_file() and not path.is_symlink() else None
            for path in sorted(self.top.rglob("*"))
            if not own & {path, *path.parents}
        }

    def _identity(self) -> dict[str, object]:
        return {} if self.uid == os.getuid() else {"user": self.uid, "group": self.uid, "extra_groups": []}


def interpreter(uid: int) -> str:
    """A Python that this user may start."""
    return sys.executable if uid == os.getuid() else "/usr/bin/python3"


@contextmanager
def inhabited(uid: int) -> Iterator[World]:
    """A world of this user, with a server on every kind of socket and a process that could be killed."""
    with ExitStack() as stack:
        top = Path(stack.enter_context(_folder()))
        for name, content in FILES.items():
            (top / name).parent.mkdir(parents=True, exist_ok=True)
            (top / name).write_text(content)
        (top / "home/tools/bin/tool").chmod(0o755)
        (top / "scratch").mkdir()
        (top / "project/link").symlink_to(".env")
        sockets = {
            "UNIX": _listen(stack, socket.AF_UNIX, str(top / "outside/socket")),
            "ABSTRACT": _listen(stack, socket.AF_UNIX, f"\0ralph-test-{os.getpid()}-{top.name}"),
            "TCP": _listen(stack, socket.AF_INET, ("127.0.0.1", 0)),
        }
        for path in (top, *top.rglob("*")):
            os.chown(path, uid, uid, follow_symlinks=False)
        neighbour = subprocess.Popen(["/bin/sleep", "900"], user=uid if uid != os.getuid() else None)
        stack.callback(neighbour.wait)
        stack.callback(neighbour.kill)
        yield World(top, uid, {**sockets, "NEIGHBOUR": str(neighbour.pid), "OUTSIDE": str(top / "outside")})
        assert neighbour.poll() is None, "the neighbour was killed"


@contextmanager
def _folder() -> Iterator[str]:
    top = tempfile.mkdtemp(prefix="ralph-world-", dir="/tmp")
    try:
        yield top
    finally:
        shutil.rmtree(top, ignore_errors=True)


def _listen(stack: ExitStack, family: socket.AddressFamily, address: str | tuple[str, int]) -> str:
    """Answer whoever connects with the secret; its address as a variable."""
    server = stack.enter_context(socket.socket(family))
    server.bind(address)
    server.listen()

    def answer() -> None:
        while True:
            try:
                client, _ = server.accept()
            except OSError:
                return
            with client:
                client.sendall(SECRET.encode())

    threading.Thread(target=answer, daemon=True).start()
    stack.callback(server.shutdown, socket.SHUT_RDWR)
    name = server.getsockname()
    if isinstance(name, tuple):
        return str(name[1])
    return name[1:].decode() if isinstance(name, bytes) else str(name)
