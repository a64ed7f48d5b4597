"""The agent `claude-cli`: the person's own Claude Code, headless (`claude -p`), without any package of Python's.

Rules (research: agent clients, 1.5): hooks and tools reach Ralph over HTTP on 127.0.0.1, each with a token that ends
with the turn and stands in files that nobody else may read, never on a command line. A hook that is not answered
denies. A client whose tools did not arrive is not let go on.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ralph.agents.base import End, Record, Turn
from ralph.agents.claude_hooks import hook_server
from ralph.agents.claude_law import settings
from ralph.agents.claude_line import arguments, bundled, environment, message, on_path
from ralph.agents.claude_turn import Scene, afresh, folder_of, play
from ralph.errors import RalphError
from ralph.mcp.serve import NAME, http_server
from ralph.record import record

NOT_FOUND = (
    "There is no `claude` outside the project on the PATH: install Claude Code, or name the program in ralph.yml "
    "(`agents.claude-cli.program`)."
)


@record
class ClaudeCli:
    """`program` is used instead of the one on the PATH."""

    name: str = "claude-cli"
    program: Path | None = None

    def run(self, turn: Turn) -> Iterator[Record]:
        program = self.program or on_path(turn) or bundled()
        if program is None:
            yield End("error", NOT_FOUND)
            return
        try:
            yield from afresh(turn, lambda turn: _played(turn, program))
        except (RalphError, OSError) as error:
            yield End("error", str(error))


def _played(turn: Turn, program: Path) -> Generator[Record]:
    scene = Scene(turn)
    with ExitStack() as stack:
        folder = stack.enter_context(folder_of(turn))
        hooks = stack.enter_context(hook_server(scene.law.answer))
        asked = _secret(folder / "settings.json", settings(hooks.url, hooks.token))
        config = None
        if scene.tools:
            tools = stack.enter_context(http_server(scene.tools))
            server = {"type": "http", "url": tools.url, "headers": tools.headers}
            config = _secret(folder / "mcp.json", json.dumps({"mcpServers": {NAME: server}}))
        line = [str(program), *arguments(turn, mcp_config=config, settings=asked)]
        yield from play(scene, line, environment(turn.env), folder, _Prompt(turn.prompt))


class _Prompt:
    """Gives the client its prompt; everything else reaches Ralph over HTTP."""

    trouble: str | None = None

    def __init__(self, prompt: str) -> None:
        self._waiting = [message(prompt)]

    def begin(self, nudge: Callable[[], None]) -> None:
        nudge()

    def hear(self, message: dict[str, Any]) -> None:
        """The client says that it was interrupted."""

    def outgoing(self) -> list[bytes]:
        waiting, self._waiting = self._waiting, []
        return waiting

    def close(self) -> None:
        """There is nothing to close."""


def _secret(path: Path, text: str) -> str:
    """Write a file that only this user may read; its path."""
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:  # noqa: PTH123 - a descriptor
        file.write(text)
    return str(path)
