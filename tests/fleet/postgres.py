"""A PostgreSQL of the tests' own, on loopback, in a folder of its own; the programs are the system's."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass
class Postgres:
    folder: Path
    programs: Path
    port: int
    user: int | None

    @property
    def url(self) -> str:
        return f"postgresql://ann@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        self._run(
            "pg_ctl", "-D", str(self.folder / "data"), "-l", str(self.folder / "log"), "-o", options, "-w", "start"
        )

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", mode, "-w", "stop")

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self.programs / program), *arguments],
            user=self.user,
            cwd=self.folder,
            env={"PATH": os.defpath, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        assert done.returncode == 0, f"{program} {arguments}: {(self.folder / 'log').read_text()[-2000:]}"


@contextmanager
def postgres() -> Iterator[Postgres]:
    programs = _programs()
    if programs is None:
        assert not os.environ.get("CI"), "CI tests with a real PostgreSQL: install the package postgresql"
        pytest.skip("PostgreSQL is not installed")
    user = pwd.getpwnam("postgres").pw_uid if os.getuid() == 0 else None  # it does not run as root
    folder = Path(tempfile.mkdtemp(prefix="ralph-postgres-"))
    made = Postgres(folder, programs, _free_port(), user)
    try:
        if user is not None:
            os.chown(folder, user, -1)
        made._run("initdb", "-D", str(folder / "data"), "-U", "ann", "-A", "trust", "-E", "UTF8", "--no-sync")
        made.start()
        yield made
    finally:
        if (folder / "data" / "postmaster.pid").exists():
            made.stop("immediate")
        shutil.rmtree(folder, ignore_errors=True)


def _programs() -> Path | None:
    found = [*map(Path, sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True))]
    if (on_path := shutil.which("pg_ctl")) is not None:
        found.append(Path(on_path).parent)
    return next((each for each in found if (each / "initdb").exists()), None)


def _free_port() -> int:
    with socket.socket() as given:
        given.bind(("127.0.0.1", 0))
        return int(given.getsockname()[1])
