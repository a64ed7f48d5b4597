"""How `ralph run` is watched: a live view on a terminal, plain lines elsewhere, JSON lines with --json.

Rules:

- A view only looks. One whose terminal is gone, or whose reader went away, falls silent, and the run goes on.
- What an agent wrote is written out, never obeyed, in every view; in JSON it is escaped.
- Colour is for terminals, and not where NO_COLOR is set; the live view needs a terminal that can move its cursor.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, Protocol, TextIO, cast

from ralph.cli import telling
from ralph.cli.amounts import left_text, spent_text
from ralph.cli.telling import Teller
from ralph.system.text import visible

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ralph.agents.base import Record
    from ralph.loop.inputs import Input
    from ralph.loop.site import View
    from ralph.loop.state import State
    from ralph.verdict import StepResult

    class Watching(View, Protocol):
        """A view that is also told what a run will be, before it begins."""

        def told(self, lines: Iterable[str]) -> None: ...


LAST_LINES = 8


@contextmanager
def view(*, as_json: bool, environ: Mapping[str, str] = os.environ) -> Iterator[Watching]:
    """The view for this terminal: JSON and the account at the end go to standard output, all else to standard error."""
    if as_json:
        yield JsonView(Steady(sys.stdout))
        return
    lines = Lines(Steady(sys.stderr))
    if not sys.stderr.isatty() or environ.get("TERM", "dumb") in ("", "dumb"):
        yield lines
    else:
        with LiveView(Steady(sys.stderr), colour=not environ.get("NO_COLOR")) as lines:
            yield lines
    if lines.state is not None:
        for line in telling.account(lines.state):
            Steady(sys.stdout).line(line)


class Steady:
    """A stream that swallows what nobody can read any more."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._gone = False

    def write(self, text: str) -> int:
        if not self._gone:
            try:
                self._stream.write(text)
            except (OSError, ValueError):
                self._gone = True
        return len(text)

    def flush(self) -> None:
        if not self._gone:
            try:
                self._stream.flush()
            except (OSError, ValueError):
                self._gone = True

    def line(self, text: str) -> None:
        self.write(f"{text}\n")
        self.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    @property
    def encoding(self) -> str:
        return self._stream.encoding or "utf-8"


class JsonView:
    """A line for every input with how things stand after it, for every record of the agent, and for every step."""

    def __init__(self, stream: Steady) -> None:
        self._stream = stream

    def moved(self, given: Input | None, state: State) -> None:
        from ralph.loop import wire
        from ralph.loop.standing import standing

        self._line({"input": given and wire.to_record(given), "standing": standing(state)})

    def record(self, record: Record) -> None:
        from ralph.agents.recording import to_json

        self._line(to_json(record))

    def measured(self, step: str, result: StepResult | None) -> None:
        ended = result and {"status": result.status, "duration_ms": result.duration_ms, "reason": result.reason}
        self._line({"step": step, "result": ended})

    def told(self, lines: Iterable[str]) -> None:
        self._line({"told": list(lines)})

    def _line(self, document: Any) -> None:
        self._stream.line(json.dumps(document))


class Lines:
    """Lines that stay."""

    def __init__(self, stream: Steady) -> None:
        self.state: State | None = None
        self._stream = stream
        self._teller = Teller()

    def moved(self, given: Input | None, state: State) -> None:
        self.state = state
        self.told(self._teller.lines(given, state))

    def record(self, record: Record) -> None:
        self.told(f"  {line}" for line in telling.of_record(record))

    def measured(self, step: str, result: StepResult | None) -> None:
        if line := telling.of_step(step, result):
            self.told([f"  {line}"])

    def told(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._stream.line(visible(line))


class LiveView(Lines):
    """What happened scrolls by; below it stands how things are, with the last lines of the agent.

    Nothing is written while the lock is held: whoever draws the screen holds the terminal's and then wants this one.
    """

    def __init__(self, stream: Steady, *, colour: bool) -> None:
        from rich.console import Console
        from rich.live import Live

        super().__init__(stream)
        self._since = time.monotonic()
        self._said: deque[str] = deque(maxlen=LAST_LINES)
        self._steps: dict[str, float] = {}
        self._lock = threading.RLock()
        file = cast("IO[str]", stream)
        self._console = Console(file=file, no_color=not colour, force_terminal=True, highlight=False)
        self._live = Live(
            console=self._console,
            get_renderable=self.screen,
            refresh_per_second=4,
            transient=True,
            redirect_stdout=False,
        )

    def __enter__(self) -> LiveView:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def moved(self, given: Input | None, state: State) -> None:
        with self._lock:
            self._since = time.monotonic()
            self._steps.clear()
        super().moved(given, state)

    def record(self, record: Record) -> None:
        with self._lock:
            self._said.extend(telling.of_record(record))

    def measured(self, step: str, result: StepResult | None) -> None:
        with self._lock:
            if result is None:
                self._steps[step] = time.monotonic()
            else:
                self._steps.pop(step, None)
        super().measured(step, result)

    def told(self, lines: Iterable[str]) -> None:
        from rich.text import Text

        for line in lines:
            self._console.print(Text(visible(line)), soft_wrap=True)

    def screen(self) -> RenderableType:
        """What stands below."""
        from rich.console import Group
        from rich.rule import Rule
        from rich.text import Text

        with self._lock:
            if self.state is None:
                return Text("")
            rows, said = facts(self.state, time.monotonic() - self._since, [*self._steps]), [*self._said]
        agent = [Text(line, style="dim", overflow="ellipsis", no_wrap=True) for line in said]
        below = [Text.assemble((f"{name:<9}", "dim"), text, overflow="ellipsis", no_wrap=True) for name, text in rows]
        return Group(*agent, Rule(style="dim"), *below)


def facts(state: State, seconds: float, steps: list[str]) -> list[tuple[str, str]]:
    """How things are, as rows of a name and a text."""
    from ralph.loop.standing import standing

    now = standing(state)
    at_work = f"{now['doing']} ({seconds:.0f} s)" + (f": {', '.join(steps)}" if steps else "")
    rows = {
        "phase": f"{now['phase']}, iteration {now['iteration']}",
        "task": f"{now['task']['id']}, attempt {now['task']['attempt']}" if now["task"] else "",
        "now": at_work if now["doing"] else "",
        "verdict": now["verdict"] or "",
        "spent": spent_text(now["spent"]),
        "left": left_text(now["left"]),
    }
    return [(name, visible(value)) for name, value in rows.items() if value]
