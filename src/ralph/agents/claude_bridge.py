"""Between a running Claude Code and the functions that answer it, by way of `claude-agent-sdk`.

Rules:

- The package's client gets a transport that carries only questions and answers: hooks, tools, and the handshake before
  them. What the client says otherwise is read by `claude_messages`, which knows all of it.
- Its event loop has a thread of its own, and every answer another one: a decision may wait for a person, and tools take
  their time. None of them is waited for when the turn is over.
- If the handshake fails, the client cannot be governed: it is too old to deny when a hook fails, or broken.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from typing import Any, cast

import claude_agent_sdk as sdk

from ralph.agents.claude_law import TIMEOUT_S, Law
from ralph.mcp.calls import Calls
from ralph.mcp.model import Tool
from ralph.mcp.serve import NAME, server

ENTRY = {"CLAUDE_CODE_ENTRYPOINT": "sdk-py", "CLAUDE_AGENT_SDK_VERSION": sdk.__version__}
MCP_CONFIG = json.dumps({"mcpServers": {NAME: {"type": "sdk", "name": NAME}}})
CLOSE_S = 5.0


class _Transport(sdk.Transport):
    """Carries questions from the client and answers to it."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self.incoming: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

    async def connect(self) -> None:
        """The client runs already."""

    async def write(self, data: str) -> None:
        self._write(data.encode())

    async def read_messages(self) -> AsyncIterator[dict[str, Any]]:
        while (message := await self.incoming.get()) is not None:
            yield message

    async def close(self) -> None:
        self.incoming.put_nowait(None)

    def is_ready(self) -> bool:
        return True

    async def end_input(self) -> None:
        """The turn closes the client's input when it is over."""


class Bridge:
    """The counterpart of one turn's client."""

    def __init__(self, prompt: str, law: Law, tools: Sequence[Tool]) -> None:
        self._prompt = prompt
        self._law = law
        self._tools = tools
        self._calls = Calls()
        self._outgoing: deque[bytes] = deque()
        self._nudge: Callable[[], None] = lambda: None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._transport = _Transport(self._write)
        self._thread = threading.Thread(target=self._run, daemon=True, name="claude")
        self._main: asyncio.Task[None] | None = None
        self.trouble: str | None = None

    def begin(self, nudge: Callable[[], None]) -> None:
        self._nudge = nudge
        self._loop = asyncio.new_event_loop()
        self._main = self._loop.create_task(self._converse())
        self._thread.start()

    def hear(self, message: dict[str, Any]) -> None:
        self._soon(self._transport.incoming.put_nowait, message)

    def outgoing(self) -> list[bytes]:
        return [self._outgoing.popleft() for _ in range(len(self._outgoing))]

    def close(self) -> None:
        self._calls.close(CLOSE_S)
        if self._main is not None:
            self._soon(self._main.cancel)
            self._thread.join(CLOSE_S)

    def _soon(self, function: Callable[..., object], *arguments: object) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # it has ended
                self._loop.call_soon_threadsafe(function, *arguments)

    def _write(self, data: bytes) -> None:
        self._outgoing.append(data)
        self._nudge()

    def _run(self) -> None:
        loop, main = self._loop, self._main
        assert loop is not None
        assert main is not None
        with suppress(asyncio.CancelledError):
            loop.run_until_complete(main)
        loop.run_until_complete(_end_the_others())
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()

    async def _converse(self) -> None:
        try:
            async with sdk.ClaudeSDKClient(self._options(), self._transport) as client:
                await client.query(self._prompt.encode("utf-8", "replace").decode())
                await asyncio.Event().wait()
        except Exception as error:  # noqa: BLE001 - whatever it is, nobody answers the client any more
            self.trouble = f"the client cannot be asked to obey: {error}"
            self._nudge()

    def _options(self) -> sdk.ClaudeAgentOptions:
        matcher = sdk.HookMatcher(hooks=[cast(Any, self._asked)], timeout=TIMEOUT_S, on_failure="block")
        servers: dict[str, Any] = {}
        if self._tools:
            made = server(self._tools, calls=self._calls)
            servers = {NAME: sdk.McpSdkServerConfig(type="sdk", name=NAME, instance=made)}
        return sdk.ClaudeAgentOptions(
            hooks={"PreToolUse": [matcher]}, mcp_servers=servers, verbatim_prompts=True, setting_sources=[]
        )

    async def _asked(self, question: Any, number: str | None, context: Any) -> dict[str, Any]:
        """A hook: what the law says to it."""
        reply = await _in_thread(lambda: self._law.answer(json.dumps(question).encode("ascii")))
        answer: dict[str, Any] = json.loads(reply)
        return answer


async def _end_the_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


async def _in_thread(function: Callable[[], bytes]) -> bytes:
    """Call a function in a thread that nobody waits for at the end. Raises LookupError if it gave nothing."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[bytes] = loop.create_future()

    def give(value: bytes | None) -> None:
        if future.done():
            return
        if value is None:
            future.set_exception(LookupError("nothing was decided"))
        else:
            future.set_result(value)

    def work() -> None:
        value = None
        try:
            value = function()
        finally:
            with suppress(RuntimeError):  # the turn is over, and its loop with it
                loop.call_soon_threadsafe(give, value)

    threading.Thread(target=work, daemon=True, name="decision").start()
    return await future
