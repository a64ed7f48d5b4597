"""Which level this machine really enforces: found out by attacking it.

Rules (research: commands and sandbox, B.3; design decision 25):

- A level counts if the command ran, could write where it may, and every attack was refused. A version, a file in /proc
  or a set-up that did not complain say nothing.
- Only one attack succeeding takes the level away. io_uring on a kernel without it fails too, and that is as good.
- What was found is kept (see `remembered.py`).
"""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from ralph.errors import RalphError
from ralph.permissions.sandbox import bubblewrap, remembered
from ralph.permissions.sandbox.confine import run_confined
from ralph.permissions.sandbox.model import Level, Walls
from ralph.record import record
from ralph.system.places import config_home
from ralph.system.process import Command
from ralph.system.scratch import scratch


@record
class Attack:
    """`refusal` is None if it succeeded."""

    name: str
    refusal: str | None


@record(kw_only=True)
class Trial:
    """One level, tried. `trouble` says why it could not be."""

    level: Level
    attacks: tuple[Attack, ...] = ()
    trouble: str | None = None

    @property
    def holds(self) -> bool:
        return self.trouble is None and bool(self.attacks) and all(each.refusal for each in self.attacks)


@record
class Probe:
    """The strongest level that holds, and the trials down to it."""

    level: Level
    trials: tuple[Trial, ...]


def probe() -> Probe:
    """Attack the levels, the strongest first, until one holds."""
    trials: list[Trial] = []
    for level in (Level.BUBBLEWRAP, Level.LANDLOCK):
        trials.append(attempt(level))
        if trials[-1].holds:
            return Probe(level, tuple(trials))
    return Probe(Level.NONE, tuple(trials))


def enforced_level() -> Level:
    """The level of this machine, probed once per boot."""
    if known := remembered.remembered():
        return Level(known)
    level = probe().level
    remembered.remember(level)
    return level


def attempt(level: Level) -> Trial:
    """Attack this level."""
    try:
        with scratch("probe") as folder, _targets(folder) as targets:
            root = Path(targets["root"])
            walls = Walls(
                root=root,
                writable=(root / "src",),
                read_only=(root / "src" / "kept",),
                unreadable=(root / "denied",),
                readable_home=(Path(sys.base_prefix), Path(sys.prefix)),
                environment={"PATH": bubblewrap.DEFAULT_PATH},
            )
            source = remembered.ATTACKS.read_text(encoding="utf-8")
            line = (sys.executable, "-I", "-S", "-c", source, json.dumps(targets))
            ended = run_confined(Command(line=line, cwd=root, env={}, log=folder / "log", timeout_s=20), walls, level)
    except (RalphError, OSError) as error:
        return Trial(level=level, trouble=str(error))
    said = ended.output.strip().rpartition("\n")[2]
    if ended.trouble or ended.exit_code != 0:
        return Trial(level=level, trouble=ended.trouble or f"a command cannot do its work there: {said}")
    return Trial(level=level, attacks=tuple(Attack(name, refusal) for name, refusal in json.loads(said).items()))


@contextmanager
def _targets(folder: Path) -> Iterator[dict[str, Any]]:
    """Something for every attack to reach: files in `folder`, servers of this process."""
    root = folder.resolve() / "project"
    kept = root / "src" / "kept"
    kept.mkdir(parents=True)
    for path in (root / "src" / "allowed", root / "denied", kept / "file", folder / "outside"):
        path.write_text("x", encoding="utf-8")
    name = f"ralph-probe-{os.getpid()}-{os.urandom(4).hex()}"
    with ExitStack() as stack:
        servers = [stack.enter_context(socket.socket(family)) for family in (socket.AF_UNIX, socket.AF_UNIX)]
        tcp = stack.enter_context(socket.socket())
        path = root / "socket"
        # An address holds 108 characters; the folder for temporary files may lie deeper.
        descriptor = os.open(root, os.O_PATH | os.O_DIRECTORY)
        stack.callback(os.close, descriptor)
        near = f"/proc/self/fd/{descriptor}/socket"
        for server, address in ((servers[0], near), (servers[1], "\0" + name), (tcp, ("127.0.0.1", 0))):
            server.bind(address)
            server.listen()
        yield {
            "root": str(root),
            "allowed": str(root / "src" / "allowed"),
            "denied": str(root / "denied"),
            "keys": str(config_home()),
            "outside": str(folder / "outside"),
            "protected": str(kept / "file"),
            "folder": str(kept),
            "tcp": tcp.getsockname(),
            "unix": str(path),
            "abstract": name,
            "pid": os.getpid(),
        }
