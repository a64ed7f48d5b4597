"""A check where it stands, and what is wrong with the way it is run there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ralph.guardrails.checks.programs.kinds import Kind
from ralph.record import field, record

Flaw = Literal[
    "lost",
    "lost-if",
    "lost-maybe",
    "lost-round",
    "not-run",
    "run-if",
    "run-maybe",
    "allowed",
    "allowed-partly",
    "off",
    "off-maybe",
    "retried",
    "unheard",
]
"""
lost          its failure fails nothing; `-if` the environment says so, `-maybe`: in a way that only running could tell
not-run       the text ends before it; it runs if the environment says so, or in some way that only running could tell
allowed       a switch beside it says that it may fail; or that some of its runs may
off           a switch beside it keeps it from running (by itself); or under a condition
retried       it is run again until it succeeds
unheard       nobody asks what it lists, and it ends well whatever that is
"""
Place = Literal["ci", "hook", "local"]


@record(kw_only=True)
class Gate:
    """One check in one place. `slot` is the script, target or job that it belongs to."""

    words: tuple[str, ...]
    kind: Kind
    path: str
    line: int
    slot: str
    place: Place
    certain: bool = True
    """False for what is run by a name that does not say that it checks: what it leads to decides."""
    folder: str | None = ""
    """Where it runs, from the place of its file on; None if only running could tell."""
    checked_out: tuple[str, ...] = ()
    """The patterns of a sparse checkout before it; without any all files are there."""
    flaws: Mapping[Flaw, str] = field(default_factory=dict)
    """What is wrong, and in words."""

    @property
    def text(self) -> str:
        return " ".join(self.words)
