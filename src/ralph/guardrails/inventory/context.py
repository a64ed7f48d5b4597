"""What else a change does: a test may change with the product, and go with what it was about.

Product code is what is neither a document nor stands beside tests. A word is gone if the changed product files defined
it, or had it as a text of one word, and no longer do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import islice

from ralph.guardrails.inventory.model import Inventory, Test
from ralph.guardrails.inventory.readers import Side, after, before, inventory, is_support, language, reader_of
from ralph.guardrails.model import Change, FileChange

DEFINED = re.compile(
    rb"\b(?:async\s+)?(?:def|class|func|fn|fun|function|interface|struct|enum|trait|type|const|let|var|val|module|object|mod"
    rb"|record|static)\s+(?:\([^)\n]*\)\s*)?(?:self\.)?([A-Za-z_]\w+)"
    rb"|\b(?:self|this|cls|exports)\.([A-Za-z_]\w+)\s*(?:=|:)|^([A-Za-z_]\w+)\s*(?::[^=\n]*)?=(?!=)"
    rb"|[\"']([-\w./]{3,60})[\"']|^\s*(?:public|private|protected|internal|static|export)\b[^\n=;]*?\b([A-Za-z_]\w+)\s*\("
    rb"|^[ \t]*(?:async[ \t]+|get[ \t]+|set[ \t]+|\*[ \t]*)?([A-Za-z_]\w+)[ \t]*\([^()\n]*\)[^\n{;=]*\{[ \t]*$",
    re.MULTILINE,
)

MOST_FILES = 200
"""So many files are looked through for a twin of a test that is gone."""


class Context:
    """`sides` are the inventories of files with tests; the rest of the change is read when it is asked about."""

    def __init__(self, change: Change, sides: Mapping[str, tuple[Inventory, Inventory]]) -> None:
        self._change = change
        self._sides = sides

    @cached_property
    def product_changed(self) -> bool:
        return any(_folded(old) != _folded(new) for old, new in map(self._product, self._change.files))

    @cached_property
    def gone(self) -> frozenset[str]:
        old, new = zip(*map(self._product, self._change.files), strict=True)
        return _defined(old) - _defined(new)

    def _product(self, file: FileChange) -> tuple[bytes, bytes]:
        if file.path in self._sides:
            old, new = self._sides[file.path]
            return old.product, new.product
        if is_support(file.path) or _is_test(file, self._change):
            return b"", b""
        return _read(file, before(self._change)), _read(file, after(self._change))


def _read(file: FileChange, side: Side) -> bytes:
    return side.read(file.path) or b""


def _is_test(file: FileChange, change: Change) -> bool:
    reader = reader_of(language(file, change))
    return reader is not None and reader.is_test_file(file.path)


def _folded(data: bytes) -> bytes:
    return b" ".join(data.split())


def _defined(texts: Iterable[bytes]) -> frozenset[str]:
    found = (group for text in texts for match in DEFINED.finditer(text) for group in match.groups() if group)
    return frozenset(word.decode("utf-8", "replace") for word in found)


def sides_of(change: Change, files: Iterable[FileChange]) -> dict[str, tuple[Inventory, Inventory]]:
    """Both sides of each file with tests."""
    old, new = before(change), after(change)
    return {file.path: (inventory(file, change, old), inventory(file, change, new)) for file in files}


def stands_elsewhere(test: Test, change: Change) -> bool:
    """The same test is in a file that the change does not touch: one of two is gone."""
    touched = {file.path for file in change.files}
    name, suffix = test.parts[-1].encode(), test.path.rpartition(".")[2]
    paths = (path for path in sorted(change.blobs.paths_after()) if path.endswith(f".{suffix}") and path not in touched)
    for path in islice((path for path in paths if is_support(path)), MOST_FILES):
        data = change.blobs.after(path)
        if data is not None and name in data:
            other = inventory(_untouched(path), change, after(change))
            if any(
                each.parts[-1:] == test.parts[-1:] and each.facts().body == test.facts().body for each in other.tests
            ):
                return True
    return False


def _untouched(path: str) -> FileChange:
    return FileChange(path=path, status="M", old_mode="", new_mode="", old_blob="", new_blob="")
