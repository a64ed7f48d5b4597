"""Changes made of two dictionaries, for tests of rules that need no repository."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from ralph.guardrails.model import Change, FileChange, Hunk
from ralph.record import record

CORPUS = Path(__file__).parent.parent / "corpora" / "gaming.jsonl"


@record(slots=False)
class MemoryBlobs:
    old: Mapping[str, bytes]
    new: Mapping[str, bytes]

    def before(self, path: str) -> bytes | None:
        return self.old.get(path)

    def after(self, path: str) -> bytes | None:
        return self.new.get(path)

    def paths_before(self) -> frozenset[str]:
        return frozenset(self.old)

    def paths_after(self) -> frozenset[str]:
        return frozenset(self.new)


def change(before: Mapping[str, str], after: Mapping[str, str]) -> Change:
    """The change from `before` to `after`; both map every path of the tree to its text."""
    old = {path: text.encode() for path, text in before.items()}
    new = {path: text.encode() for path, text in after.items()}
    paths = sorted(path for path in old.keys() | new.keys() if old.get(path) != new.get(path))
    return Change(files=tuple(_file(path, old.get(path), new.get(path)) for path in paths), blobs=MemoryBlobs(old, new))


def corpus(*classes: str) -> Iterator[dict[str, Any]]:
    """The recorded cases of these classes (all without an argument)."""
    for line in CORPUS.read_text().splitlines():
        case = json.loads(line)
        if not classes or case["class"] in classes:
            yield case


def corpus_texts(suffix: str) -> list[str]:
    """Each text of the recorded cases whose path ends like this, once."""
    sides = (case[side] for case in corpus() for side in ("before", "after"))
    return sorted({text for side in sides for path, text in side.items() if path.endswith(suffix)})


def _file(path: str, old: bytes | None, new: bytes | None) -> FileChange:
    status: Literal["A", "M", "D"] = "A" if old is None else "D" if new is None else "M"
    return FileChange(
        path=path,
        status=status,
        old_mode="000000" if old is None else "100644",
        new_mode="000000" if new is None else "100644",
        old_blob="0" * 40,
        new_blob="0" * 40,
        hunks=tuple(_hunks(_lines(old), _lines(new))),
    )


def _lines(data: bytes | None) -> list[bytes]:
    lines = (data or b"").split(b"\n")
    return lines[:-1] if lines[-1] == b"" else lines


def _hunks(old: list[bytes], new: list[bytes]) -> Iterator[Hunk]:
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield Hunk(i1 + 1, tuple(old[i1:i2]), j1 + 1, tuple(new[j1:j2]))
