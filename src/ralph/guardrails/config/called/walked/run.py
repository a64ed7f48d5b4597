"""Where a script is followed to, and what it comes to on the way (see `script`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import tree_sitter

from ralph.guardrails.checks.shell.script import Script
from ralph.guardrails.config.called.walked.names import Names
from ralph.system.patterns import later

JOINS = later(r"[;&|\n]")


class TooMuch(Exception):
    """The script is too long to be followed."""


class End(NamedTuple):
    text: str = ""
    """What is run; nothing for what only decides."""
    truth: bool | None = True
    flow: str = ""
    """Where it goes on: behind the script, the function or the loop."""


class Run(Protocol):
    """What the parts of a script that is followed ask of it."""

    script: Script
    names: Names
    errexit: bool
    deep: int
    options: int
    """Words that `getopts` has gone through."""

    def sequence(self, nodes: Sequence[tree_sitter.Node]) -> End: ...

    def joined(self, parts: Sequence[str]) -> str: ...

    def either(self, *ways: Callable[[], End]) -> list[End]: ...


def one_line(said: str) -> str:
    return "; ".join(line.strip() for line in said.split("\n") if line.strip())


def grouped(said: str) -> str:
    """Several commands as one."""
    return f"{{ {said}; }}" if said and JOINS.search(said) and said[0] not in "{(" else said
