"""Memories do not grow without end, and what is moved away keeps its name and its time."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest

from ralph.loop.memory import folder as folders
from ralph.loop.memory.capture import capture_iteration
from ralph.loop.memory.facts import IterationFacts
from ralph.loop.memory.folder import MemoryFolder
from ralph.loop.memory.rotation import rotate
from tests.loop.memory.samples import NOW, iteration


def filled(root: Path, count: int) -> MemoryFolder:
    for number in range(1, count + 1):
        capture_iteration(root, iteration(number), now=NOW)
    return MemoryFolder(root)


def test_the_five_oldest_of_twenty_five_iterations_are_archived(tmp_path: Path) -> None:
    memory = filled(tmp_path, 25)
    done = rotate(tmp_path, now=NOW)
    assert done.archived == tuple(f"iter-{number:03d}.md" for number in range(1, 6))
    assert folders.listed(memory.iterations) == [f"iter-{number:03d}.md" for number in range(6, 26)]
    assert folders.listed(memory.archive) == list(done.archived)
    assert folders.read(memory.archive / "iter-001.md", IterationFacts) == iteration(1)


@pytest.mark.parametrize("count", [0, 1, 20])
def test_under_the_limit_nothing_happens(tmp_path: Path, count: int) -> None:
    filled(tmp_path, count)
    assert rotate(tmp_path, now=NOW).archived == ()


def test_rotating_again_changes_nothing(tmp_path: Path) -> None:
    filled(tmp_path, 25)
    rotate(tmp_path, now=NOW)
    assert rotate(tmp_path, now=NOW).archived == ()


@pytest.mark.parametrize(("days", "stays"), [(29, True), (30, True), (31, False)])
def test_the_archive_is_emptied_by_the_age_of_archiving(tmp_path: Path, days: int, stays: bool) -> None:
    """Not by the age of what is in it: what was captured long ago and archived today stays for 30 days."""
    memory = filled(tmp_path, 21)
    long_ago = (NOW - timedelta(days=400)).timestamp()
    os.utime(memory.iterations / "iter-001.md", (long_ago, long_ago))
    rotate(tmp_path, now=NOW)
    assert folders.listed(memory.archive) == ["iter-001.md"]
    done = rotate(tmp_path, now=NOW + timedelta(days=days))
    assert done.deleted == (() if stays else ("iter-001.md",))
    assert folders.listed(memory.archive) == (["iter-001.md"] if stays else [])


def test_a_name_that_is_taken_in_the_archive_loses_nothing(tmp_path: Path) -> None:
    memory = filled(tmp_path, 21)
    memory.archive.mkdir()
    (memory.archive / "iter-001.md").write_text("of an earlier time")
    rotate(tmp_path, now=NOW)
    assert folders.listed(memory.archive) == ["iter-001.2.md", "iter-001.md"]
    assert (memory.archive / "iter-001.md").read_text() == "of an earlier time"


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    memory = filled(tmp_path, 20)
    for name in ("notes.md", "iter-.md", "iter-1.txt", "iter-٣.md"):
        (memory.iterations / name).write_text("mine")
    memory.archive.mkdir()
    (memory.archive / "keep.txt").write_text("mine")
    rotate(tmp_path, now=NOW + timedelta(days=400))
    assert len(folders.listed(memory.iterations)) == 24
    assert folders.listed(memory.archive) == ["keep.txt"]


def test_what_a_killed_writer_left_half_written_goes(tmp_path: Path) -> None:
    memory = filled(tmp_path, 1)
    (memory.iterations / ".iter-002.md.0a1b2c3d.tmp").write_text("hal")
    rotate(tmp_path, now=NOW)
    assert folders.listed(memory.iterations) == ["iter-001.md"]


def test_without_memories_nothing_is_made(tmp_path: Path) -> None:
    rotate(tmp_path, now=NOW)
    assert list(tmp_path.iterdir()) == []
