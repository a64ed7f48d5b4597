"""What agents ask Ralph to remember: notes for the next prompts, and learnings for good (spec: core concepts).

Rules:

- A note (`ralph_update_memory`) is written at once, under the lock of the memories, into a file of its own that no
  capture writes: nothing that anybody saves later takes it away. `replace` begins anew, and so, in part, does a file
  that has grown to more than any prompt could show; what stood there is in the archive then.
- A learning (`ralph_append_learning`) is one line of `.ralph/progress.txt`, `[YYYY-MM-DD HH:MM:SS] CATEGORY: text` in
  UTC. The file only grows, by whole lines, whoever writes.
- The text is the agent's. It is kept as it is; what is shown of it goes through `wording`.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, get_args

from ralph.errors import UsageError
from ralph.loop.memory import folder as folders
from ralph.loop.memory.appending import append_line
from ralph.loop.memory.folder import MemoryFolder
from ralph.loop.memory.wording import one_line
from ralph.system import files

LONGEST_NOTE = 10_000
LONGEST_LEARNING = 2_000
NOTES_KEPT = 20_000
"""When there are more characters of notes, the older half goes: all of them are in the archive then."""

PROGRESS = Path(".ralph", "progress.txt")
Mode = Literal["append", "replace"]
Category = Literal["PATTERN", "ANTIPATTERN", "ARCHITECTURE", "DEBUGGING", "BUILD"]
CATEGORIES: tuple[Category, ...] = get_args(Category)


def remember(root: Path, content: str, mode: str = "append", *, now: datetime) -> int:
    """Keep a note; how many characters of notes there are now. Raises UsageError, StorageError."""
    if mode not in get_args(Mode):
        raise UsageError(f"The mode must be append or replace, but is {one_line(mode, 40)!r}.")
    if not content.strip():
        raise UsageError("The note is empty: write what is to be remembered.")
    if len(content) > LONGEST_NOTE:
        raise UsageError(f"The note has {len(content):,} characters, and {LONGEST_NOTE:,} are the most: shorten it.")
    memory = MemoryFolder(root)
    with memory.lock():
        before = remembered(root)
        note = f"{content.strip()}\n"
        text = f"{before.rstrip()}\n\n{note}" if before.strip() and mode == "append" else note
        if before and (mode == "replace" or len(text) > NOTES_KEPT):
            folders.copied(memory, memory.notes, now=now)
            text = text if len(text) <= NOTES_KEPT else _newest(text, max(NOTES_KEPT // 2, len(note)))
        files.atomic_write(memory.notes, text.encode("utf-8", "backslashreplace"))
    return len(text)


def remembered(root: Path) -> str:
    """The notes; empty if there are none. Raises StorageError if they cannot be read."""
    with suppress(FileNotFoundError):
        return files.read_bytes(MemoryFolder(root).notes).decode("utf-8", "backslashreplace")
    return ""


def _newest(text: str, characters: int) -> str:
    """The end of a text, from the beginning of a line."""
    kept = text[-characters:]
    return (kept if text[-characters - 1] == "\n" else kept[kept.find("\n") + 1 :]).lstrip("\n")


def learn(root: Path, learning: str, category: str = "PATTERN", *, now: datetime) -> str:
    """Append a learning; its line. Raises UsageError, StorageError."""
    kind = category.strip().upper()
    if kind not in CATEGORIES:
        known = ", ".join(CATEGORIES)
        raise UsageError(f"The category must be one of {known}, but is {one_line(category, 40)!r}.")
    if not learning.strip():
        raise UsageError("The learning is empty: write what was learned.")
    if len(learning) > LONGEST_LEARNING:
        raise UsageError(
            f"The learning has {len(learning):,} characters, and {LONGEST_LEARNING:,} are the most: shorten it."
        )
    text = one_line(learning, 10 * LONGEST_LEARNING)  # written out it may be longer than it was
    line = f"[{now.astimezone(UTC):%Y-%m-%d %H:%M:%S}] {kind}: {text}"
    append_line(root / PROGRESS, line.encode("utf-8", "backslashreplace"))
    return line


def learnings(root: Path, characters: int = 2_000) -> tuple[str, ...]:
    """The newest lines of `progress.txt`, oldest first, of so many characters together; safe to show. A line that a
    crash has torn is a line. Raises StorageError if it cannot be read."""
    try:
        text = files.read_bytes(root / PROGRESS).decode("utf-8", "backslashreplace")
    except FileNotFoundError:
        return ()
    kept: list[str] = []
    for line in reversed([one_line(each, characters) for each in text.split("\n") if each.strip()]):
        characters -= len(line) + 1
        if characters < 0:
            break
        kept.append(line)
    return tuple(reversed(kept))
