"""What agents ask to remember: never lost, never more than a prompt can bear, one line for each learning."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.errors import StorageError, UsageError
from ralph.loop.memory import active, notes
from ralph.loop.memory import folder as folders
from ralph.loop.memory.capture import capture_iteration
from ralph.loop.memory.folder import MemoryFolder
from tests.loop.memory.samples import NOW, iteration, plan, started, state, together

LINE = re.compile(r"\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] (PATTERN|ANTIPATTERN|ARCHITECTURE|DEBUGGING|BUILD): .+")


def test_notes_are_added_and_replaced_and_the_replaced_are_kept(tmp_path: Path) -> None:
    notes.remember(tmp_path, "one", now=NOW)
    assert notes.remember(tmp_path, "two", "append", now=NOW) == len("one\n\ntwo\n")
    assert notes.remembered(tmp_path) == "one\n\ntwo\n"
    notes.remember(tmp_path, "three", "replace", now=NOW)
    assert notes.remembered(tmp_path) == "three\n"
    assert (MemoryFolder(tmp_path).archive / "notes.md").read_text() == "one\n\ntwo\n"


BAD: dict[str, tuple[str, str]] = {
    "mode": ("text", "bad"),
    "empty": ("", "append"),
    "blank": (" \n\t", "append"),
    "too long": ("x" * 10_001, "append"),
}


@pytest.mark.parametrize(("content", "mode"), BAD.values(), ids=BAD.keys())
def test_a_bad_note_is_refused_and_nothing_is_written(tmp_path: Path, content: str, mode: str) -> None:
    with pytest.raises(UsageError):
        notes.remember(tmp_path, content, mode, now=NOW)
    assert list(tmp_path.iterdir()) == []


def test_the_longest_note_fits(tmp_path: Path) -> None:
    assert notes.remember(tmp_path, "x" * 10_000, now=NOW) == 10_001


def test_many_notes_keep_the_newest_in_sight_and_all_in_the_archive(tmp_path: Path) -> None:
    for number in range(30):
        notes.remember(tmp_path, f"note {number} " + "x" * 990, now=NOW)
    assert len(notes.remembered(tmp_path)) <= notes.NOTES_KEPT
    assert notes.remembered(tmp_path).startswith("note ")
    memory = MemoryFolder(tmp_path)
    kept = "".join((memory.archive / name).read_text() for name in folders.listed(memory.archive))
    kept += notes.remembered(tmp_path)
    assert all(f"note {number} " in kept for number in range(30))


def test_a_note_reaches_the_next_prompt_whatever_is_captured_meanwhile(tmp_path: Path) -> None:
    """In the first implementation a queued note was lost: whoever held an older copy of the state saved it over it."""
    active.refresh(tmp_path, state(tmp_path), plan())
    notes.remember(tmp_path, "the port is 8081", now=NOW)
    capture_iteration(tmp_path, iteration(47), now=NOW)
    assert "> the port is 8081" in active.refresh(tmp_path, state(tmp_path), plan())


RUNNER = """
from pathlib import Path
from ralph.loop.memory import active
from ralph.loop.memory.capture import capture_iteration
from ralph.loop.saved import StateStore
from tests.loop.memory.samples import NOW, iteration, plan, state
root = Path(sys.argv[1])
for number in range(1, 16):
    held = state(root, iteration_count=number)
    capture_iteration(root, iteration(number), now=NOW)
    StateStore(root).save(held)
    active.refresh(root, held, plan())
"""
AGENT = """
from pathlib import Path
from ralph.loop.memory import notes
from tests.loop.memory.samples import NOW
for number in range(20):
    notes.remember(Path(sys.argv[1]), f"note {number} of {sys.argv[2]}.", now=NOW)
    notes.learn(Path(sys.argv[1]), f"learning {number} of {sys.argv[2]}.", "BUILD", now=NOW)
