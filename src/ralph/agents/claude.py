"""The agent `claude`: Claude Code through the package `claude-agent-sdk`.

Rules (research: agent clients, 1.4): hooks and Ralph's tools are functions of this process, asked over the client's own
input and output (`claude_bridge`). A hook that fails denies. The package brings a program of its own, which is the one
that is used, since the two belong together.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path

from ralph.agents.base import End, Record, Turn
from ralph.agents.claude_line import arguments, bundled, environment, on_path
from ralph.agents.claude_turn import Scene, afresh, folder_of, play
from ralph.errors import RalphError
from ralph.record import record
from ralph.system.extras import missing

NO_PACKAGE = missing("The agent `claude`", "claude")
NOT_FOUND = "The package claude-agent-sdk came without its program, and there is no `claude` on the PATH: reinstall it."


@record
class Claude:
    """`program` is used instead of the package's own."""

    name: str = "claude"
    program: Path | None = None

    def run(self, turn: Turn) -> Iterator[Record]:
        try:
            import claude_agent_sdk  # noqa: F401 - slow to load, and not everybody has it
        except ImportError:
            yield End("error", NO_PACKAGE)
            return
        program = self.program or bundled() or on_path(turn)
        if program is None:
            yield End("error", NOT_FOUND)
            return
        try:
            yield from afresh(turn, lambda turn: _played(turn, program))
        except (RalphError, OSError) as error:
            yield End("error", str(error))


def _played(turn: Turn, program: Path) -> Generator[Record]:
    from ralph.agents.claude_bridge import ENTRY, MCP_CONFIG, Bridge

    scene = Scene(turn)
    with ExitStack() as stack:
        folder = stack.enter_context(folder_of(turn))
        line = [str(program), *arguments(turn, mcp_config=MCP_CONFIG if scene.tools else None)]
        bridge = Bridge(turn.prompt, scene.law, scene.tools)
        yield from play(scene, line, {**environment(turn.env), **ENTRY}, folder, bridge)
