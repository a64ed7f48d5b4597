"""Whatever a client sends: an answer that it can read, or an error, which denies. Never an allow out of an error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ralph.context.trust import accept
from ralph.hook.calls import INSIDE
from ralph.hook.main import reply
from tests.hook.test_door import POLICY
from tests.project import repository

TOOLS = ["Bash", "Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "Glob", "Grep", "LS", "WebFetch", "apply_patch"]
KEYS = ["command", "cmd", "file_path", "notebook_path", "path", "pattern", "content", "url", "input", "patch"]
TEXTS = ["ls", "ls src", "git push", "rm -rf /", ".env", "src/a", "../..", "/etc/passwd", "*", "**", "\0", "\ud800", ""]
PATCHES = [
    "*** Begin Patch\n*** Add File: src/n\n+x\n*** End Patch",
    "*** Begin Patch\n*** Delete File: .env\n*** End Patch",
]

texts = st.one_of(
    st.sampled_from(TEXTS), st.sampled_from(PATCHES), st.text(max_size=40), st.text("ab/.*\n`$()<>|&;'\" ")
)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), texts),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
arguments = st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=6), texts | values, max_size=4)
events = st.fixed_dictionaries(
    {
        "hook_event_name": st.just("PreToolUse") | st.sampled_from(["PreToolUse", "pretooluse", "Stop"]) | values,
        "tool_name": st.sampled_from([*TOOLS, "mcp__a__b", "Unknown"]) | texts | values,
        "tool_input": arguments | values,
        "cwd": st.sampled_from(["ROOT", "ROOT/src", "/", "/proc/self/cwd", "", "src"]) | values,
    },
    optional={"session_id": texts | values},
)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository(tmp_path_factory.mktemp("fuzz"), {"ralph.policy.json": json.dumps(POLICY), "src/a": "a\n"})


@pytest.fixture(autouse=True)
def _accepted(root: Path) -> None:
    accept(root, ["ralph.policy.json"])


def answered(data: bytes, client: str, root: Path) -> dict[str, Any] | None:
    """The decision; None if it was an error, which the door turns into exit code 2, or no question."""
    try:
        found = reply(data, client, root, 0.0)
    except Exception:  # noqa: BLE001 - as the door does it
        return None
    if not found:
        assert client == "codex"
        return None
    decision: dict[str, Any] = json.loads(found)["hookSpecificOutput"]
    assert decision["permissionDecision"] in ("allow", "deny")
    assert decision["hookEventName"] == "PreToolUse"
    return decision


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(event=events, client=st.sampled_from(["claude", "codex"]))
def test_events(event: dict[str, Any], client: str, root: Path) -> None:
    data = json.dumps(event).replace("ROOT", str(root)).encode()
    decision = answered(data, client, root)
    if decision is None or decision["permissionDecision"] == "deny":
        return
    # What was allowed is one of the few things that the policy allows.
    tool, given_to = event["tool_name"], event["tool_input"]
    assert event["hook_event_name"] == "PreToolUse"
    assert tool in INSIDE or tool in TOOLS
    assert not forbidden(tool, given_to)
    if tool == "Bash" and "updatedInput" not in decision:
        assert client == "codex"
        assert "apply_patch" in given_to["command"]


ACTS_ON = {"Bash": "command", "LS": "path", **dict.fromkeys(["Read", "Write", "Edit", "MultiEdit"], "file_path")}


def forbidden(tool: str, given_to: dict[str, Any]) -> bool:
    """Whether a tool acts on what nobody may. The content of a file, or an argument that no tool has, is only text."""
    wanted = given_to.get(ACTS_ON.get(tool, ""))
    return wanted in (("git push", "rm -rf /") if tool == "Bash" else (".env", "/etc/passwd"))


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=200) | values.map(lambda value: json.dumps(value).encode()))
def test_anything_at_all_allows_nothing(data: bytes, root: Path) -> None:
    assert answered(data, "claude", root) is None


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_call_with_bytes_changed(data: st.DataObject, root: Path) -> None:
    """A real payload in which something broke: it is denied, or still what it was."""
    event = {
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "touch x"},
        "cwd": str(root),
    }
    whole = bytearray(json.dumps(event).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(whole) - 1))
        whole[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    decision = answered(bytes(whole), "claude", root)
    if decision and decision["permissionDecision"] == "allow":
        assert "touch x" not in json.loads(bytes(whole))["tool_input"].get("command", "")


@pytest.mark.parametrize("size", [1 << 16, 1 << 20, 1 << 22])
def test_huge_texts(root: Path, size: int) -> None:
    event = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls " + "a" * size}}
    decision = answered(json.dumps({**event, "cwd": str(root)}).encode(), "claude", root)
    assert decision is None or decision["permissionDecision"] == "deny"
