"""What one sees of a run: lines, a live view, or JSON; and that looking changes nothing."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ralph.agents.base import Claim, Decided, End, Record, Started, Text, ToolCall, ToolResult, Usage
from ralph.cli.live import JsonView, Lines, LiveView, Steady, facts
from ralph.cli.telling import LONGEST, account
from ralph.loop.inputs import Controlled, Input, PhaseChecked, RolledBack
from ralph.loop.journal import Journal
from ralph.verdict import StepResult
from tests.cli.runs import RUN, begin, happened, judged, turn
from tests.project import repository


@pytest.fixture
def run(tmp_path: Path) -> Journal:
    return begin(repository(tmp_path / "repo", {"a.md": "one\n"}))


class Terminal(io.StringIO):
    """Keeps what is written; `fails` once nobody reads any more."""

    fails = False

    def write(self, text: str) -> int:
        if self.fails:
            raise BrokenPipeError
        return super().write(text)


RECORDS: list[Record] = [
    Started(agent="claude", model="opus"),
    Text("first\n\n\x1b[2Jsecond"),
    ToolCall("Bash", "rm -rf /\nsecond line"),
    Decided(id="1", tool="Bash", outcome="deny", reason="never"),
    Decided(id="2", tool="Read", outcome="allow", reason="fine"),
    ToolResult(True, "secret output"),
    Claim("build.done", "tests: pass"),
    Usage(input_tokens=5),
    End("completed"),
]


def played(view: Any, run: Journal, *inputs: Input) -> None:
    view.moved(None, run.state)
    for record in RECORDS:
        view.record(record)
    view.measured("tests", None)
    view.measured("tests", StepResult(name="tests", status="fail", duration_ms=1200, reason="1 failed"))
    for given in inputs:
        happened(run, given)
        view.moved(given, run.state)


def test_plain_lines(run: Journal) -> None:
    out = Terminal()
    stop = Controlled(do="stop", number=1)
    played(Lines(Steady(out)), run, turn(), judged("refused", told=("tests: fail",), reason="tests fail"), stop)
    assert out.getvalue().splitlines() == [
        "phase: building",
        "  agent: claude opus",
        "  first",
        "  \\x1b[2Jsecond",
        "  > Bash rm -rf /",
        "  denied: Bash: never",
        "  claims build.done tests: pass",
        "  ✗ tests fail (1.2 s)",
        "iteration 1: completed ($0.50, 1,000 tokens, 60 s)",
        "measured: refused: tests fail",
        "  tests: fail",
        "a person says: stop",
    ]


def test_json_lines(run: Journal) -> None:
    out = Terminal()
    played(JsonView(Steady(out)), run, turn())
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert (lines[0]["input"], lines[0]["standing"]["phase"]) == (None, "building")
    assert lines[2] == {"record": "Text", "text": "first\n\n\x1b[2Jsecond"}
    assert lines[-2]["result"] == {"status": "fail", "duration_ms": 1200, "reason": "1 failed"}
    assert (lines[-1]["input"]["kind"], lines[-1]["standing"]["iteration"]) == ("TurnEnded", 1)
    assert "\x1b" not in out.getvalue()


@pytest.mark.parametrize("colour", [True, False])
def test_the_live_view(run: Journal, colour: bool) -> None:
    out = Terminal()
    with LiveView(Steady(out), colour=colour) as view:
        played(view, run, turn(), judged())
        view.record(Text("the last word"))
        view.measured("lint", None)
        view._live.refresh()
    shown = out.getvalue()
    for part in (
        "phase",
        "building, iteration 1",
        "auth-01, attempt 1",
        "$0.50, 1,000 tokens",
        "left",
        "the last word",
    ):
        assert part in shown
    assert "the agent works (0 s): lint" in shown
    assert "✗ tests fail (1.2 s)" in shown
    assert "\x1b[2Jsecond" not in shown
    assert "[dim]" not in shown
    assert bool(re.search(r"\x1b\[3[0-7]m", shown)) is False


class Watched(Terminal):
    """A terminal on which somebody else draws the screen while something is written."""

    view: LiveView | None = None
    drawn: bool | None = None

    def write(self, text: str) -> int:
        view, self.view = self.view, None
        if view is not None:
            drawing = threading.Thread(target=view.screen, daemon=True)
            drawing.start()
            drawing.join(30)
            self.drawn = not drawing.is_alive()
        return super().write(text)


@pytest.mark.parametrize("tells", ["moved", "measured"])
def test_nothing_is_held_while_it_writes(run: Journal, tells: str) -> None:
    """Who draws the screen holds the terminal and waits for what the view holds: they must not wait in a ring."""
    out = Watched()
    with LiveView(Steady(out), colour=True) as view:
        view.moved(None, run.state)
        out.view = view
        if tells == "moved":
            view.moved(turn(), run.state)
        else:
            view.measured("lint", StepResult(name="lint", status="pass"))
    assert out.drawn


@pytest.mark.parametrize("kind", [Lines, JsonView, lambda stream: LiveView(stream, colour=True)])
def test_a_reader_that_went_away_stops_nothing(run: Journal, kind: Callable[[Steady], Any]) -> None:
    out = Terminal()
    view = kind(Steady(out))
    out.fails = True
    played(view, run, turn())


def test_a_stream_that_is_closed_stops_nothing() -> None:
    out = io.StringIO()
    steady = Steady(out)
    out.close()
    steady.line("x")
    steady.flush()


def test_long_texts_are_cut(run: Journal) -> None:
    out = Terminal()
    Lines(Steady(out)).record(Text("x" * 5000 + "\n" + "line\n" * 50))
    lines = out.getvalue().splitlines()
    assert len(lines) == 13
    assert len(lines[0]) == LONGEST + 2
    assert lines[-1] == "  ... and 39 more lines"


def test_markup_of_an_agent_is_text(run: Journal) -> None:
    out = Terminal()
    with LiveView(Steady(out), colour=True) as view:
        view.moved(None, run.state)
        view.record(Text("[bold red]PASS[/] [link=file:///etc/passwd]x[/link] :smile:"))
        view._live.refresh()
    assert "[bold red]PASS[/] [link=file:///etc/passwd]x[/link] :smile:" in out.getvalue()


def test_a_phase_and_a_warning_are_told_once(run: Journal) -> None:
    out = Terminal()
    view = Lines(Steady(out))
    for given in [
        turn(1.7),
        judged(),
        turn(1.7),
        judged(),
        *[each for _ in range(23) for each in (turn(1.7), judged())],
    ]:
        happened(run, given)
        view.moved(given, run.state)
    told = [line for line in out.getvalue().splitlines() if line.startswith("four fifths")]
    assert told == ["four fifths of a limit are used: cost_limit:$40.80 of $50.00 per session"]
    assert out.getvalue().count("phase: building") == 1


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            PhaseChecked(complete=False, problems=("specs/ is empty",)),
            ["the phase is not complete yet", "  specs/ is empty"],
        ),
        (RolledBack(tree="t", rejected="refs/ralph/x"), ["the work was taken back; it is kept as refs/ralph/x"]),
    ],
)
def test_what_happens_in_words(run: Journal, given: Input, told: list[str]) -> None:
    out = Terminal()
    view = Lines(Steady(out))
    view.moved(None, run.state)
    view.moved(given, run.state)
    assert out.getvalue().splitlines()[1:] == told


def test_the_account_at_the_end(run: Journal) -> None:
    assert list(account(run.state)) == [f"The run {RUN} was cut off; `ralph resume` goes on with it."]
    happened(run, turn(None), Controlled(do="stop"))
    assert list(account(run.state)) == [
        "STOPPED: It was stopped; `ralph resume` goes on with it.",
        "  tasks   0 complete, 2 open, 0 blocked",
        "  spent   unknown cost, 1,000 tokens, 60 s, 1 iteration",
        "→ `ralph status` shows more; `ralph resume` goes on",
    ]


def test_rows_hide_nothing_that_acts(run: Journal) -> None:
    assert ("now", "the agent works (3 s): a\\x1bb") in facts(run.state, 3.2, ["a\x1bb"])


ON_A_TERMINAL = """
import sys
from ralph.cli.live import LiveView, view
with view(as_json=False) as watching:
    print(isinstance(watching, LiveView), file=sys.stdout)
"""


@pytest.mark.parametrize(("term", "is_live"), [("xterm", True), ("dumb", False), ("", False)])
def test_the_live_view_is_for_terminals_that_can(term: str, is_live: bool) -> None:
    primary, secondary = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-c", ON_A_TERMINAL],
            stdout=subprocess.PIPE,
            stderr=secondary,
            env={**os.environ, "TERM": term},
            check=True,
        )
    finally:
        os.close(secondary)
        os.close(primary)
    assert done.stdout.split() == [str(is_live).encode()]
