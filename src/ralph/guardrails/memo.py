"""What several rules ask of the same file, or of the same side of a change, is found once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

T = TypeVar("T")


class Memo:
    """Keys are shared by all that keep something here, so each names what it keeps."""

    def __init__(self) -> None:
        self._found: dict[Hashable, object] = {}

    def once(self, key: Hashable, find: Callable[[], T]) -> T:
        """What `find` returned when this key was first asked for, None included."""
        if key not in self._found:
            self._found[key] = find()
        return cast("T", self._found[key])
