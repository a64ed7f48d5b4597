"""The inbox of a turn: what an agent posts arrives whole, once and as its own, whoever else writes into the folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ralph.errors import StorageError, UsageError
from ralph.events import inbox
from ralph.events.door import Admitted, Emission, Refused, admit
from ralph.events.inbox import Unreadable, card, close_turn, collect, open_turn, post
from tests.events.situation import BUILD, TOKEN, TURN, rules

TOPIC = "build.blocked"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    open_turn(tmp_path / "inbox", TURN, rules(), TOKEN)
    return tmp_path / "inbox"


def posted(folder: Path) -> Path:
    return folder / "posted.jsonl"


def payloads(folder: Path, offset: int = 0) -> list[str]:
    return [each.payload if isinstance(each, Emission) else "?" for each in collect(folder, TURN, offset)[0]]


def test_a_post_arrives_as_the_turns_own(folder: Path) -> None:
    post(folder, TOPIC, "a\r\nü\x00\udcff", TOKEN)
    (found,), _ = collect(folder, TURN)
    assert found == TURN.emission(TOPIC, "a\r\nü\x00\udcff", TOKEN)


def test_a_post_says_which_tool_it_came_by(folder: Path) -> None:
    post(folder, TOPIC, "a", TOKEN, "ralph_mark_task_blocked")
    post(folder, TOPIC, "b", TOKEN)
    assert [each.tool for each in collect(folder, TURN)[0] if isinstance(each, Emission)] == [
        "ralph_mark_task_blocked",
        None,
    ]
    assert b"tool" not in posted(folder).read_bytes().splitlines()[1]


def test_the_card_tells_the_agent_what_ralph_will_make_of_it(folder: Path) -> None:
    _, read = card({"RALPH_RUN": str(folder)})
    assert read.turn == TURN
    for topic, payload in ((TOPIC, "x"), ("build.done", BUILD), ("build.done", "x"), ("human.x", ""), ("a.b", "")):
        mine, ralphs = (admit(TURN.emission(topic, payload, TOKEN), each) for each in (read.rules, rules()))
        assert mine == ralphs


def test_the_folder_is_the_users_alone_and_does_not_hold_the_token(folder: Path) -> None:
    assert folder.stat().st_mode & 0o777 == 0o700
    assert TOKEN.encode() not in b"".join(each.read_bytes() for each in folder.iterdir())


def test_a_reader_goes_on_where_it_was(folder: Path) -> None:
    post(folder, TOPIC, "1", TOKEN)
    _, offset = collect(folder, TURN)
    assert collect(folder, TURN, offset) == ((), offset)
    post(folder, TOPIC, "2", TOKEN)
    assert payloads(folder, offset) == ["2"]


def test_a_torn_line_waits_and_spoils_no_other(folder: Path) -> None:
    post(folder, TOPIC, "1", TOKEN)
    whole = posted(folder).read_bytes()
    for cut in range(len(whole)):
        posted(folder).write_bytes(whole[:cut])
        assert collect(folder, TURN) == ((), 0)
    post(folder, TOPIC, "2", TOKEN)  # behind a line that a writer left torn
    post(folder, TOPIC, "3", TOKEN)
    assert payloads(folder) == ["1", "2", "3"]  # only its line end was missing
    posted(folder).write_bytes(whole[:20])
    post(folder, TOPIC, "4", TOKEN)
    assert payloads(folder) == ["?", "4"]


def test_line_ends_of_another_system_shift_nothing(folder: Path) -> None:
    line = json.dumps({"topic": TOPIC, "payload": "x", "token": TOKEN}).encode()
    posted(folder).write_bytes((line + b"\r\n") * 5)
    first, offset = collect(folder, TURN)
    assert len(first) == 5
    post(folder, TOPIC, "6", TOKEN)
    assert payloads(folder, offset) == ["6"]
    assert payloads(folder) == ["x"] * 5 + ["6"]


@pytest.mark.parametrize(
    "line",
    [
        b"x",
        b"[]",
        b'{"topic":"a"}',
        b'{"topic":"a","payload":{"tests":"pass"},"token":"t"}',
        b'{"topic":"a","payload":"b","token":"t","origin":"human"}',
        b'{"topic":"a","payload":"b","token":"t","hat":"handler"}',
        b'{"topic":"a","topic":"b","payload":"b","token":"t"}',
        b'{"topic":NaN,"payload":"b","token":"t"}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
    ids=lambda line: repr(line[:40]),
)
def test_a_line_that_is_no_emission_is_reported_not_guessed_at(folder: Path, line: bytes) -> None:
    posted(folder).write_bytes(line + b"\n")
    post(folder, TOPIC, "1", TOKEN)
    (bad, good), _ = collect(folder, TURN)
    assert isinstance(bad, Unreadable)
    assert bad.reason
    assert len(bad.beginning) <= 100
    assert isinstance(good, Emission)


def test_nothing_in_the_folder_is_trusted(folder: Path) -> None:
    """An agent that rewrites its card misleads itself alone: hat, token and gates are Ralph's when it counts."""
    card_file = folder / "turn.json"
    forged = json.loads(card_file.read_text())
    forged |= {"gates": [], "evidence": "claimed", "seal_digest": "0" * 64}
    forged["turn"]["hat"] = "handler"
    card_file.write_text(json.dumps(forged))
    for topic, payload, token in (("build.done", "", TOKEN), ("LOOP_COMPLETE", "", TOKEN), ("build.done", BUILD, "x")):
        post(folder, topic, payload, token)
    rewritten, foreign, unknown = (admit(each, rules()) for each in collect(folder, TURN)[0])  # type: ignore[arg-type]
    assert isinstance(rewritten, Admitted)
    assert (rewritten.event.topic, rewritten.event.hat) == ("build.blocked", "builder")
    assert isinstance(foreign, Refused)
    assert isinstance(unknown, Refused)
    assert (foreign.objection, unknown.objection) == ("scope", "token")


