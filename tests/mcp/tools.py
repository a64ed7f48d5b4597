"""Tools that do one thing each, and clients that reach them over each of the ways."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from mcp import Client, StdioServerParameters
from ralph.mcp.model import Tool, ToolError
from ralph.mcp.serve import Address, http_server, serve_stdio, server

T = TypeVar("T")
NOTHING: Mapping[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
ONE_TEXT: Mapping[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string", "maxLength": 20, "description": "What to say."}},
    "required": ["text"],
    "additionalProperties": False,
}


def _refuse(_arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    raise ToolError("Not now: ask again tomorrow.")


def _fail(_arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    raise KeyError("/secret/place")


def _print(_arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    print("this is no message of the protocol", flush=True)  # noqa: T201 - that is what is tried
    os.write(1, b"nor is this\n")
    return {"message": "Printed."}


def _wait(_arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    time.sleep(0.2)
    return {"message": "Waited."}


TOOLS = (
    Tool(
        name="echo",
        description="Says it again.",
        schema=ONE_TEXT,
        call=lambda given: {"message": "You said it.", "text": given["text"], "list": [1, 2.5, None]},
        reads=True,
    ),
    Tool(name="refuse", description="Refuses.", schema=NOTHING, call=_refuse),
    Tool(name="fail", description="Is broken.", schema=NOTHING, call=_fail),
    Tool(name="print", description="Writes to standard output.", schema=NOTHING, call=_print),
    Tool(name="wait", description="Takes its time.", schema=NOTHING, call=_wait),
)


@asynccontextmanager
async def over_memory(tools: Sequence[Tool] = TOOLS, mode: str = "auto") -> AsyncIterator[Client]:
    async with Client(server(tools), mode=mode) as client:
        yield client


@asynccontextmanager
async def over_stdio(_tools: Sequence[Tool] = TOOLS, mode: str = "auto") -> AsyncIterator[Client]:
    top = Path(__file__).parents[2]
    started = StdioServerParameters(command=sys.executable, args=["-m", "tests.mcp.tools"], cwd=top)
    async with Client(started, mode=mode) as client:
        yield client


@asynccontextmanager
async def over_http(tools: Sequence[Tool] = TOOLS, mode: str = "auto") -> AsyncIterator[Client]:
    with http_server(tools) as address:
        async with connected(address, mode) as client:
            yield client


@asynccontextmanager
async def connected(address: Address, mode: str = "auto") -> AsyncIterator[Client]:
    """A client of a server that runs already."""
    import httpx2

    async with (
        httpx2.AsyncClient(headers=address.headers, trust_env=False, timeout=120) as http,
        Client(streamable_http_client(address.url, http_client=http), mode=mode) as client,
    ):
        yield client


WAYS = {"memory": over_memory, "stdio": over_stdio, "http": over_http}


def run(session: Callable[[], Awaitable[T]]) -> T:
    async def main() -> T:
        return await session()

    return asyncio.run(main())


def said(result: CallToolResult) -> str:
    """The text of a result, which is one block."""
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


if __name__ == "__main__":
    serve_stdio(TOOLS)
