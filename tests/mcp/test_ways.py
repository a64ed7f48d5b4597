"""A real client meets the same tools and the same answers, in memory, over stdio and over HTTP."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

pytest.importorskip("mcp")

from tests.mcp.tools import TOOLS, WAYS, run, said

PAIRS = [(name, mode) for name in WAYS for mode in ("auto", "legacy")]


@pytest.mark.parametrize(("way", "mode"), PAIRS, ids=[f"{way}-{mode}" for way, mode in PAIRS])
def test_every_way_shows_and_answers_the_same(way: str, mode: str) -> None:
    async def session() -> list[Any]:
        async with WAYS[way](TOOLS, mode) as client:
            listed = (await client.list_tools()).tools
            assert [(each.name, each.description, dict(each.input_schema)) for each in listed] == [
                (each.name, each.description, dict(each.schema)) for each in TOOLS
            ]
            assert [each.annotations and each.annotations.read_only_hint for each in listed] == [
                each.reads for each in TOOLS
            ]
            calls = [
                ("echo", {"text": "héllo"}),
                ("echo", {}),
                ("refuse", {}),
                ("fail", None),
                ("print", None),
                ("no", {}),
            ]
            return [await client.call_tool(name, arguments) for name, arguments in calls]

    echoed, invalid, refused, failed, printed, unknown = run(session)
    assert echoed.structured_content == {"message": "You said it.", "text": "héllo", "list": [1, 2.5, None]}
    assert said(echoed).startswith("You said it.\n\n{\n")
    assert "héllo" in said(echoed)
    assert said(invalid) == "echo was not called: 'text' is missing."
    assert said(refused) == "Not now: ask again tomorrow."
    assert said(failed).startswith("fail ended in an internal error of Ralph")
    assert said(unknown).startswith("There is no tool of this name here; there are: echo, ")
    assert [each.is_error for each in (echoed, invalid, refused, failed, printed, unknown)] == [
        False, True, True, True, False, True,
    ]  # fmt: skip
    assert all(each.structured_content is None for each in (invalid, refused, failed, unknown))


@pytest.mark.parametrize("way", WAYS)
def test_calls_do_not_wait_for_each_other(way: str) -> None:
    async def session() -> float:
        async with WAYS[way](TOOLS, "auto") as client:
            started = time.monotonic()
            told = await asyncio.gather(*(client.call_tool("wait") for _ in range(20)))
            assert {said(each) for each in told} == {"Waited."}
            return time.monotonic() - started

    assert run(session) < 20 * 0.2 / 2
