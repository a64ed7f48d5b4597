"""The scripted agent acts for real, and says so in records."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ralph.agents.base import Claim, End, Record, Text, ToolCall, ToolResult, Turn
from ralph.agents.scripted import ScriptedAgent
from ralph.errors import ConfigError


def play(tmp_path: Path, script: str, iteration: int = 1) -> list[Record]:
    path = tmp_path / "script.yaml"
    path.write_text(script)
    work = tmp_path / "work"
    work.mkdir(exist_ok=True)
    turn = Turn(prompt="go", workdir=work, iteration=iteration, env={"PATH": os.environ["PATH"]})
    return list(ScriptedAgent.from_yaml(path).run(turn))


def test_a_turn(tmp_path: Path) -> None:
    script = """
turns:
  - - say: hello
    - write: {path: a/b.txt, content: one two}
    - replace: {path: a/b.txt, old: two, new: three}
    - run: cat a/b.txt; exit 3
    - delete: a/b.txt
    - claim: {topic: build.done, payload: "tests: pass"}
"""
    assert play(tmp_path, script) == [
        Text("hello"),
        ToolCall("write", "a/b.txt"),
        ToolResult(True, "wrote 7 characters"),
        ToolCall("replace", "a/b.txt"),
        ToolResult(True, "replaced"),
        ToolCall("run", "cat a/b.txt; exit 3"),
        ToolResult(False, "one three"),
        ToolCall("delete", "a/b.txt"),
        ToolResult(True, "deleted"),
        Claim("build.done", "tests: pass"),
        End("completed"),
    ]
    assert not (tmp_path / "work/a/b.txt").exists()


def test_what_cannot_be_done_is_a_result_and_not_a_crash(tmp_path: Path) -> None:
    script = "turns: [[{delete: none}, {replace: {path: none, old: a, new: b}}]]"
    results = [record for record in play(tmp_path, script) if isinstance(record, ToolResult)]
    assert [result.ok for result in results] == [False, False]


def test_a_turn_may_end_early(tmp_path: Path) -> None:
    assert play(tmp_path, "turns: [[{end: interrupted}, {say: never}]]") == [End("interrupted", "as the script says")]


def test_beyond_the_script(tmp_path: Path) -> None:
    assert play(tmp_path, "turns: []", iteration=2)[-1] == End("completed")


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("turns: 3", "a list `turns`"),
        ("turns: [3]", "turn 1 must be a list"),
        ("turns: [[3]]", "action 1 must be a mapping"),
        ("turns: [[{fly: away}]]", "there is no action 'fly'"),
        ("turns: [[{write: {path: a}}]]", "write needs content, path"),
        ("turns: [[{say: [1]}]]", "say takes text"),
        ("turns: [", "line"),
    ],
)
def test_bad_scripts(tmp_path: Path, script: str, message: str) -> None:
    with pytest.raises(ConfigError, match=r"script\.yaml") as caught:
        play(tmp_path, script)
    assert message in str(caught.value)
