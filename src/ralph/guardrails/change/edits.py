"""Changes that no tool has told: what differs between two texts, and a change in which files have other ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.model import Blobs, Change, FileChange, Hunk
from ralph.record import record, replace

LONG = 20_000
"""Of files with more lines one run of changed lines is made."""


@record(slots=False)
class Edited:
    """The same files, some of them with other texts."""

    blobs: Blobs
    old: Mapping[str, bytes]
    new: Mapping[str, bytes]

    def before(self, path: str) -> bytes | None:
        return self.old[path] if path in self.old else self.blobs.before(path)

    def after(self, path: str) -> bytes | None:
        return self.new[path] if path in self.new else self.blobs.after(path)

    def paths_before(self) -> frozenset[str]:
        return self.blobs.paths_before()

    def paths_after(self) -> frozenset[str]:
        return self.blobs.paths_after()


def with_texts(change: Change, texts: Mapping[str, tuple[bytes, bytes]], *, alone: bool = False) -> Change:
    """The change with other texts, old and new, of some files, be it of some that did not change; `alone`: without the
    others."""
    known = {file.path: file for file in change.files}
    files = [_file(known.get(path), path, *sides) for path, sides in texts.items()]
    others = [] if alone else [file for file in change.files if file.path not in texts]
    old, new = ({path: sides[side] for path, sides in texts.items()} for side in (0, 1))
    return replace(change, files=(*others, *files), blobs=Edited(change.blobs, old, new))


def _file(known: FileChange | None, path: str, old: bytes, new: bytes) -> FileChange:
    hunks = tuple(edits(old.split(b"\n"), new.split(b"\n")))
    if known is not None:
        return replace(known, hunks=hunks)
    mode, blob = "100644", "0" * 40
    return FileChange(path=path, status="M", old_mode=mode, new_mode=mode, old_blob=blob, new_blob=blob, hunks=hunks)


def edits(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[Hunk]:
    """The runs of changed lines from one text to another."""
    start = _same(old, new)
    end = _same(old[start:][::-1], new[start:][::-1])
    gone, came = old[start : len(old) - end], new[start : len(new) - end]
    if max(len(gone), len(came)) > LONG:
        yield Hunk(start + 1, tuple(gone), start + 1, tuple(came))
        return
    from difflib import SequenceMatcher  # few changes need it

    for tag, i1, i2, j1, j2 in SequenceMatcher(None, gone, came).get_opcodes():
        if tag != "equal":
            yield Hunk(start + i1 + 1, tuple(gone[i1:i2]), start + j1 + 1, tuple(came[j1:j2]))


def _same(old: Sequence[bytes], new: Sequence[bytes]) -> int:
    """How many lines both begin with."""
    differing = (index for index, (one, other) in enumerate(zip(old, new, strict=False)) if one != other)
    return next(differing, min(len(old), len(new)))
