"""What a program says is read at every level of the sandbox, and its walls stand there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ralph.permissions.sandbox.confine import start_confined
from ralph.permissions.sandbox.model import Level, Walls
from ralph.permissions.sandbox.probe import enforced_level
from ralph.system.process import Command
from tests.system.commands import command


def confined(place: Path, line: str, shown: Path | None = None) -> tuple[Command, Walls]:
    work = place / "work"
    for name in ("src", ".git"):
        (work / name).mkdir(parents=True, exist_ok=True)
    walls = Walls(
        root=work,
        writable=(work,),
        read_only=(work / ".git",),
        readable_home=(shown,) if shown else (),
        environment={"PATH": os.environ["PATH"]},
    )
    return command(place, line, cwd=work), walls


def levels() -> list[Level]:
    return [level for level in (Level.BUBBLEWRAP, Level.LANDLOCK) if enforced_level().covers(level)]


@pytest.mark.parametrize("level", levels())
def test_behind_walls(tmp_path: Path, level: Level) -> None:
    prompt = tmp_path / "prompt"
    prompt.mkdir()
    (prompt / "prompt.txt").write_text("do it\n")
    line = f"cat {prompt}/prompt.txt; echo a > src/a; echo b > .git/b || echo closed; echo err >&2; exit 3"
    with start_confined(*confined(tmp_path, line, prompt), level) as running:
        said = [each.data for each in running.lines() if each]
    assert said == [b"do it", b"closed"]
    assert running.ended is not None
    assert (running.ended.exit_code, running.ended.trouble) == (3, None)
    assert (tmp_path / "work/src/a").read_text() == "a\n"
    assert running.ended.output.endswith("err\n")


@pytest.mark.parametrize("level", [*levels(), Level.NONE])
def test_told_to_stop(tmp_path: Path, level: Level) -> None:
    line = "setsid sleep 60 & echo ready; sleep 60"
    with start_confined(*confined(tmp_path, line), level) as running:
        for each in running.lines():
            if each:
                running.stop()
    assert running.ended is not None
    assert (running.ended.stopped, running.ended.trouble) == (True, None)


@pytest.mark.parametrize("level", levels())
def test_a_program_that_is_not_there(tmp_path: Path, level: Level) -> None:
    wanted, walls = confined(tmp_path, "echo never")
    with start_confined(
        Command(line=("no-such-program",), cwd=wanted.cwd, env={}, log=wanted.log), walls, level
    ) as run:
        assert [each for each in run.lines() if each] == []
    assert run.ended is not None
    assert run.ended.exit_code == 127 or run.ended.trouble
