"""What going through a line leaves behind: decisions, the calls that were seen, and how deep one is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ralph.permissions.answers import deny
from ralph.permissions.model import Decision
from ralph.permissions.programs.model import Call, Use
from ralph.shell.model import Redirect, Span

MAX_DEPTH = 8
_READING = frozenset({"<", "<&", "<<", "<<-", "<<<"})


class Trail:
    """`outer` is where a line inside a line stands in the one that a person sees."""

    def __init__(self) -> None:
        self.decisions: list[Decision] = []
        self.calls: list[Call] = []
        self.only_reads = True
        self.writes_git = False
        self.depth = 0
        self.outer: Span | None = None

    def deny(self, rule: str, reason: str, span: Span) -> None:
        self.decisions.append(deny(rule, reason, self.outer or span))

    def used(self, call: Call, use: Use | None) -> None:
        """Note what a program does that is called. None is a program that nobody described."""
        reads = use is not None and use.only_reads
        self.only_reads = self.only_reads and (reads or (use is not None and use.wraps))
        self.writes_git = self.writes_git or (call.name == "git" and not reads)

    def opened(self, redirect: Redirect) -> None:
        """Note a file that the shell opens for a program."""
        target = redirect.target.literal if redirect.target else None
        harmless = target == "/dev/null" or (redirect.operator == ">&" and target in ("1", "2"))
        self.only_reads = self.only_reads and (harmless or redirect.operator in _READING)

    @contextmanager
    def deeper(self, span: Span | None = None) -> Iterator[bool]:
        """One level further in; False if that is too deep, which is denied."""
        outer = self.outer
        self.depth += 1
        self.outer = outer or span
        try:
            if self.depth > MAX_DEPTH:
                self.deny("OPAQUE_NESTING", f"commands are nested more than {MAX_DEPTH} deep", span or (0, 0))
            yield self.depth <= MAX_DEPTH
        finally:
            self.depth -= 1
            self.outer = outer
