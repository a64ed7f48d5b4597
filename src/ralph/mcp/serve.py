"""The MCP server `ralph`: the same tools over stdio, over HTTP, and in memory for tests.

Rules (spec: MCP tools; design section 9):

- Clients are shown the schemas of the tools unchanged. Every call is `answer.answer`, in a thread of its own: a tool
  may take its time, and others are answered meanwhile.
- Over stdio, standard output belongs to the protocol: whatever else is written goes to standard error.
- Over HTTP the server listens on 127.0.0.1 alone, at a port and with a token of its own (see `guard`). When its block
  is left, no new call is taken, calls under way get `GRACE_S`, connections are cut, and the port is closed.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import ralph
from ralph.mcp.answer import Answer, Report, answer, to_stderr
from ralph.mcp.calls import Calls
from ralph.mcp.model import Tool
from ralph.record import field, record
from ralph.system.extras import needed

if TYPE_CHECKING:
    from mcp.server import Server

NAME = "ralph"
GRACE_S = 5.0
MOST_AT_ONCE = 64
_OVER = Answer(text="The turn is over: nothing is called any more.")


@record(kw_only=True)
class Address:
    """Where the server is, and what a client must send with every request."""

    url: str
    token: str = field(repr=False)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


def server(tools: Sequence[Tool], report: Report = to_stderr, *, calls: Calls | None = None) -> Server[Any]:
    """The server itself, for one transport. Raises MissingToolError without the package."""
    with needed("MCP", "mcp"):
        import anyio
        import mcp_types as types
        from mcp.server import Server
    counted, limiter = calls or Calls(), anyio.CapacityLimiter(MOST_AT_ONCE)
    listed = [
        types.Tool(
            name=each.name,
            description=each.description,
            input_schema=dict(each.schema),
            annotations=types.ToolAnnotations(read_only_hint=each.reads, open_world_hint=False),
        )
        for each in tools
    ]

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=listed)

    async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        def called() -> Answer:
            with counted.one() as taken:
                return answer(tools, params.name, params.arguments, report) if taken else _OVER

        told = await anyio.to_thread.run_sync(called, limiter=limiter, abandon_on_cancel=True)
        return types.CallToolResult(
            content=[types.TextContent(text=told.text)], structured_content=told.data, is_error=told.refused
        )

    _silence("mcp")
    return Server(NAME, version=ralph.__version__, on_list_tools=list_tools, on_call_tool=call_tool)


def serve_stdio(tools: Sequence[Tool], report: Report = to_stderr) -> None:
    """Serve one client over standard input and output until it closes the input."""
    made = server(tools, report)
    import anyio
    from mcp.server.stdio import stdio_server

    async def serve() -> None:
        async with stdio_server() as (incoming, outgoing):
            await made.run(incoming, outgoing, made.create_initialization_options())

    anyio.run(serve)


@contextmanager
def http_server(tools: Sequence[Tool], report: Report = to_stderr) -> Iterator[Address]:
    """Serve clients over HTTP from a thread of its own while the block runs; several servers at once are fine."""
    calls = Calls()
    made = server(tools, report, calls=calls)
    from ralph.mcp.listener import Listener

    _silence("uvicorn")
    listener = Listener(made)
    try:
        listener.start()
        yield Address(url=listener.url, token=listener.token)
    finally:
        if not calls.close(GRACE_S):
            report("ralph: a call of a tool was still under way when its turn ended; nobody waits for it any more.")
        listener.stop()


def _silence(package: str) -> None:
    """What a package logs is for nobody: a client gets its answer, and Ralph is told by `report`."""
    logger = logging.getLogger(package)
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
