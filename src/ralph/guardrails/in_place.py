"""A change in which files moved, seen as if each had stood under its new name at the base already.

For a change, a file that moved is a deletion and an addition, and what a new file does is often milder: a test that
never ran takes nothing away, a function that nobody called is no worse for being empty. But a file that moved is no new
file, and nothing may become milder because the file where it stands has another name. So a change with files that
moved and were edited is judged a second time.

- What the second look finds in those files counts. What it says of others is the first one's to say: there, names are
  known as they were.
- What the first look calls the doing of a new test counts only if the second one calls it so, too.
- Which tests are gone from such a file, or written anew, is the second look's to say, if a runner takes the same tests
  of what the file was, whichever of both names it has. What is gone is shown under both.
- So is what the file held before (a suppression, a cast), unless it came from where other rules hold: from beside the
  tests, or another folder at the root. Of several that came, another file may have it now.
- A check of a workflow that has another name is the second look's to judge: workflows run, whatever they are called.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ralph.guardrails.change.edits import edits
from ralph.guardrails.change.moves import Move, content, moves
from ralph.guardrails.inventory.readers import before, inventory, is_support
from ralph.guardrails.model import Blobs, Change, FileChange, Hit
from ralph.record import record, replace

NEW_TEST = frozenset(
    {"test.subject-faked-in-new-test", "test.retried-new-test", "js.test-skip-in-new-test", "py.skip-new-test"}
)
WORKFLOWS = (".github/workflows", ".gitea/workflows", ".forgejo/workflows")
GONE = "test.removed"
GONE_TESTS = frozenset({GONE, "test.rewritten"})
GONE_CHECKS = frozenset({"check.removed", "check.removed-here"})


class Judged(NamedTuple):
    """What comparing both trees found, and what files hold that they did not hold before."""

    compared: Sequence[Hit]
    held: Sequence[Hit]


@record(slots=False)
class Moved:
    """A change and the same with edits in the place of moves; `origins` are the old names of the files, by the new."""

    apart: Change
    change: Change
    origins: Mapping[str, str]

    def judged(self, apart: Judged, edited: Judged) -> Iterator[Hit]:
        """The findings of both looks: `apart` is what was found where a move is a deletion and an addition."""
        overruled = {(hit.rule, hit.key) for hit in apart.held if hit.path in self._in_its_role}
        found = [hit for hit in edited.compared if hit.path in self.origins]
        yield from (*found, *(replace(hit, path=self.origins[hit.path]) for hit in found if hit.rule == GONE))
        yield from (hit for hit in edited.held if hit.path in self.origins or (hit.rule, hit.key) in overruled)
        yield from (hit for hit in apart.compared if not self._is_overruled(hit))
        yield from (hit for hit in apart.held if hit.path not in self._in_its_role)

    def _is_overruled(self, hit: Hit) -> bool:
        if hit.rule in NEW_TEST:
            return hit.path in self.origins
        if hit.rule in GONE_TESTS:
            return hit.path in self._test_files
        return hit.rule in GONE_CHECKS and hit.path in self._workflows

    @cached_property
    def _in_its_role(self) -> frozenset[str]:
        """The new names of edited files in the folder at the root where they were, beside tests as before or not."""
        edited = ((file.path, self.origins[file.path]) for file in self.change.files if file.path in self.origins)
        return frozenset(new for new, old in edited if _root(new) == _root(old) and is_support(new) is is_support(old))

    @cached_property
    def _test_files(self) -> frozenset[str]:
        """Both names of the files whose tests run under the new one as well."""
        old, new = before(self.apart), before(self.change)
        files = {file.path: file for file in (*self.apart.files, *self.change.files)}
        found = set()
        for path, origin in self.origins.items():
            was = inventory(files[origin], self.apart, old).tests
            if was and len(was) == len(inventory(files[path], self.change, new).tests):
                found |= {path, origin}
        return frozenset(found)

    @property
    def _workflows(self) -> frozenset[str]:
        """The old names of workflows that are workflows still."""
        folders = ((old, posixpath.dirname(old), posixpath.dirname(new)) for new, old in self.origins.items())
        return frozenset(old for old, was, now in folders if was == now and was in WORKFLOWS)


@record(slots=False)
class BlobsInPlace:
    """The base has the files that moved under both names: what else it says may call them by the old one."""

    blobs: Blobs
    origins: Mapping[str, str]

    def before(self, path: str) -> bytes | None:
        return self.blobs.before(self.origins.get(path, path))

    def after(self, path: str) -> bytes | None:
        return self.blobs.after(path)

    def paths_before(self) -> frozenset[str]:
        return self.blobs.paths_before() | self.origins.keys()

    def paths_after(self) -> frozenset[str]:
        return self.blobs.paths_after()


def in_place(change: Change) -> Moved | None:
    """None if no file moved, or none of those that did was edited."""
    found = moves(change.files, change.renamed)
    edited = {move.new.path: _edit(move, change) for move in found}
    if not any(edit.hunks for edit in edited.values()):
        return None
    left = {move.old.path for move in found}
    files = (edited.get(file.path, file) for file in change.files if file.path not in left)
    kept = tuple(file for file in files if file.path not in edited or file.hunks)
    origins = {move.new.path: move.old.path for move in found}
    return Moved(change, replace(change, files=kept, blobs=BlobsInPlace(change.blobs, origins), renamed=()), origins)


def _root(path: str) -> str:
    return path.partition("/")[0] if "/" in path else ""


def _edit(move: Move, change: Change) -> FileChange:
    shown = (move.old.path, move.new.path) in change.renamed
    hunks = move.new.hunks if shown else tuple(edits(content(move.old), content(move.new)))
    return replace(move.new, status="M", old_mode=move.old.old_mode, old_blob=move.old.old_blob, hunks=hunks)
