"""What the exceptions of a project say to findings.

They are read once, when the first finding asks; most projects have none, and then nothing is loaded that could open
signatures. What keeps them from being read excuses nothing, and is told.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ralph.errors import RalphError
from ralph.guardrails.excuses import Excuses
from ralph.results import Excuse
from ralph.system import clock
from ralph.system.places import LEARNING

if TYPE_CHECKING:
    from ralph.exceptions.model import Entry


def excuses(root: Path, *, now: Callable[[], datetime] = clock.now) -> Excuses:
    """The answer to each finding of the project at `root`."""

    @cache
    def entries() -> list[Entry] | str:
        if _nothing_at(root / LEARNING):
            return []
        from ralph.exceptions.book import Book

        try:
            return Book(root, {}, now=now).entries()
        except RalphError as error:
            return str(error)

    def ask(covers: str, subject: str) -> Excuse | None:
        known = entries()
        if isinstance(known, str):
            return Excuse(holds=False, sentence=f"the exceptions cannot be read, so none counts: {known}")
        if not known:
            return None
        from ralph.exceptions.model import excuse

        return excuse(known, covers, subject)

    return ask


def _nothing_at(path: Path) -> bool:
    """Only what is certainly not there is nothing: the book says what is wrong with the rest."""
    try:
        path.lstat()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return False
