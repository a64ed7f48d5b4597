"""Whatever ran needs a decision of its own that allowed it."""

from __future__ import annotations

import pytest

from ralph.agents.base import Decided, End, Record, Text, ToolCall, ToolResult
from ralph.agents.reconcile import reconcile


def call(number: str | None = "1", target: str = "ls") -> ToolCall:
    return ToolCall("Bash", target, number)


def allowed(number: str | None = "1") -> Decided:
    return Decided(id=number, tool="Bash", outcome="allow", reason="reads")


def denied(number: str | None = "1") -> Decided:
    return Decided(id=number, tool="Bash", outcome="deny", reason="no pushing")


def ran(number: str | None = "1") -> ToolResult:
    return ToolResult(True, "", number)


def refused(number: str | None = "1") -> ToolResult:
    return ToolResult(False, "", number, ran=False)


WELL: dict[str, list[Record]] = {
    "nothing happened": [],
    "only words": [Text("hello"), End("completed")],
    "allowed and ran": [call(), allowed(), ran(), End("completed")],
    "the decision came late in the stream": [call(), ran(), allowed()],
    "denied and did not run": [call(), denied(), refused()],
    "the client refused by itself": [call(), refused()],
    "decided, and the client died": [call(), allowed(), End("crashed")],
    "it failed": [call(), allowed(), ToolResult(False, "exit 1", "1")],
    "several at once": [call("1"), call("2"), allowed("2"), allowed("1"), ran("1"), ran("2")],
    "one number twice, decided twice": [call(), allowed(), ran(), call(), allowed(), ran()],
}

BADLY: dict[str, tuple[list[Record], str]] = {
    "no decision": ([call(), ran()], "Bash (ls) ran without a decision of Ralph's that allowed it."),
    "denied, but ran": ([call(), denied(), ran()], "Bash (ls) ran although it was denied: no pushing"),
    "allowed and denied": ([call(), allowed(), denied(), ran()], "Bash (ls) ran although it was denied: no pushing"),
    "another's decision": (
        [call(), allowed("2"), ran()],
        "Bash (ls) ran without a decision of Ralph's that allowed it.",
    ),
    "one decision for two": (
        [call(), allowed(), ran(), call(), ran()],
        "Bash (ls) ran without a decision of Ralph's that allowed it.",
    ),
    "no number": (
        [call(None), allowed(None), ran(None)],
        "Bash (ls) ran, and its result carries no id, so no decision about it can be found.",
    ),
    "no call": ([ran("7")], "The call 7 ran without a decision of Ralph's that allowed it."),
    "a name that hides": (
        [call(target="ls\x1b[2K"), ran()],
        "Bash (ls\\x1b[2K) ran without a decision of Ralph's that allowed it.",
    ),
}


@pytest.mark.parametrize("records", WELL.values(), ids=WELL.keys())
def test_all_is_well(records: list[Record]) -> None:
    assert reconcile(records) == ()


@pytest.mark.parametrize(("records", "finding"), BADLY.values(), ids=BADLY.keys())
def test_a_finding(records: list[Record], finding: str) -> None:
    assert reconcile(iter(records)) == (finding,)


def test_every_one_is_found() -> None:
    assert len(reconcile([call("1"), call("2"), ran("1"), ran("2")])) == 2
