"""What Ralph knows about a tool: how to ask it for a report, and how to read what it says.

Rules (design decision 1): the tool itself writes a fresh report where Ralph says; counts come from that report, or
from text that only the tool could have written; work is proved (files analysed, tests run), not assumed. What a
recipe cannot read is a `problem`, never a zero.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Literal

from ralph.record import field, record
from ralph.steps.reports.tests import TestReport

Kind = Literal["diagnostics", "tests"]


@record(kw_only=True)
class Evidence:
    """What one run left behind for a recipe: all of its output, and the report if the tool writes one."""

    output: str
    report: bytes | None
    exit_code: int
    root: Path
    invocations: int
    """How often the line names the tool; 0 when something else (make, tox) is to start it."""


@record(kw_only=True)
class Reading:
    """What a tool found. `failures` are stable ids without line numbers. `problem` says why it cannot be believed.

    `excuse` explains an exit code that is not 0 though nothing was counted (too many warnings, for example).
    `tests` is what became of each test, for a test runner.
    """

    counts: Mapping[str, float] = field(default_factory=dict)
    failures: tuple[str, ...] = ()
    tests: TestReport = field(default_factory=TestReport)
    problem: str | None = None
    excuse: str | None = None


@record(kw_only=True)
class Manner:
    """How a tool is to run, where that is not left to the command. For controls; a step is measured as it is written.

    A test runner: past the first failure or no further, `only` the tests in these files. A linter: whatever the code
    says it should overlook.
    """

    to_the_end: bool = False
    to_the_first: bool = False
    only: tuple[str, ...] = ()
    unsuppressed: bool = False


AS_WRITTEN = Manner()


@record(kw_only=True)
class Recipe:
    """`names` are the program's names; `needs` is a word that must follow (`ruff check`), unless None.

    `report` is the name of the report file, None when the tool's output is read; `{report}` stands for its path and,
    in variables, `{more}` for further arguments.
    `arguments` are added to the tool's own words, those of `when` only if it is given that option; `variables` stand
    before the command; `environment` reaches the tool through make and other runners. `to_the_end`, `to_the_first`
    and `unsuppressed` are arguments for these manners; `by_path` says that the words after it are test files;
    a runner that does not take any runs all.
    `replaces` are options of the user about the look of the output that would be in the way (True: with a value).
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
    to_the_end: tuple[str, ...] = ()
    to_the_first: tuple[str, ...] = ()
    unsuppressed: tuple[str, ...] = ()
    by_path: tuple[str, ...] = ()
    takes_paths: bool = True
    replaces: Mapping[str, bool] = field(default_factory=dict)

    def arguments_for(self, words: Collection[str], report: Path | None, manner: Manner) -> tuple[str, ...]:
        """What to add to the tool's words so that it writes `report` and runs in this manner."""
        more = (extra for option, extras in self.when.items() if option in words for extra in extras)
        asked = (each.replace("{report}", str(report)) for each in (*self.arguments, *more))
        return (*asked, *self.arguments_of(manner))

    def arguments_of(self, manner: Manner) -> tuple[str, ...]:
        asked = (
            *(self.to_the_end if manner.to_the_end else ()),
            *(self.to_the_first if manner.to_the_first else ()),
            *(self.unsuppressed if manner.unsuppressed else ()),
        )
        return (*asked, *self.by_path, *manner.only) if manner.only and self.takes_paths else asked


def filled(variables: Mapping[str, str], report: Path | None, more: Iterable[str] = ()) -> dict[str, str]:
    """Variables with the report's path in them; `{quoted}` is the path as a shell-like parser wants it."""
    texts = {"{report}": str(report), "{quoted}": shlex.quote(str(report)), "{more}": shlex.join(more)}
    return {name: _replaced(value, texts).strip() for name, value in variables.items()}


def _replaced(text: str, texts: Mapping[str, str]) -> str:
    for place, instead in texts.items():
        text = text.replace(place, instead)
    return text


def shown(path: str, root: Path) -> str:
    """A path below the project as a relative one; others as they are."""
    return path.removeprefix(f"{root}/").removeprefix("./")
