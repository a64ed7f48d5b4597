"""A recorded session is done again, without the model that had it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ralph.agents.base import Claim, Decided, End, Record, Text, ToolCall, ToolResult, Usage
from ralph.agents.recording import TRANSCRIPT, Heading, Recording, Take, read
from ralph.agents.replay import script_of
from ralph.errors import ConfigError
from tests.agents.playing import calls, end_of, play, project, results, scripted, texts, turn_in

WORKDIR = "/somewhere/else"


def take(*records: Record, iteration: int = 1) -> Take:
    return Take(Heading(agent="claude", iteration=iteration, prompt="go", workdir=WORKDIR), records)


def call(tool: str, number: str = "1", **arguments: Any) -> ToolCall:
    return ToolCall(tool, "", number, arguments)


def again(place: Path, *takes: Take, iteration: int = 1, **changes: Any) -> list[Record]:
    return play(script_of(takes), turn_in(place, iteration=iteration, **changes))


def test_a_session_of_claude(tmp_path: Path) -> None:
    session = take(
        Text("I begin."),
        call("Read", file_path=f"{WORKDIR}/a.txt"),
        call("TodoWrite", todos=[]),
        call("Write", file_path=f"{WORKDIR}/src/a.txt", content="one two two"),
        call("Edit", file_path="src/a.txt", old_string="one", new_string="three"),
        call("Edit", file_path="src/a.txt", old_string="two", new_string="2", replace_all=True),
        call("MultiEdit", file_path="src/a.txt", edits=[{"old_string": "three", "new_string": "3"}]),
        call("Bash", command="cp src/a.txt b.txt"),
        Claim("build.done", "tests: pass"),
        End("completed", None, Usage(input_tokens=7, cost_usd=0.5)),
    )
    records = again(tmp_path, session)
    assert (project(tmp_path) / "b.txt").read_text() == "3 2 2"
    assert texts(records) == ["I begin."]
    assert [each.tool for each in calls(records)] == ["write", "replace", "replace", "replace", "run"]
    assert all(each.ok for each in results(records))
    assert Claim("build.done", "tests: pass") in records
    assert end_of(records) == End("completed", None, Usage(input_tokens=7, cost_usd=0.5))


def test_a_session_of_the_scripted_agent_comes_out_the_same(tmp_path: Path) -> None:
    script = """
turns:
  - - say: hello
    - write: {path: a.txt, content: one}
    - replace: {path: a.txt, old: one, new: two}
    - run: cat a.txt
    - tool: {name: ralph_none, arguments: {a: 1}}
    - delete: a.txt
    - usage: {input_tokens: 3}
    - end: {reason: rate_limited, retry_after_s: 5.0}
"""
    first = play(Recording(scripted(tmp_path, script)), turn_in(tmp_path, folder=tmp_path / "turn"))
    second = again(tmp_path, *read(tmp_path / "turn" / TRANSCRIPT))
    without = [record for record in second[1:] if not isinstance(record, Usage)]
    assert without == [record for record in first[1:] if not isinstance(record, Usage)]


def test_what_the_client_refused_is_left_out(tmp_path: Path) -> None:
    records = again(
        tmp_path,
        take(
            call("Bash", "1", command="touch refused"),
            ToolResult(False, "unknown argument", "1", ran=False),
            call("Bash", "2", command="touch denied"),
            Decided(id="2", tool="Bash", outcome="deny", reason="no"),
            ToolResult(False, "no", "2", ran=False),
        ),
    )
    assert [each.target for each in calls(records)] == ["touch denied"]  # and is judged anew


def test_takes_of_one_turn_follow_each_other(tmp_path: Path) -> None:
    cut_off = take(call("Write", file_path="a", content="1"))
    retried = take(call("Write", file_path="b", content="2"), End("interrupted"))
    finished = take(call("Write", file_path="c", content="3"), End("completed"))
    assert end_of(again(tmp_path, cut_off, retried, finished)).reason == "completed"
    assert sorted(path.name for path in project(tmp_path).iterdir()) == ["a", "b", "c"]


def test_each_iteration_has_its_own(tmp_path: Path) -> None:
    takes = take(Text("one")), take(Text("five"), iteration=5)
    assert texts(again(tmp_path, *takes, iteration=5)) == ["five"]
    assert texts(again(tmp_path, *takes, iteration=2)) == ["The script has no turn left."]


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (ToolCall("Bash", "ls", "1"), "does not say with what Bash was called"),
        (call("apply_patch", input="*** Begin Patch"), "a call of apply_patch, whose effect cannot be played again"),
        (call("Bash", line="ls"), "a call of Bash with arguments that it does not take"),
        (call("Write", file_path=3, content=""), "a call of Write with arguments that it does not take"),
        (call("MultiEdit", file_path="a", edits=["b"]), "a call of MultiEdit with arguments that it does not take"),
    ],
)
def test_what_cannot_be_played_again(record: Record, said: str) -> None:
    with pytest.raises(ConfigError, match="The transcript of iteration 3") as caught:
        script_of([take(record, iteration=3)])
    assert said in str(caught.value)
