"""The scripted agent acts for real, and says so in records."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ralph.agents.base import Claim, End, Record, Started, Text, ToolCall, ToolResult, TurnLimits, Usage
from ralph.errors import ConfigError
from ralph.events import inbox, tokens
from ralph.events.door import Emission, Rules
from ralph.mcp.model import Tool, ToolError
from tests.agents.playing import calls, end_of, play, project, results, scripted, texts, turn_in


def played(place: Path, script: str, **changes: Any) -> list[Record]:
    return play(scripted(place, script), turn_in(place, **changes))


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
    assert played(tmp_path, script) == [
        Started(session="script-1", agent="script", detail="scripted"),
        Text("hello"),
        ToolCall("write", "a/b.txt", "1", {"path": "a/b.txt", "content": "one two"}),
        ToolResult(True, "wrote 7 characters", "1"),
        ToolCall("replace", "a/b.txt", "2", {"path": "a/b.txt", "old": "two", "new": "three"}),
        ToolResult(True, "replaced", "2"),
        ToolCall("run", "cat a/b.txt; exit 3", "3", {"command": "cat a/b.txt; exit 3"}),
        ToolResult(False, "one three", "3"),
        ToolCall("delete", "a/b.txt", "4", {"path": "a/b.txt"}),
        ToolResult(True, "deleted", "4"),
        Claim("build.done", "tests: pass"),
        End("completed"),
    ]
    assert not (project(tmp_path) / "a/b.txt").exists()


def test_what_cannot_be_done_is_a_result_and_not_a_crash(tmp_path: Path) -> None:
    (project(tmp_path) / "bytes").write_bytes(b"\xff")
    script = """
turns:
  - - delete: none
    - replace: {path: none, old: a, new: b}
    - replace: {path: bytes, old: a, new: b}
    - write: {path: "bytes/below", content: ""}
    - run: no-such-program
"""
    assert [result.ok for result in results(played(tmp_path, script))] == [False] * 5


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        pytest.param("a = 1\n", "1", "2", "a = 2\n", id="plain"),
        pytest.param("def test(): ...", "def test()", "@skip\ndef test()", "@skip\ndef test(): ...", id="grows"),
        pytest.param("a b", " b", "", "a", id="shrinks"),
        pytest.param("b = 2; a = 1", "a = 1", "b = 2", "b = 2; b = 2", id="the new text stands elsewhere"),
    ],
)
def test_a_turn_that_is_played_twice_does_it_once(tmp_path: Path, text: str, old: str, new: str, expected: str) -> None:
    """After a crash of Ralph the turn is played again on what it left."""
    file = project(tmp_path) / "file"
    file.write_text(text)
    agent = scripted(tmp_path, f"turns: [[{{replace: {{path: file, old: {old!r}, new: {new!r}}}}}]]".replace("'", '"'))
    for _ in range(2):
        assert results(play(agent, turn_in(tmp_path)))[0].ok
        assert file.read_text() == expected


@pytest.mark.parametrize(
    ("script", "text", "ok"),
    [
        ("{path: file, old: a, new: b}", "a a", False),
        ("{path: file, old: a, new: b, all: true}", "b b", True),
        ("{path: file, old: c, new: d, all: true}", "a a", False),
    ],
)
def test_a_text_that_stands_there_several_times(tmp_path: Path, script: str, text: str, ok: bool) -> None:
    (project(tmp_path) / "file").write_text("a a")
    assert results(played(tmp_path, f"turns: [[{{replace: {script}}}]]"))[0].ok is ok
    assert (project(tmp_path) / "file").read_text() == text if ok else "a a"


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ("interrupted", End("interrupted", "as the script says")),
        ("{reason: rate_limited, retry_after_s: 30, detail: later}", End("rate_limited", "later", None, 30)),
    ],
)
def test_a_turn_may_end_early(tmp_path: Path, end: str, expected: End) -> None:
    assert played(tmp_path, f"turns: [[{{end: {end}}}, {{say: never}}]]")[1:] == [expected]


def test_a_client_may_crash(tmp_path: Path) -> None:
    end = end_of(played(tmp_path, "turns: [[{crash: SIGKILL}, {say: never}]]"))
    assert (end.reason, end.detail) == ("crashed", "the client was ended by SIGKILL, as the script says")


def test_beyond_the_script(tmp_path: Path) -> None:
    assert played(tmp_path, "turns: []", iteration=2)[1:] == [Text("The script has no turn left."), End("completed")]


ANSWERS = """
repeat: true
turns:
  - - say: first
  - when: {contains: task-7}
    actions: [{say: seven}]
  - - say: second
  - when: {contains: [task-8, tests], lacks: refused}
    actions: [{say: eight}]
  - when: {contains: task-8, iteration: 9}
    actions: [{say: eight in nine}]
