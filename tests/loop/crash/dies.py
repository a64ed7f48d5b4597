"""A run that kills itself as soon as something is known: before anything follows from it.

`python -m tests.loop.crash.dies KIND NUMBER DIR AGENT [PROMPT]` begins a run as `ralph run` does. It dies of the input,
or the agent's record, of this kind with this number, counted from 1.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from ralph.agents.base import Record
from ralph.loop import starting
from ralph.loop.control import hold
from ralph.loop.inputs import Input
from ralph.loop.runner import Runner
from ralph.loop.state import State
from ralph.verdict import StepResult


class Deadly:
    """A view whose look kills."""

    def __init__(self, kind: str, number: int) -> None:
        self.kind, self.left = kind, number

    def moved(self, given: Input | None, state: State) -> None:
        self._seen(given)

    def record(self, record: Record) -> None:
        self._seen(record)

    def measured(self, step: str, result: StepResult | None) -> None:
        """Nothing is known before all steps are."""

    def _seen(self, what: object) -> None:
        self.left -= type(what).__name__ == self.kind
        if not self.left:
            os.kill(os.getpid(), signal.SIGKILL)


def main(kind: str, number: str, directory: str, agent: str, prompt: str = "") -> None:
    root, wanted = Path(directory), starting.Wanted(agent=agent, prompt=prompt)
    name = starting.name(root, wanted)
    with hold(root, name) as held:
        prepared = starting.prepare(root, wanted, name, Deadly(kind, int(number)), os.environ)
        Runner(site=prepared.site, journal=starting.begin(prepared, held), alive=held).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
