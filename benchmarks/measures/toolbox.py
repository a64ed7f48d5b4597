"""Ralph's tools as agents call them: tasks added one by one, each durable when its call returns; what ways cost."""

from __future__ import annotations

import asyncio
import json
import os
import time
from itertools import count
from pathlib import Path
from typing import Any

import httpx2
from mcp.client.streamable_http import streamable_http_client
from report import Table, best_s

from mcp import Client
from ralph.loop.plan.files import PlanStore
from ralph.loop.saved import StateStore
from ralph.loop.toolbox import Desk, tools
from ralph.mcp.answer import answer
from ralph.mcp.model import Tool
from ralph.mcp.serve import Address, http_server, server

_NUMBERS = count()


def measure(table: Table, work: Path, *, quick: bool) -> None:
    number = 100 if quick else 1_000
    direct = best_s(lambda: _add(_tools(work), number), 1)
    bare = best_s(lambda: _bare(work / "bare.json", number), 1)
    table.row(
        f"{number} tasks by `ralph_add_task`, each checked against the plan and synced",
        f"{direct:.2f} s",
        "5 s for 1,000 (the first implementation: 23 s, nothing synced)",
        f"a growing list as `json.dumps`, written anew and synced each time: {bare:.2f} s",
    )
    with http_server(_tools(work)) as address:
        whole = asyncio.run(_over_http(address, number))
        table.row(f"the same {number} by a real MCP client over HTTP", f"{whole:.2f} s")
        calls = 100
        reading = asyncio.run(_over_http(address, calls, "ralph_get_state_summary"))
        table.row("a call that only reads, over HTTP", f"{reading / calls * 1000:.1f} ms")
    inner = asyncio.run(_in_memory(_tools(work), calls))
    table.row("the same, with client and server in one process", f"{inner / calls * 1000:.1f} ms")
    table.row("an HTTP server for a turn: start and stop", f"{best_s(lambda: _turn(work), 5) * 1000:.0f} ms")


def _tools(work: Path) -> tuple[Tool, ...]:
    """Those of a project where nothing was planned yet."""
    root = work / f"toolbox-{next(_NUMBERS)}"
    root.mkdir()
    return tools(Desk(root=root, plan=PlanStore(root), states=StateStore(root)))


def _task(number: int) -> dict[str, Any]:
    before = {"dependencies": [f"task-{number - 1}"]} if number else {}
    return {"task_id": f"task-{number}", "description": f"Do number {number}.", "priority": 1 + number % 9, **before}


def _add(made: tuple[Tool, ...], number: int) -> None:
    for each in range(number):
        assert not answer(made, "ralph_add_task", _task(each)).refused


def _bare(path: Path, number: int) -> None:
    listed: list[dict[str, Any]] = []
    for each in range(number):
        listed.append(_task(each))
        with path.open("w") as file:
            file.write(json.dumps(listed, indent=2))
            file.flush()
            os.fsync(file.fileno())


async def _over_http(address: Address, number: int, name: str = "ralph_add_task") -> float:
    async with (
        httpx2.AsyncClient(headers=address.headers, trust_env=False, timeout=60) as http,
        Client(streamable_http_client(address.url, http_client=http)) as client,
    ):
        return await _timed(client, number, name)


async def _in_memory(made: tuple[Tool, ...], number: int) -> float:
    async with Client(server(made)) as client:
        return await _timed(client, number, "ralph_get_state_summary")


async def _timed(client: Client, number: int, name: str) -> float:
    began = time.perf_counter()
    for each in range(number):
        told = await client.call_tool(name, _task(each) if name == "ralph_add_task" else {})
        assert not told.is_error
    return time.perf_counter() - began


def _turn(work: Path) -> None:
    with http_server(_tools(work)):
        pass