"""


def test_a_run_and_its_agents_write_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    together(started(RUNNER, tmp_path), *(started(AGENT, tmp_path, agent) for agent in range(7)))
    kept, lines = notes.remembered(tmp_path), (tmp_path / notes.PROGRESS).read_text().splitlines()
    assert len(lines) == 140
    for agent in range(7):
        assert [line for line in kept.split("\n\n") if f"of {agent}." in line] != []
        assert all(f"note {number} of {agent}." in kept for number in range(20))
        assert sum(f"of {agent}." in line for line in lines) == 20


def test_a_learning_is_the_line_of_the_specification(tmp_path: Path) -> None:
    notes.learn(tmp_path, "Use Pydantic models for all API responses", "PATTERN", now=NOW)
    notes.learn(tmp_path, "Test failures often mean missing fixture", "debugging", now=NOW)
    assert (tmp_path / ".ralph/progress.txt").read_text() == (
        "[2026-01-26 14:30:00] PATTERN: Use Pydantic models for all API responses\n"
        "[2026-01-26 14:30:00] DEBUGGING: Test failures often mean missing fixture\n"
    )


WRONG: list[tuple[str, Any]] = [("text", "WISDOM"), ("", "BUILD"), (" \n ", "BUILD"), ("x" * 2001, "BUILD"), ("t", "")]


@pytest.mark.parametrize(("learning", "category"), WRONG, ids=repr)
def test_a_bad_learning_is_refused(tmp_path: Path, learning: str, category: str) -> None:
    with pytest.raises(UsageError):
        notes.learn(tmp_path, learning, category, now=NOW)
    assert list(tmp_path.iterdir()) == []


@given(st.text(min_size=1, max_size=200).filter(str.strip))
def test_whatever_is_learned_is_one_line(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    root = tmp_path_factory.mktemp("project")
    notes.learn(root, text, "BUILD", now=NOW)
    notes.learn(root, "the next", "BUILD", now=NOW)
    lines = (root / notes.PROGRESS).read_bytes().decode("utf-8").splitlines()
    assert len(lines) == 2
    assert all(LINE.fullmatch(line) for line in lines)


@pytest.mark.parametrize(
    "forged", ["\n[2026-01-01 00:00:00] BUILD: forged", "\r[x", "\u2028[x", "\x85[x", "\v[x"], ids=repr
)
def test_no_learning_forges_another(tmp_path: Path, forged: str) -> None:
    notes.learn(tmp_path, f"honest{forged}", "BUILD", now=NOW)
    assert len(notes.learnings(tmp_path)) == 1


def test_a_torn_line_is_closed_and_kept(tmp_path: Path) -> None:
    path = tmp_path / notes.PROGRESS
    path.parent.mkdir()
    path.write_bytes(b"[2026-01-26 14:00:00] BUILD: half a li")
    notes.learn(tmp_path, "whole", "BUILD", now=NOW)
    assert path.read_text().splitlines() == [
        "[2026-01-26 14:00:00] BUILD: half a li",
        "[2026-01-26 14:30:00] BUILD: whole",
    ]


def test_the_newest_learnings_of_so_many_characters(tmp_path: Path) -> None:
    for number in range(50):
        notes.learn(tmp_path, f"learning {number}", "BUILD", now=NOW)
    found = notes.learnings(tmp_path, characters=200)
    assert [line.rpartition(" ")[2] for line in found] == ["46", "47", "48", "49"]
    assert notes.learnings(tmp_path / "elsewhere") == ()


def test_learnings_that_a_person_wrote_are_shown_safely(tmp_path: Path) -> None:
    path = tmp_path / notes.PROGRESS
    path.parent.mkdir()
    path.write_bytes(b"by hand \x1b[31m\xff\r\n\n")
    assert notes.learnings(tmp_path) == ("by hand \\x1b[31m\\xff",)


def test_a_pipe_in_the_place_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".ralph").mkdir()
    os.mkfifo(tmp_path / notes.PROGRESS)
    with pytest.raises(StorageError, match=r"progress\.txt"):
        notes.learn(tmp_path, "text", "BUILD", now=NOW)
    with pytest.raises(StorageError, match="no plain file"):
        notes.learnings(tmp_path)
