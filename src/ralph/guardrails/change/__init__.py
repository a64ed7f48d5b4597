"""Reading the change between two trees of a repository (spec: governance engine 1.4; design decision 4).

- Which files differ comes from trees that were checked against their ids, their lines from git's patch: names are
  never read from a patch header. A rename is a deletion and an addition. Lines are cut on LF only, as git does.
- Binary is a matter of content, never of attributes: a NUL among the first 8000 bytes of either side, unless tools
  would read the file as text all the same (see `binary`).
- A binary file has no hunks and no lines, whatever its size; its bytes can still be read through `Blobs`.
- A gitlink has no lines either; a symbolic link has one, the path it leads to.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import PurePosixPath
from typing import Literal

from ralph.errors import RepositoryError
from ralph.guardrails.change.binary import HEAD_BYTES, is_text_all_the_same
from ralph.guardrails.change.hunks import MalformedError, is_header, read_hunk, without_pointers
from ralph.guardrails.model import MODE_GITLINK, Beside, Change, FileChange, Hunk
from ralph.system.git import Repository
from ralph.system.git_diff import Difference, checked_patch, differences, raw_patch, text_patch
from ralph.system.together import together
from ralph.system.tree import Snapshot

_PATHS_AT_ONCE = 200
NOTHING_BESIDE = Beside()

_Section = tuple[tuple[Hunk, ...], bool]
"""The hunks of one section of a patch, and whether git called the file binary."""


class TreeBlobs:
    """The files of the two trees of a change."""

    def __init__(self, repo: Repository, base_tree: str, head_tree: str, found: Sequence[Difference]) -> None:
        self._repo = repo
        self._base = base_tree
        self._head = head_tree
        self._found = found

    def before(self, path: str) -> bytes | None:
        return self._repo.read(self._base, path)

    def after(self, path: str) -> bytes | None:
        return self._repo.read(self._head, path)

    def paths_before(self) -> frozenset[str]:
        return self._paths_before

    def paths_after(self) -> frozenset[str]:
        return self._paths_after

    @cached_property
    def _paths_before(self) -> frozenset[str]:
        return self._repo.paths(self._base)

    @cached_property
    def _paths_after(self) -> frozenset[str]:
        """Those of the base and what the change adds: to walk another tree is dear in a large repository."""
        by_status = {status: {each.path for each in self._found if _status(each) == status} for status in ("A", "D")}
        return (self._paths_before - by_status["D"]) | by_status["A"]


def beside(taken: Snapshot) -> Beside:
    """What a snapshot says of the working copy beside its tree."""
    return Beside(ignored=taken.ignored, unwatched=taken.unwatched)


def read_change(repo: Repository, base_tree: str, head_tree: str, around: Beside = NOTHING_BESIDE) -> Change:
    """The change from one tree (or commit) to another. Raises RepositoryError."""
    base, head = repo.tree_of(base_tree), repo.tree_of(head_tree)
    with together() as others:
        patch = others.start(raw_patch, repo, base, head)
        found = differences(repo.objects, base, head)
        sections = _sections(checked_patch(repo, patch.result(), found), found)
    hidden = [each.path for each, (_, binary) in zip(found, sections, strict=True) if binary and _is_text(repo, each)]
    shown = _shown(repo, base, head, found, hidden)
    files = tuple(
        _file_change(each, shown.get(each.path, section), len(base))
        for each, section in zip(found, sections, strict=True)
    )
    return Change(files=files, blobs=TreeBlobs(repo, base, head, found), beside=around)


def _shown(
    repo: Repository, base: str, head: str, found: Sequence[Difference], paths: Sequence[str]
) -> dict[str, _Section]:
    """The sections of these paths with their lines, which git held back because of a NUL."""
    result: dict[str, _Section] = {}
    for start in range(0, len(paths), _PATHS_AT_ONCE):
        some = paths[start : start + _PATHS_AT_ONCE]
        listed = [
            each for each in found if not {each.path, *map(str, PurePosixPath(each.path).parents)}.isdisjoint(some)
        ]
        result |= zip(
            (each.path for each in listed), _sections(text_patch(repo, base, head, some), listed), strict=True
        )
    return result


def _sections(data: bytes, found: Sequence[Difference]) -> list[_Section]:
    """The hunks of each difference, which stand in the same order in the patch."""
    lines = data.split(b"\n")
    sections, at = [], 0
    try:
        for difference in found:
            hunks, binary, at = _section(lines, at)
            if _status(difference) == "T":  # git shows it as a deletion and an addition
                more, binary_too, at = _section(lines, at)
                hunks, binary = hunks + more, binary or binary_too
            sections.append((tuple(hunks), binary))
    except MalformedError as error:
        raise RepositoryError(f"git gave a patch that cannot be read: line {error.at + 1} {error}.") from None
    if lines[at:] != [b""]:
        raise RepositoryError(f"git gave a patch that cannot be read: line {at + 1} belongs to no file.")
    return sections


def _section(lines: list[bytes], at: int) -> tuple[list[Hunk], bool, int]:
    if at >= len(lines) or not lines[at].startswith(b"diff --git "):
        raise MalformedError("does not begin a file", at)
    at += 1
    hunks: list[Hunk] = []
    binary = False
    while at < len(lines) and lines[at] and not lines[at].startswith(b"diff --git "):
        if is_header(lines[at]):
            more, at = read_hunk(lines, at)
            hunks += more
        else:
            binary = binary or lines[at].startswith(b"Binary files ")
            at += 1
    return hunks, binary, at


def _file_change(difference: Difference, section: _Section, id_length: int) -> FileChange:
    path, old, new = difference
    hunks, binary = section
    gitlink = any(side is not None and side.mode == MODE_GITLINK for side in (old, new))
    return FileChange(
        path=path,
        status=_status(difference),
        old_mode=old.mode if old else "000000",
        new_mode=new.mode if new else "000000",
        old_blob=old.id if old else "0" * id_length,
        new_blob=new.id if new else "0" * id_length,
        binary=binary,
        hunks=() if binary else without_pointers(hunks) if gitlink else hunks,
    )


def _status(difference: Difference) -> Literal["A", "M", "D", "T"]:
    _, old, new = difference
    if old is None:
        return "A"
    if new is None:
        return "D"
    return "M" if old.mode[:3] == new.mode[:3] else "T"


def _is_text(repo: Repository, difference: Difference) -> bool:
    sides = [side for side in (difference.old, difference.new) if side is not None and side.mode != MODE_GITLINK]
    return is_text_all_the_same(difference.path, (repo.objects.beginning(side.id, HEAD_BYTES) for side in sides))