"""


@pytest.mark.parametrize(
    ("prompt", "iteration", "said"),
    [
        ("hello", 1, "first"),
        ("hello", 2, "second"),
        ("hello", 3, "second"),
        ("do task-7", 1, "seven"),
        ("do task-7", 50, "seven"),
        ("do task-8, with tests", 1, "eight"),
        ("do task-8, with tests; it was refused", 1, "first"),
        ("do task-8", 9, "eight in nine"),
        ("do task-7 and task-8 with tests", 9, "seven"),
    ],
)
def test_which_turn_is_played(tmp_path: Path, prompt: str, iteration: int, said: str) -> None:
    assert texts(played(tmp_path, ANSWERS, prompt=prompt, iteration=iteration)) == [said]


def test_sessions(tmp_path: Path) -> None:
    agent = scripted(tmp_path, "{name: me, turns: [], repeat: true}")
    sessions = [next(iter(agent.run(turn_in(tmp_path, session=each, iteration=4)))) for each in (None, "before")]
    assert [each.session for each in sessions if isinstance(each, Started)] == ["me-4", "before"]


def test_usage_is_that_of_the_whole_turn(tmp_path: Path) -> None:
    script = "turns: [[{usage: {input_tokens: 5}}, {usage: {input_tokens: 9, cost_usd: 0.5, context_tokens: 9}}]]"
    records = played(tmp_path, script)
    last = Usage(input_tokens=9, cost_usd=0.5, context_tokens=9)
    assert records[1:] == [Usage(input_tokens=5), last, End("completed", None, last)]


def test_a_turn_that_costs_too_much_ends(tmp_path: Path) -> None:
    script = "turns: [[{usage: {cost_usd: 2.5}}, {say: never}]]"
    end = end_of(played(tmp_path, script, limits=TurnLimits(cost_usd=2.0)))
    assert (end.reason, end.detail) == ("budget", "the turn cost 2.5 USD, and may cost 2")
    assert end.usage == Usage(cost_usd=2.5)


@pytest.mark.parametrize("action", ["wait_s: 60", "run: sleep 60"])
@pytest.mark.parametrize(
    ("limits", "reason"),
    [({"runtime_s": 0.2}, "timeout"), ({"stall_s": 0.2}, "stalled"), ({}, "interrupted")],
    ids=["out of time", "silent", "told to stop"],
)
def test_waiting_ends_early(tmp_path: Path, action: str, limits: Mapping[str, float], reason: str) -> None:
    project(tmp_path)
    time.sleep(0.02)
    turn = turn_in(tmp_path, limits=TurnLimits(**limits))  # type: ignore[arg-type]
    if not limits:
        threading.Timer(0.2, turn.stop.set).start()
    began = time.monotonic()
    records = play(scripted(tmp_path, f"turns: [[{{{action}}}, {{say: never}}]]"), turn)
    assert end_of(records).reason == reason
    assert texts(records) == []
    assert time.monotonic() - began < 40


def test_a_turn_that_was_told_to_stop_before_it_began(tmp_path: Path) -> None:
    turn = turn_in(tmp_path)
    turn.stop.set()
    assert end_of(play(scripted(tmp_path, "turns: [[{say: never}]]"), turn)).reason == "interrupted"


def refuse(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    raise ToolError("There is no task 9.")


TOOLS = (
    Tool(
        name="ralph_add",
        description="Adds.",
        schema={
            "type": "object",
            "properties": {"number": {"type": "integer"}},
            "required": ["number"],
            "additionalProperties": False,
        },
        call=lambda arguments: {"message": f"{arguments['number']} was added."},
    ),
    Tool(name="ralph_refuse", description="Refuses.", schema={"type": "object"}, call=refuse),
)


@pytest.mark.parametrize(
    ("call", "ok", "said"),
    [
        ("{name: ralph_add, arguments: {number: 3}}", True, "3 was added."),
        ("{name: mcp__ralph__ralph_add, arguments: {number: 3}}", True, "3 was added."),
        ("{name: ralph_add, arguments: {number: three}}", False, "ralph_add was not called: 'number' must be a whole"),
        ("{name: ralph_add, arguments: {number: 3, by: me}}", False, "'by' is no argument of it"),
        ("{name: ralph_add}", False, "'number' is missing"),
        ("{name: ralph_refuse}", False, "There is no task 9."),
        ("{name: ralph_none}", False, "There is no tool of this name here; there are: ralph_add, ralph_refuse."),
    ],
)
def test_ralphs_tools(tmp_path: Path, call: str, ok: bool, said: str) -> None:
    records = played(tmp_path, f"turns: [[{{tool: {call}}}]]", tools=TOOLS)
    assert calls(records)[0].tool.startswith("mcp__ralph__ralph_")
    assert results(records)[0].ok is ok
    assert said in results(records)[0].output


def test_events_are_handed_in(tmp_path: Path) -> None:
    token, seal = tokens.mint(1)
    whose = inbox.Turn(iteration=1, agent="script")
    variables = inbox.open_turn(tmp_path / "inbox", whose, Rules(hats=(), seal=seal), token)
    script = "turns: [[{emit: {topic: build.done, payload: 'tests: pass'}}]]"
    env = {**turn_in(tmp_path).env, **variables}
    records = played(tmp_path, script, env=env)
    assert results(records) == [ToolResult(True, "build.done was handed in", "1")]
    posted, _ = inbox.collect(tmp_path / "inbox", whose)
    assert [each.topic for each in posted if isinstance(each, Emission)] == ["build.done"]


def test_without_an_inbox_an_event_is_a_claim(tmp_path: Path) -> None:
    assert played(tmp_path, "turns: [[{emit: {topic: build.done}}]]")[1] == Claim("build.done", "")


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("turns: 3", "a list `turns`"),
        ("turns: [3]", "turn 1 must be a list"),
        ("turns: [[3]]", "action 1 must be a mapping"),
        ("turns: [[{fly: away}]]", "there is no action 'fly'"),
        ("turns: [[], [{say: a}, {write: {path: a}}]]", "turn 2, action 2, write: the key 'content' is missing."),
        ("turns: [[{write: {path: a, content: b, mode: c}}]]", "unknown key 'mode'"),
        ("turns: [[{write: {path: a, content: 3}}]]", "'content' must be text, but is 3"),
        ("turns: [[{write: a}]]", "write takes a mapping of path, content"),
        ("turns: [[{say: [1]}]]", "say takes text"),
        ("turns: [[{run: true}]]", "run takes text"),
        ("turns: [[{wait_s: soon}]]", "wait_s takes a number of seconds"),
        ("turns: [[{wait_s: -1}]]", "wait_s takes a number of seconds"),
        ("turns: [[{wait_s: .inf}]]", "wait_s takes a number of seconds"),
        ("turns: [[{end: well}]]", "'reason' must be"),
        ("turns: [[{end: {retry_after_s: 3}}]]", "the key 'reason' is missing"),
        ("turns: [[{crash: LOUDLY}]]", "the name of a signal"),
        ("turns: [[{usage: {tokens: 3}}]]", "unknown key 'tokens'"),
        ("turns: [[{tool: {arguments: {}}}]]", "the key 'name' is missing"),
        ("turns: [{when: {contains: a}}]", "`when` and a list `actions`"),
        ("turns: [{when: a, actions: []}]", "when must be a mapping"),
        ("turns: [{when: {contains: 3}, actions: []}]", "'contains' must be a list"),
        ("turns: [{when: {holds: a}, actions: []}]", "unknown key 'holds'"),
        ("turns: []\nrepeats: true", "unknown key 'repeats'"),
        ("turns: []\nrepeat: 3", "`repeat` true or false"),
        ("turns: []\nname: [a]", "`name` must be text"),
        ("turns: [", "line"),
        ("turns: [[{say: a, say: b}]]", "'say' stands twice"),
        ("- a", "a list `turns`"),
    ],
)
def test_bad_scripts(tmp_path: Path, script: str, message: str) -> None:
    with pytest.raises(ConfigError, match=r"script\.yaml") as caught:
        scripted(tmp_path, script)
    assert message in str(caught.value)
    assert str(caught.value).count("\n") == 0
