"""What the page of a run shows of its agent: the newest turn, its end alone, and only what is a record."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from ralph.agents.base import Claim, Decided, End, Record, Started, Text, ToolCall, ToolResult, Usage
from ralph.agents.recording import TRANSCRIPT
from ralph.errors import UsageError
from ralph.web.data.turn import MOST, TAIL, newest, seen, transcript
from tests.web.sites import said

SHOWN: list[tuple[Record, tuple[str, str, str] | None]] = [
    (Started(agent="claude", model="m-1"), ("began", "claude m-1", "")),
    (Text("Hello.\n\nI look.\n"), ("says", "Hello.\n\nI look.", "")),
    (ToolCall("run", "make\ntest", "1", {"a": 1}), ("does", "run make test", "")),
    (Decided(id="1", tool="run", outcome="allow", reason="it may"), None),
    (Decided(id="1", tool="run", outcome="deny", reason="no"), ("refused", "run: no", "bad")),
    (ToolResult(ok=True, output=""), ("got", "", "")),
    (ToolResult(ok=False, output="exit 1"), ("got an error", "exit 1", "bad")),
    (Claim("build.done", "all is well"), ("claims", "build.done all is well", "")),
    (Usage(input_tokens=5), None),
    (End("completed", "fine"), ("ended", "completed", "")),
    (End("crashed", "signal 9"), ("ended", "crashed: signal 9", "bad")),
]


@pytest.mark.parametrize(("record", "expected"), SHOWN)
def test_each_record_in_words(record: Record, expected: tuple[str, str, str] | None, tmp_path: Path) -> None:
    said(tmp_path / "turns" / "1-1", record)
    found = [(each.kind, str(each.text), each.tone) for each in newest(seen(tmp_path)).said]
    assert found == ([expected] if expected else [])


def words(run: Path) -> list[str]:
    return [str(each.text) for each in newest(seen(run)).said]


def test_the_newest_turn(tmp_path: Path) -> None:
    assert (seen(tmp_path), newest(None).name) == (None, "")
    for age, name in enumerate(["10-2", "10h-1", "10-1", "9-1", "2-1"]):
        said(tmp_path / "turns" / name, Text(name))
        os.utime(tmp_path / "turns" / name / TRANSCRIPT, (1000 - age, 1000 - age))
    assert words(tmp_path) == ["10-2"]
    os.utime(tmp_path / "turns" / "10h-1" / TRANSCRIPT, (2000, 2000))
    assert words(tmp_path) == ["10h-1"], "the summary for the next session is a turn as well"
    (tmp_path / "turns" / "11-1").mkdir()
    assert words(tmp_path) == ["10h-1"], "a turn that has not begun to be written"


def torn(path: Path) -> None:
    with path.open("a") as file:
        file.write('{"record": "Text", "text": "half of')


def foreign(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b'{"record": "Who", "text": "x"}\n[1]\n\xff\xfe\n{"record": "Text"}\n\n')


@pytest.mark.parametrize("damage", [torn, foreign])
def test_what_is_no_record_is_passed_over(damage: Callable[[Path], None], tmp_path: Path) -> None:
    said(tmp_path / "turns" / "1-1", Text("before"))
    damage(tmp_path / "turns" / "1-1" / TRANSCRIPT)
    assert words(tmp_path) == ["before"]


def test_a_turn_that_is_played_again_begins_anew(tmp_path: Path) -> None:
    said(tmp_path / "turns" / "1-1", *[Text("cut off")] * (MOST + 1))
    with (tmp_path / "turns" / "1-1" / TRANSCRIPT).open("a") as file:
        file.write(json.dumps({"turn": {"agent": "x"}}) + "\n")
    said(tmp_path / "turns" / "1-1", Text("again"))
    found = newest(seen(tmp_path))
    assert ([str(each.text) for each in found.said], found.earlier) == (["again"], False)


def test_only_the_end_of_a_long_turn_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    pread = os.pread

    def counted(descriptor: int, size: int, offset: int) -> bytes:
        data = pread(descriptor, size, offset)
        read.append(len(data))
        return data

    monkeypatch.setattr(os, "pread", counted)
    said(tmp_path / "turns" / "1-1", *(Text(f"{number} " + "x" * 9000) for number in range(200)))
    found = newest(seen(tmp_path))
    assert read == [TAIL]
    assert (found.earlier, len(found.said) <= MOST, str(found.said[-1].text).startswith("199 ")) == (True, True, True)
    assert all(len(each.text.text) < 1000 for each in found.said)
    said(tmp_path / "turns" / "2-1", *(Text(str(number)) for number in range(MOST + 5)))
    found = newest(seen(tmp_path))
    assert ([str(found.said[0].text), len(found.said), found.earlier]) == ["5", MOST, True]
    said(tmp_path / "turns" / "3-1", Text("x" * 2 * TAIL))
    assert (newest(seen(tmp_path)).said, newest(seen(tmp_path)).earlier) == ((), True)


def test_the_whole_turn(tmp_path: Path) -> None:
    said(tmp_path / "turns" / "1-1", Text("y" * 5000), ToolCall("run", "ls"), Usage())
    shown = transcript(tmp_path, "1-1")
    assert (shown.text, shown.cut) == (f"says: {'y' * 5000}\ndoes: run ls", "")
    for name in ("2-1", "..", "1-1/..", ""):
        with pytest.raises(UsageError, match="no such turn"):
            transcript(tmp_path, name)


def test_a_link_is_no_transcript(tmp_path: Path) -> None:
    """Agents may not write there; a page is not the place to rely on that."""
    said(tmp_path / "elsewhere", Text("a secret"))
    (tmp_path / "turns" / "1-1").mkdir(parents=True)
    (tmp_path / "turns" / "1-1" / TRANSCRIPT).symlink_to(tmp_path / "elsewhere" / TRANSCRIPT)
    assert seen(tmp_path) is None
