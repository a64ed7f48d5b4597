"""Any program as an agent, in the sandbox."""

from __future__ import annotations

import os
import shutil
import socket
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from ralph.agents.base import End, Record, Started, Text, TurnLimits, Usage
from ralph.agents.command import MOST_TEXT, CommandAgent
from ralph.events import inbox, tokens
from ralph.events.door import Emission, Rules
from ralph.permissions.capabilities import ALL, Capabilities
from ralph.permissions.sandbox.probe import enforced_level
from ralph.system.scratch import own_temporary
from tests.agents.playing import end_of, play, project, texts, turn_in
from tests.hook.workshop import governed, seat
from tests.processes import command_lines
from tests.system.commands import eventually, living, script


def told(place: Path, *argv: str, prompt: str = "do it", **changes: Any) -> list[Record]:
    """A turn of a program without a court."""
    return play(CommandAgent(name="mine", argv=argv), turn_in(place, prompt=prompt, **changes))


def shell(place: Path, line: str, **changes: Any) -> list[Record]:
    return told(place, "bash", "-c", line, **changes)


def test_a_turn(tmp_path: Path) -> None:
    records = shell(tmp_path, "cat; echo; pwd; echo done > made.txt")
    assert records == [
        Started(agent="mine", detail=f"sandbox: {enforced_level()}"),
        Text("do it"),
        Text(str(project(tmp_path))),
        End("completed"),
    ]
    assert (project(tmp_path) / "made.txt").read_text() == "done\n"


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("cat",), "do {prompt_file} & $(it)"),
        (("echo", "-n", "{prompt}"), "do {prompt_file} & $(it)"),
        (("echo", "--task={prompt}!"), "--task=do {prompt_file} & $(it)!"),
        (("cat", "{prompt_file}"), "do {prompt_file} & $(it)"),
        (("sh", "-c", "wc -c; cat $0", "{prompt_file}"), "0"),
    ],
    ids=["standard input", "an argument", "in an argument", "a file", "no standard input beside it"],
)
def test_how_the_prompt_gets_there(tmp_path: Path, argv: tuple[str, ...], said: str) -> None:
    assert texts(told(tmp_path, *argv, prompt="do {prompt_file} & $(it)"))[0] == said


@pytest.mark.parametrize("prompt", ["x" * 200_000, "a\0b"], ids=["too long", "NUL"])
def test_a_prompt_that_is_no_argument(tmp_path: Path, prompt: str) -> None:
    end = end_of(told(tmp_path, "echo", "{prompt}", prompt=prompt))
    assert (end.reason, end.detail) == ("error", "the prompt is no argument that echo could take: use {prompt_file}")
    assert texts(told(tmp_path, "sh", "-c", "wc -c", prompt=prompt)) == [str(len(prompt))]


@pytest.mark.parametrize(
    ("line", "reason", "detail"),
    [
        ("exit 0", "completed", None),
        ("exit 3", "error", "exit code 3"),
        ("echo 'no key' >&2; exit 3", "error", "exit code 3: no key"),
        ("no-such-program", "error", "no-such-program: command not found (exit 127)"),
        ("kill -9 $$", "crashed", "it was ended by SIGKILL (exit 137)"),
        ("kill -SEGV $$", "crashed", "it was ended by SIGSEGV (exit 139)"),
    ],
)
def test_how_it_ends(tmp_path: Path, line: str, reason: str, detail: str | None) -> None:
    end = end_of(shell(tmp_path, line))
    assert (end.reason, end.detail) == (reason, detail)


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    assert end_of(told(tmp_path, "/no/such/program")).reason == "error"


@pytest.mark.parametrize(
    ("limits", "reason"),
    [({"runtime_s": 3.0}, "timeout"), ({"stall_s": 3.0}, "stalled"), ({}, "interrupted")],
    ids=["out of time", "silent", "told to stop"],
)
def test_it_is_ended_early(tmp_path: Path, limits: dict[str, float], reason: str) -> None:
    work = project(tmp_path)
    line = f"{script(work, TOOL_SHELL)} & while ! [ -s pids ]; do sleep 0.02; done; sleep 120"
    turn = turn_in(tmp_path, limits=TurnLimits(**limits))  # type: ignore[arg-type]
    if not limits:
        threading.Timer(3.0, turn.stop.set).start()
    records = play(CommandAgent(name="mine", argv=("bash", "-c", line)), turn)
    assert end_of(records).reason == reason
    assert (work / "pids").exists()


TOOL_SHELL = "detach(); signal.signal(signal.SIGTERM, signal.SIG_IGN); note(); time.sleep(120)"


def test_a_closed_turn_leaves_nobody(tmp_path: Path) -> None:
    played = CommandAgent(name="mine", argv=("sh", "-c", "echo ready; exec sleep 987.6")).run(turn_in(tmp_path))
    assert next(record for record in played if isinstance(record, Text)) == Text("ready")
    assert eventually(lambda: bool(_sleeping()))
    played.close()  # type: ignore[attr-defined]
    assert _sleeping() == []


def _sleeping() -> list[int]:
    """Seen from outside of the sandbox, where processes have other numbers."""
    return living([number for number, line in command_lines() if line == b"sleep\0987.6\0"])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (r"printf '\033[31mred\033[0m\n'", ["red"]),
        (r"printf 'a\033]0;title\007b\rc\n'", [r"ab\x0dc"]),
        (r"printf '\0\377\n'", ["\\x00\ufffd"]),
        (r"printf 'a\r\n\n   \nb'", ["a", "b"]),
        ("head -c 70000 /dev/zero | tr '\\0' x", ["x" * 65536 + " [... 4464 bytes left out]"]),
    ],
    ids=["colours", "other control", "no text", "line ends", "a long line"],
)
def test_what_it_says_is_made_safe(tmp_path: Path, line: str, said: list[str]) -> None:
    assert texts(shell(tmp_path, line)) == said


