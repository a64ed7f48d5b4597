"""What a dashboard shows, and in whose words: handed in by the command, so that both say the same."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from ralph.loop.inputs import Input
from ralph.loop.state import State
from ralph.record import field, record
from ralph.web.data.fleet import Fleet
from ralph.web.secret import Secret


class Teller(Protocol):
    """Says what happens in a run, in lines (`cli.telling`)."""

    def lines(self, given: Input | None, state: State) -> Iterator[str]: ...


@record(kw_only=True)
class Words:
    """How the command line says things. `situation` is the document of `ralph status`."""

    situation: Callable[[Path], Mapping[str, Any]]
    teller: Callable[[], Teller]
    spent: Callable[[Mapping[str, Any]], str]
    left: Callable[[Mapping[str, Any]], str]


@record(kw_only=True)
class Site:
    """One project. `environ` shows whether a person is at work; `fleet` opens the queue, if there is one."""

    root: Path
    words: Words
    secret: Secret
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)
    fleet: Callable[[], Fleet | None] = lambda: None
