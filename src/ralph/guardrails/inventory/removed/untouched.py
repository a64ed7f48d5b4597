"""A test that is gone, and stands in a file that the change does not touch (policy set v2, class G04)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ralph.guardrails.inventory.model import Inventory, Test
from ralph.guardrails.inventory.readers import after, inventory, is_support
from ralph.guardrails.model import Change, FileChange
from ralph.guardrails.nearest import nearest

MOST_FILES = 200
"""So many files are looked through."""


class Untouched:
    """The files with tests that the change does not touch. Each is read once, whatever number of tests is gone."""

    def __init__(self, change: Change) -> None:
        self._change = change
        self._side = after(change)
        self._inventories: dict[str, Inventory] = {}
        self._data: dict[str, bytes | None] = {}

    def hold(self, test: Test) -> bool:
        """The same test is in one of them: one of two is gone."""
        name, suffix = test.parts[-1].encode(), test.path.rpartition(".")[2]
        alike = (path for path in self._paths if path.endswith(f".{suffix}"))
        for path in nearest(alike, self._change, MOST_FILES):
            data = self._read(path)
            if data is not None and name in data and any(_is_twin(each, test) for each in self._tests(path)):
                return True
        return False

    @cached_property
    def _paths(self) -> list[str]:
        touched = {file.path for file in self._change.files}
        return sorted(path for path in self._change.blobs.paths_after() if path not in touched and is_support(path))

    def _read(self, path: str) -> bytes | None:
        if path not in self._data:
            self._data[path] = self._change.blobs.after(path)
        return self._data[path]

    def _tests(self, path: str) -> Sequence[Test]:
        if path not in self._inventories:
            file = FileChange(path=path, status="M", old_mode="", new_mode="", old_blob="", new_blob="")
            self._inventories[path] = inventory(file, self._change, self._side)
        return self._inventories[path].tests


def _is_twin(one: Test, other: Test) -> bool:
    return one.parts[-1:] == other.parts[-1:] and one.facts().body == other.facts().body