def test_lines_that_vanish_are_noticed(folder: Path) -> None:
    post(folder, TOPIC, "1", TOKEN)
    _, offset = collect(folder, TURN)
    posted(folder).write_bytes(b"")
    with pytest.raises(StorageError, match="lost lines"):
        collect(folder, TURN, offset)


def _link(path: Path) -> None:
    path.symlink_to("/etc/passwd")


def _huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(inbox.LARGEST_INBOX + 1)


@pytest.mark.parametrize("put", [_link, os.mkfifo, Path.mkdir, _huge], ids=["a link", "a pipe", "a folder", "too much"])
def test_what_is_no_inbox_is_an_error_and_never_waited_for(folder: Path, put) -> None:  # type: ignore[no-untyped-def]
    posted(folder).unlink()
    put(posted(folder))
    with pytest.raises(StorageError):
        collect(folder, TURN)


def test_a_removed_inbox_is_an_error(folder: Path) -> None:
    posted(folder).unlink()
    with pytest.raises(StorageError):
        collect(folder, TURN)
    with pytest.raises(StorageError):
        post(folder, TOPIC, "1", TOKEN)


@pytest.mark.parametrize("text", [None, "", "x", "[]", "{}", '{"turn": {}}'])
def test_outside_a_turn(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "turn.json").write_text(text)
    for environ in ({}, {"RALPH_RUN": ""}, {"RALPH_RUN": str(tmp_path)}):
        with pytest.raises(UsageError, match="from within a turn"):
            card(environ)


POSTER = """
import sys
from pathlib import Path
from ralph.events.inbox import post

for number in range(int(sys.argv[4])):
    post(Path(sys.argv[1]), "build.blocked", f"{sys.argv[2]} {number} " + "x" * 500, sys.argv[3])
    print(number, flush=True)
"""


def poster(folder: Path, name: str, total: int) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-c", POSTER, str(folder), name, TOKEN, str(total)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)


def test_eight_processes_post_at_once(folder: Path) -> None:
    posters = [poster(folder, f"p{number}", 20) for number in range(8)]
    for each in posters:
        each.communicate()
        assert each.returncode == 0
    found = [payload.split()[:2] for payload in payloads(folder)]
    assert sorted(found) == sorted([f"p{one}", str(number)] for one in range(8) for number in range(20))


def test_a_poster_that_is_killed_loses_nothing_that_it_acknowledged(folder: Path) -> None:
    process = poster(folder, "p", 10**9)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(0.1)
    os.kill(process.pid, signal.SIGKILL)
    acknowledged = int(process.stdout.read().splitlines()[-1])
    process.wait()
    process.stdout.close()
    post(folder, TOPIC, "after", TOKEN)
    found = [payload for payload in payloads(folder) if payload != "?"]
    assert [each.split()[1] for each in found[: acknowledged + 1]] == [str(n) for n in range(acknowledged + 1)]
    assert found[-1] == "after"


@pytest.mark.parametrize("step", ["touch", "rename"])
def test_an_inbox_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """Whoever is killed while one is made leaves none: an empty one would look as if the agent had emptied it."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, step, full)
    with pytest.raises(StorageError, match="cannot be made"):
        open_turn(tmp_path / "inbox", TURN, rules(), TOKEN)
    assert not (tmp_path / "inbox").exists()
    close_turn(tmp_path / "inbox")
    assert list(tmp_path.iterdir()) == [], "what was half made goes with the turn"
