"""What Ralph knows about a tool: how to ask it for a report, and how to read what it says.

Rules (design decision 1): the tool itself writes a fresh report where Ralph says; counts come from that report, or
from text that only the tool could have written; work is proved (files analysed, tests run), not assumed. What a
recipe cannot read is a `problem`, never a zero.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Kind = Literal["diagnostics", "tests"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What one run left behind for a recipe: all of its output, and the report if the tool writes one."""

    output: str
    report: bytes | None
    exit_code: int
    root: Path
    invocations: int
    """How often the line names the tool; 0 when something else (make, tox) is to start it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a tool found. `failures` are stable ids without line numbers. `problem` says why it cannot be believed.

    `excuse` explains an exit code that is not 0 though nothing was counted (too many warnings, for example).
    `tests` are the ids of the tests that ran.
    """

    counts: Mapping[str, float] = field(default_factory=dict)
    failures: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    problem: str | None = None
    excuse: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """`names` are the program's names; `needs` is a word that must follow (`ruff check`), unless None.

    `report` is the name of the report file, None when the tool's output is read; `{report}` stands for its path.
    `arguments` are added to the tool's own words, those of `when` only if it is given that option; `variables` stand
    before the command; `environment` reaches the tool through make and other runners. `replaces` are options of the
    user about the look of the output that would be in the way (True: with a value).
    """

    tool: str
    kind: Kind
    names: frozenset[str]
    read: Callable[[Evidence], Reading]
    needs: str | None = None
    report: str | None = None
    arguments: tuple[str, ...] = ()
    when: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    replaces: Mapping[str, bool] = field(default_factory=dict)

    def arguments_for(self, words: Collection[str], report: Path | None) -> tuple[str, ...]:
        """What to add to the tool's words so that it writes `report`."""
        more = (extra for option, extras in self.when.items() if option in words for extra in extras)
        return tuple(each.replace("{report}", str(report)) for each in (*self.arguments, *more))


def filled(variables: Mapping[str, str], report: Path | None) -> dict[str, str]:
    """Variables with the report's path in them; `{quoted}` is the path as a shell-like parser wants it."""
    path = str(report)
    return {
        name: value.replace("{report}", path).replace("{quoted}", shlex.quote(path))
        for name, value in variables.items()
    }


def shown(path: str, root: Path) -> str:
    """A path below the project as a relative one; others as they are."""
    return path.removeprefix(f"{root}/").removeprefix("./")
