"""The agent `codex`: the person's own Codex, headless (`codex exec --json`).

Rules (research: agent clients, 2; design decisions 25 and 33): it runs under a court, in a home of the run's own (see
`codex_home`), with Ralph's tools over HTTP; without a court it does not run. The prompt comes by standard input. A
session goes on by its id, within its run.
"""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ralph.agents import codex_home
from ralph.agents.base import End, Record, Turn
from ralph.agents.codex_turn import LOG, Play
from ralph.agents.watchdog import Watchdog
from ralph.errors import RalphError
from ralph.hook.court import TurnCourt
from ralph.mcp.model import Tool
from ralph.mcp.serve import http_server
from ralph.record import record, replace
from ralph.system.process import Command
from ralph.system.scratch import scratch

CLIENT = "codex"
"""What its hooks call it, whatever the agent is called in ralph.yml."""
GRACE_S = 3.0
NOT_FOUND = (
    "There is no `codex` outside the project on the PATH: install it with `npm install -g @openai/codex`, or name the "
    "program in ralph.yml (`agents.codex.program`)."
)
NO_COURT = "Codex runs only in a turn of a run, where a court judges what it does."


@record
class Codex:
    """`program` is used instead of the one on the PATH."""

    name: str = "codex"
    program: Path | None = None

    def run(self, turn: Turn) -> Iterator[Record]:
        program = self.program or _on_path(turn)
        if turn.court is None or turn.folder is None:
            yield End("ungoverned", NO_COURT)
        elif program is None:
            yield End("error", NOT_FOUND)
        else:
            try:
                yield from _played(turn, turn.court, turn.folder, program)
            except (RalphError, OSError) as error:
                yield End("error", str(error))


def _played(turn: Turn, court: TurnCourt, folder: Path, program: Path) -> Iterator[Record]:
    court = replace(court, client=CLIENT)
    home = folder.parent.parent / "codex"
    with ExitStack() as stack:
        temporary = stack.enter_context(scratch("codex"))
        play = stack.enter_context(Play(turn, court, folder, home))
        tools = stack.enter_context(http_server([_patient(each, play.watchdog) for each in turn.tools]))
        codex_home.prepare(home, turn, court, tools)
        command = Command(
            line=_line(program, turn.session),
            cwd=turn.workdir,
            env=codex_home.environment(turn, court, home, tools, temporary),
            log=folder / LOG,
            timeout_s=math.inf,
            grace_s=GRACE_S,
            stdin=turn.prompt.encode("utf-8", "replace"),
        )
        yield from play.records(command)


def _line(program: Path, session: str | None) -> tuple[str, ...]:
    """Trust in hooks is no question: those of the home are Ralph's own."""
    goes_on = ("resume",) if session else ()
    options = ("--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust")
    return (str(program), "exec", *goes_on, *options, *((session,) if session else ()), "-")


def _patient(tool: Tool, watchdog: Watchdog) -> Tool:
    """The tool; while it is called, it is Ralph that the client waits for."""

    def call(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        with watchdog.paused():
            return tool.call(arguments)

    return replace(tool, call=call)


def _on_path(turn: Turn) -> Path | None:
    """The person's own `codex`. One that lies in the project is the agent's making, and is not taken."""
    root = turn.workdir.resolve()
    for folder in turn.env.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which("codex", path=folder) if folder.startswith("/") else None
        if found and not Path(found).is_relative_to(root) and not Path(found).resolve().is_relative_to(root):
            return Path(found)
    return None
