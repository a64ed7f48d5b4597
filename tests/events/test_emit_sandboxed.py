"""`ralph emit` from behind the walls of an agent's command: only its inbox is open to it, and that is enough."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ralph.events.inbox import collect, open_turn
from ralph.permissions.sandbox.confine import run_confined
from ralph.permissions.sandbox.model import Level, Walls
from ralph.permissions.sandbox.probe import attempt
from ralph.system.process import Command
from tests.events.situation import TOKEN, TURN, rules


@pytest.fixture
def outside() -> Iterator[Path]:
    """A folder that is not below /tmp, which every command has one of its own of."""
    folder = Path(tempfile.mkdtemp(dir="/var/tmp"))
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize("place", ["elsewhere", "below /tmp"])
@pytest.mark.parametrize("level", [Level.BUBBLEWRAP, Level.LANDLOCK])
def test_a_confined_agent_can_emit_and_cannot_write_the_log(
    level: Level, place: str, outside: Path, tmp_path: Path
) -> None:
    if not attempt(level).holds:
        pytest.skip(f"this machine does not enforce {level}")
    root = outside / "project"
    folder = (outside if place == "elsewhere" else tmp_path) / "inbox"
    (root / ".ralph").mkdir(parents=True)
    (root / ".ralph" / "events.jsonl").touch()
    variables = open_turn(folder, TURN, rules(), TOKEN) | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(root),
    }
    ours = (Path(__file__).parents[2],)  # where Ralph itself is installed from
    walls = Walls(
        root=root,
        writable=(root, folder),
        read_only=(root / ".ralph",),
        readable_home=ours,
        environment=variables,
    )
    line = f"{sys.executable} -m ralph emit build.blocked 'no database'; echo forged >> .ralph/events.jsonl"
    ended = run_confined(Command(line=line, cwd=root, env={}, log=tmp_path / "log"), walls, level)
    assert "accepted: build.blocked is published." in ended.output
    assert collect(folder, TURN)[0] == (TURN.emission("build.blocked", "no database", TOKEN),)
    assert (root / ".ralph" / "events.jsonl").read_bytes() == b""
