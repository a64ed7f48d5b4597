"""What a guardrail sees: a change between two trees, and the hits that detectors find in it.

Pure data. Contents are read through `Blobs`, so that a change of 200,000 lines costs nothing until a
detector asks for a file. Paths are text with undecodable bytes kept as surrogates (`os.fsdecode`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import Literal, Protocol

from ralph.record import record

MODE_GITLINK = "160000"
MODE_SYMLINK = "120000"


NEAR = 20
"""So many lines above a change and below it are what it may be about."""


@record
class Hunk:
    """One run of changed lines. Lines are bytes without their LF, as git cut them (on LF only)."""

    old_start: int
    removed: tuple[bytes, ...]
    new_start: int
    added: tuple[bytes, ...]


@record(kw_only=True, slots=False)
class FileChange:
    """One path that differs between base and head. A rename is a deletion and an addition.

    `status` is git's: A added, M modified, D deleted, T type changed (file, symlink, gitlink).
    Modes and blob ids are git's (`000000` and zeros where the side is absent). A binary file has no hunks.
    """

    path: str
    status: Literal["A", "M", "D", "T"]
    old_mode: str
    new_mode: str
    old_blob: str
    new_blob: str
    binary: bool = False
    hunks: tuple[Hunk, ...] = ()

    def added(self) -> Iterator[tuple[int, bytes]]:
        """The added lines with their numbers in the head."""
        for hunk in self.hunks:
            yield from enumerate(hunk.added, start=hunk.new_start)

    def removed(self) -> Iterator[bytes]:
        """The lines of the base that are gone."""
        return chain.from_iterable(hunk.removed for hunk in self.hunks)

    @cached_property
    def added_numbers(self) -> frozenset[int]:
        """The numbers of the added lines in the head, which many rules ask for."""
        ranges = (range(hunk.new_start, hunk.new_start + len(hunk.added)) for hunk in self.hunks)
        return frozenset(chain.from_iterable(ranges))

    def rewritten(self) -> Iterator[tuple[int, str, str]]:
        """The lines that stand in the place of as many others: their numbers in the head, what was, and what is."""
        for hunk in self.hunks:
            if len(hunk.removed) == len(hunk.added):
                for number, (was, now) in enumerate(zip(hunk.removed, hunk.added, strict=True), start=hunk.new_start):
                    yield number, was.decode("utf-8", "replace"), now.decode("utf-8", "replace")

    @cached_property
    def added_text(self) -> bytes:
        """The added lines as one text, which is asked about faster than each of them."""
        return b"\n".join(chain.from_iterable(hunk.added for hunk in self.hunks))

    @cached_property
    def changed_text(self) -> bytes:
        """The same with the lines that are gone, and the end of the last one: of a new file all that it is."""
        return b"\n".join(chain(*((*hunk.removed, *hunk.added) for hunk in self.hunks), (b"",)))

    def near(self, head: bytes) -> bytes:
        """The lines that changed, and those of the file beside them: what changed may say nothing by itself and yet
        decide about a line that stays, as the condition of a skip does, or a statement in a hook of the runner."""
        lines, parts, at = head.split(b"\n"), [self.changed_text], 0
        for hunk in self.hunks:
            parts += lines[max(at, hunk.new_start - 1 - NEAR) : hunk.new_start - 1]
            at = hunk.new_start - 1 + len(hunk.added)
            parts += lines[at : at + NEAR]
            at += NEAR
        return b"\n".join(parts)

    @property
    def lines_added(self) -> int:
        return sum(len(hunk.added) for hunk in self.hunks)

    @property
    def lines_deleted(self) -> int:
        return sum(len(hunk.removed) for hunk in self.hunks)


class Blobs(Protocol):
    """Reads files of the two trees of a change; None where the path is absent or is no regular file."""

    def before(self, path: str) -> bytes | None: ...

    def after(self, path: str) -> bytes | None: ...

    def paths_after(self) -> frozenset[str]:
        """Every path of the head tree (for questions such as "does package.json exist?")."""
        ...

    def paths_before(self) -> frozenset[str]: ...


@record(kw_only=True)
class Beside:
    """What stands in the working copy beside the tree under judgement.

    `ignored` are files that `.gitignore` files keep out of it (a folder ends with `/`); `unwatched` are files in it
    that the user's index tells git not to look at (assume-unchanged, skip-worktree).
    """

    ignored: tuple[str, ...] = ()
    unwatched: tuple[str, ...] = ()


@record(kw_only=True)
class Change:
    """All that differs between the base tree and the tree under judgement."""

    files: tuple[FileChange, ...]
    blobs: Blobs
    beside: Beside = Beside()
    renamed: tuple[tuple[str, str], ...] = ()
    """Old and new names of files that a diff tells to be one, of which it shows but the changed lines."""

    @property
    def lines_added(self) -> int:
        return sum(file.lines_added for file in self.files)

    @property
    def files_changed(self) -> int:
        return len(self.files)


@record(kw_only=True)
class Hit:
    """A place where a rule matches one side of a file (or, from a change detector, the change as a whole).

    `key` says what was found, free of position and white space: equal keys of the same rule are the same thing moved.
    `scope` is what the hit switches off (error codes, rule names); None is everything. A hit whose scope
    lies within that of a hit it replaces is a narrowing and no finding. `line` and `column` are 1-based, in the
    head file; 0 where there is no line (a key that is gone, a file that is gone). `snippet` may be of any
    length: the finding shows its beginning.
    """

    rule: str
    path: str
    line: int
    column: int
    key: str
    snippet: str
    scope: frozenset[str] | None = frozenset()
    detail: str | None = None


def hit_at(rule: str, path: str, line: int, detail: str, snippet: str | None = None, *, key: str | None = None) -> Hit:
    """A hit on a whole line, shown and told apart by what is said of it unless there is something better."""
    return Hit(
        rule=rule,
        path=path,
        line=line,
        column=min(line, 1),
        key=detail if key is None else key,
        snippet=detail if snippet is None else snippet,
        detail=detail,
    )


ChangeDetector = Callable[[Change], Iterable[Hit]]
"""Compares base and head itself (configuration, tree entries) and yields only what got worse."""
