"""A place where an installed tool is rewritten."""

from __future__ import annotations

from ralph.record import record


@record
class Found:
    path: str
    line: int
    text: str
    """The line as it stands."""
    tool: str
    how: str
    """What is done to it: of base and head, the same is done to the same tool."""

    @property
    def key(self) -> str:
        return f"{self.tool}: {self.how}"

    @property
    def detail(self) -> str:
        return f"{self.how} {self.tool} where it is installed"
