"""`ralph run` with a real client, as a person starts it: processes of their own, in a project and a home of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ralph.loop import journal
from ralph.loop.state import State
from tests.clients.harness import World

VENV = Path(sys.executable).parent
WAIT_S = 300.0


@dataclass
class Person:
    """Who types commands. `login` is what their client needs in the environment, and all that it gets; `installed` is
    a folder of the PATH."""

    world: World
    login: Mapping[str, str]
    installed: Path | None = None

    @property
    def environment(self) -> dict[str, str]:
        own = self.world.environment
        path = [str(VENV), *([str(self.installed)] if self.installed else []), own["PATH"]]
        return {**own, "PATH": ":".join(path), **self.login}

    def start(self, *words: str) -> Command:
        return Command(words, self.world.root, self.environment)

    def types(self, *words: str) -> Command:
        """A command, waited for."""
        command = self.start(*words)
        command.end()
        return command

    def json(self, *words: str) -> Any:
        command = self.types(*words, "--json")
        return json.loads(command.out)

    @property
    def state(self) -> State:
        """Where the newest run stands."""
        found = journal.latest(self.world.root)
        assert found is not None
        return found.state


class Command:
    """A command of Ralph's that runs; `told` are the lines of its standard error so far."""

    def __init__(self, words: tuple[str, ...], root: Path, env: Mapping[str, str]) -> None:
        self.words = words
        self.told: list[str] = []
        self.out = ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ralph", *words],
            cwd=root,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._readers = [threading.Thread(target=each, daemon=True) for each in (self._hear, self._read)]
        for each in self._readers:
            each.start()

    def tells(self, cue: str, *, after: int = 0) -> int:
        """Wait until a line holds the cue, or the command ends; its place."""
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            for place, line in enumerate(self.told[after:], start=after):
                if cue in line:
                    return place
            if self.process.poll() is not None and not self._readers[0].is_alive():
                break
            time.sleep(0.02)
        raise AssertionError(f"{cue!r} was never told:\n{self}")

    def end(self) -> int:
        """Its exit code."""
        try:
            code = self.process.wait(WAIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"it did not end:\n{self}") from None
        for each in self._readers:
            each.join()
        return code

    @property
    def text(self) -> str:
        return "\n".join(self.told)

    def __str__(self) -> str:
        return f"$ ralph {' '.join(self.words)}\n{self.text}\n{self.out}"

    def _hear(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.told.append(line.rstrip("\n"))
        self.process.stderr.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        self.out = self.process.stdout.read()
        self.process.stdout.close()


def left(world: World) -> list[str]:
    """What still runs of all that was started in this world: by what only its environment has, or by where it is."""
    marks = (world.temporary.encode(), f"HOME={world.home}".encode())
    found = []
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            around = (process / "environ").read_bytes()
            place = (process / "cwd").readlink()
            if any(mark in around for mark in marks) or place.is_relative_to(world.root.parent):
                found.append(f"{process.name} {(process / 'cmdline').read_bytes().decode(errors='replace')}")
        except OSError:
            continue
    return found


def gone(world: World, within_s: float = 10.0) -> list[str]:
    """What is left when there was time to go."""
    until = time.monotonic() + within_s
    while (found := left(world)) and time.monotonic() < until:
        time.sleep(0.1)
    return found
