"""Where an action happens, and the questions about real files that a decision asks.

`decide` is a pure function of its arguments; what it must know of the file system it asks through `Files`, so that a
test can answer from a table and the program from the disk.
"""

from __future__ import annotations

from typing import Protocol

from ralph.record import record


class Files(Protocol):
    """Questions about the file system. All paths are absolute; nothing is changed or opened."""

    def resolve(self, path: str) -> str:
        """The path with `..` and every symbolic link of its existing part resolved. Raises OSError on a loop."""
        ...

    def exists(self, path: str) -> bool: ...

    def is_directory(self, path: str) -> bool: ...

    def links(self, path: str) -> int:
        """How many names the file at `path` has; 0 if there is none."""
        ...

    def matches(self, pattern: str) -> list[str] | None:
        """The existing paths that a shell pattern expands to; None when there are too many to say."""
        ...

    def program(self, name: str) -> str | None:
        """The real path of the program that the clean PATH finds for `name`, links resolved; None if there is none."""
        ...


@record(kw_only=True)
class Place:
    """`root`: the project; `home`: the person's home folder. Both absolute and resolved."""

    root: str
    home: str
    files: Files