def test_what_it_says_is_limited(tmp_path: Path) -> None:
    records = texts(shell(tmp_path, f"yes {'x' * 1000} | head -n 20000"))
    assert sum(map(len, records)) < MOST_TEXT + 5000
    assert records[-1] == f"[the rest of the output is left out: it is longer than {MOST_TEXT} characters]"


def test_usage_is_what_it_reports_if_it_may(tmp_path: Path) -> None:
    lines = [
        'RALPH-USAGE {"input_tokens": 100, "cost_usd": 0.5, "context_tokens": 90}',
        'RALPH-USAGE {"input_tokens": 10, "cost_usd": 0, "context_tokens": 20}',
        'RALPH-USAGE {"input_tokens": -5}',
        'RALPH-USAGE {"tokens": 5}',
        "RALPH-USAGE nothing",
    ]
    argv = ("printf", "%s\\n", *lines)
    silent = play(CommandAgent(name="mine", argv=argv), turn_in(tmp_path))
    assert (len(texts(silent)), end_of(silent).usage) == (5, None)
    spoken = play(CommandAgent(name="mine", argv=argv, reports_usage=True), turn_in(tmp_path))
    assert len(texts(spoken)) == 3
    assert end_of(spoken).usage == Usage(input_tokens=100, cost_usd=0.5, context_tokens=20)


def test_events_are_handed_in(tmp_path: Path) -> None:
    token, seal = tokens.mint(1)
    whose = inbox.Turn(iteration=1, agent="mine", hat="mine")
    rules = Rules(hats=(inbox.Role(id="mine", triggers=(), publishes=("some.event",)),), seal=seal)
    place = own_temporary() / f"inbox-{tmp_path.name}-{os.getpid()}"
    env = {**os.environ, **inbox.open_turn(place, whose, rules, token)}
    records = shell(tmp_path, f"{sys.executable} -EP -m ralph emit some.event 'a payload'", env=env)
    assert end_of(records).reason == "completed", records
    posted, _ = inbox.collect(place, whose)
    shutil.rmtree(place)
    assert [(each.topic, each.payload) for each in posted if isinstance(each, Emission)] == [
        ("some.event", "a payload")
    ]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = governed(tmp_path / "project", {"src/a.txt": "a\n", "tests/t.txt": "t\n"})
    (made / ".env").write_text("very-secret\n")
    return made


def governed_turn(root: Path, line: str, capabilities: Capabilities = ALL, **agent: Any) -> list[Record]:
    turn = turn_in(root.parent, workdir=root, env=dict(os.environ), court=seat(root, capabilities))
    return play(CommandAgent(name="mine", argv=("bash", "-c", line), **agent), turn)


@pytest.mark.parametrize(
    "attack",
    [
        "echo x > tests/t.txt",
        "echo x > ralph.policy.json",
        "rm tests/t.txt",
        "echo x > .git/hooks/pre-commit",
        "git commit -q --allow-empty -m x",
        "echo x > .ralph/runs/x",
        "mkdir -p state; echo x > state/progress.jsonl",
        "cat .env",
        'cat "$XDG_CONFIG_HOME"/ralph/keys/*',
        'ls "$HOME"/.ssh',
    ],
)
def test_the_policy_holds_for_all_that_it_does(root: Path, attack: str) -> None:
    (Path.home() / ".ssh").mkdir()
    records = governed_turn(root, f"echo y > src/a.txt; {attack} && echo succeeded")
    assert "succeeded" not in texts(records)
    assert "very-secret" not in "".join(texts(records))
    assert (root / "src/a.txt").read_text() == "y\n"
    assert (root / "tests/t.txt").read_text() == "t\n"


def test_a_phase_narrows_it(root: Path) -> None:
    records = governed_turn(root, "echo x > src/a.txt || echo refused", Capabilities(write=()))
    assert texts(records) == ["refused"]


def test_what_else_it_needs_can_be_named(root: Path) -> None:
    (Path.home() / ".mine").mkdir()
    (Path.home() / ".mine/settings").write_text("mine")
    line = 'cat "$HOME"/.mine/settings; echo x > "$HOME"/.mine/log || echo closed'
    assert texts(governed_turn(root, line)) == ["closed"]


@pytest.mark.parametrize(("access", "said"), [("readable", ["mine", "closed"]), ("writable", ["mine"])])
def test_its_own_folder(root: Path, access: str, said: list[str]) -> None:
    own: dict[str, Any] = {access: (Path("~/.mine"),)}
    (Path.home() / ".mine").mkdir()
    (Path.home() / ".mine/settings").write_text("mine\n")
    line = 'cat "$HOME"/.mine/settings; echo x > "$HOME"/.mine/log || echo closed'
    assert texts(governed_turn(root, line, **own)) == said


@pytest.mark.parametrize("network", [True, False])
def test_its_model_is_reached_only_if_its_configuration_says_so(root: Path, network: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        line = f"exec 3<>/dev/tcp/127.0.0.1/{server.getsockname()[1]} && echo connected"
        assert texts(governed_turn(root, line, network=network)) == (["connected"] if network else [])
