"""`ralph` as a person starts it, in processes of its own; killed, interrupted and started again."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ralph.loop import journal
from ralph.loop.journal import Journal
from tests.engine.wreckage import environment, living, wait_until_quiet
from tests.project import repository

TOP = Path(__file__).parents[3]
RALPH = (sys.executable, "-m", "ralph")
LIMIT_S = 240.0
CLOSED = {
    "version": 1,
    "mode": "delivery",
    "files": {"allowRead": ["."], "allowWrite": ["pages", "specs"], "denyRead": [], "denyWrite": [".git", ".ralph"]},
    "commands": {"allow": ["sleep"], "deny": ["sudo"], "packs": ["readonly-tools", "readonly-git"]},
    "approval": {"requiredFor": [], "requireReason": True},
    "checks": {"required": [], "rollbackOnFail": True},
}


@dataclass(frozen=True)
class Place:
    """A project, its agent's script, and the folder for temporary files of all its processes."""

    path: Path

    @classmethod
    def made(cls, path: Path, files: Mapping[str, str], script: Mapping[str, Any]) -> Place:
        """A new project with these files and a policy. Processes of the test look for its scratch there, too."""
        place = cls(path)
        environment(path)
        tempfile.tempdir = str(path / "tmp")
        place.script(script)
        repository(place.root, {"ralph.policy.json": json.dumps(CLOSED), **files})
        return place

    @property
    def root(self) -> Path:
        return self.path / "project"

    def script(self, script: Mapping[str, Any]) -> None:
        (self.path / "script.yaml").write_text(json.dumps(script), "utf-8")

    @property
    def journal(self) -> Journal:
        found = journal.latest(self.root)
        assert found is not None
        return found

    @property
    def said(self) -> str:
        """What all of its processes have said."""
        return (self.path / "said").read_text()

    @contextmanager
    def at_work(self, word: str, *more: str) -> Iterator[subprocess.Popen[bytes]]:
        """A command in a group of its own; it is gone at the end. What it says is added to `said`."""
        with self._started([*RALPH, word, *more, "-C", str(self.root)]) as process:
            try:
                yield process
            finally:
                process.kill()

    def _started(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        with (self.path / "said").open("ab") as said:
            said.write(f"$ {' '.join(command)}\n".encode())
            said.flush()
            return subprocess.Popen(
                command,
                env=environment(self.path),
                cwd=TOP,
                stdout=said,
                stderr=said,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    def dies(self, kind: str, number: int = 1, prompt: str = "") -> None:
        """Begin a run, and kill it as soon as it knows of this input or record (see `dies`)."""
        of = [sys.executable, "-m", "tests.loop.crash.dies", kind, str(number)]
        with self._started([*of, str(self.root), f"scripted:{self.path / 'script.yaml'}", prompt]) as process:
            assert process.wait(LIMIT_S) == -signal.SIGKILL, self.said
        wait_until_quiet(self.path, limit_s=20.0)

    def ralph(self, word: str, *more: str) -> int:
        """A command, to its end; its exit code, negative for a signal."""
        with self.at_work(word, *more) as process:
            return process.wait(LIMIT_S)

    def next_words(self, prompt: str = "") -> tuple[str, ...]:
        """To go on with the run, or to begin it if it did not come to that yet."""
        if journal.runs(self.root):
            return ("resume",)
        return ("run", *([prompt] if prompt else []), "--agent", f"scripted:{self.path / 'script.yaml'}")

    def run(self, *more: str) -> int:
        """`ralph run` with the script's agent, to its end."""
        return self.ralph("run", "--agent", f"scripted:{self.path / 'script.yaml'}", *more)

    def killed_after(self, seconds: float, word: str, *more: str) -> int | None:
        """A command that is killed unless it ends sooner; its exit code then. Nothing that it started is left."""
        with self.at_work(word, *more) as process:
            try:
                return process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.kill()
        wait_until_quiet(self.path, limit_s=20.0)
        return None

    def living(self) -> list[str]:
        return living(self.path)


def until(holds: Callable[[], Any], limit_s: float = 60.0) -> None:
    """Wait until something is so."""
    end = time.monotonic() + limit_s
    while not holds():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)
