"""Which actions a call of a tool is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ralph.hook.calls import INSIDE, actions, is_patch
from ralph.hook.model import Call, RefusedError
from ralph.permissions.model import Action, ReadPath, RunCommand, UseTool, WritePath


def call(tool: str, arguments: Mapping[str, Any], client: str = "claude") -> Call:
    return Call(tool=tool, arguments=arguments, cwd="/p/src", session="s", client=client)


def touched(found: list[Action]) -> list[tuple[str, str]]:
    return [(type(each).__name__, each.path) for each in found if isinstance(each, ReadPath | WritePath)]


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        pytest.param("Read", {"file_path": "/p/a"}, [("ReadPath", "/p/a")], id="Read"),
        pytest.param("view_image", {"path": "a.png"}, [("ReadPath", "a.png")], id="view_image"),
        pytest.param("Write", {"file_path": "/p/a", "content": ""}, [("WritePath", "/p/a")], id="Write"),
        pytest.param("Edit", {"file_path": "/p/a"}, [("ReadPath", "/p/a"), ("WritePath", "/p/a")], id="Edit"),
        pytest.param("MultiEdit", {"file_path": "/p/a"}, [("ReadPath", "/p/a"), ("WritePath", "/p/a")], id="MultiEdit"),
        pytest.param(
            "NotebookEdit", {"notebook_path": "n"}, [("ReadPath", "n"), ("WritePath", "n")], id="NotebookEdit"
        ),
        pytest.param("LS", {"path": "/etc"}, [("ReadPath", "/etc")], id="LS"),
        pytest.param("Grep", {"pattern": "x"}, [("ReadPath", ".")], id="Grep here"),
        pytest.param("Grep", {"pattern": "x", "path": "/etc"}, [("ReadPath", "/etc")], id="Grep elsewhere"),
        pytest.param("Glob", {"pattern": "**/*.py"}, [("ReadPath", "."), ("ReadPath", "./.")], id="Glob"),
        pytest.param("Glob", {"pattern": "/etc/*"}, [("ReadPath", "."), ("ReadPath", "/etc")], id="Glob of a root"),
    ],
)
def test_file_tools(tool: str, arguments: Mapping[str, Any], expected: list[tuple[str, str]]) -> None:
    assert touched(actions(call(tool, arguments))) == expected


def test_a_shell_call_is_its_text_in_its_folder() -> None:
    assert actions(call("Bash", {"command": "ls\n"})) == [RunCommand("ls\n", "/p/src")]


@pytest.mark.parametrize("tool", sorted(INSIDE))
def test_what_acts_inside_the_client_is_no_action(tool: str) -> None:
    assert actions(call(tool, {"anything": 1})) == []


@pytest.mark.parametrize("tool", ["WebFetch", "WebSearch", "mcp__server__tool", "bash", "READ"])
def test_everything_else_is_judged_by_its_name(tool: str) -> None:
    (found,) = actions(call(tool, {"url": "https://example.com"}))
    assert found == UseTool(tool, "https://example.com")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        pytest.param("Bash", {}, id="no command"),
        pytest.param("Bash", {"command": ""}, id="an empty command"),
        pytest.param("Bash", {"command": ["ls"]}, id="a list"),
        pytest.param("Bash", {"command": "ls\0"}, id="NUL"),
        pytest.param("Bash", {"command": "ls \ud800"}, id="half of a character"),
        pytest.param("Bash", {"command": "sleep 9", "run_in_background": True}, id="in the background"),
        pytest.param("Read", {"file_path": None}, id="no path"),
        pytest.param("Write", {"path": "a"}, id="a path by another name"),
        pytest.param("Glob", {"pattern": "a/../../*"}, id="a pattern that climbs"),
        pytest.param("LS", {"path": 7}, id="a path that is a number"),
        pytest.param("Glob", {"pattern": "{..,a}/*"}, id="a pattern that may climb"),
        pytest.param("Glob", {"pattern": "~/*"}, id="a pattern from home on"),
        pytest.param("Read", {"file_path": "~/.ssh/id"}, id="a home that the client expands"),
        pytest.param("Read", {"file_path": " /etc/passwd"}, id="a blank that the client drops"),
        pytest.param("Write", {"file_path": "/p/a\n"}, id="a line end that the client drops"),
        pytest.param("Edit", {"file_path": "secret.\u212aEY"}, id="a sign that the client puts into another form"),
        pytest.param("Monitor", {"command": "ls"}, id="another way to start commands"),
        pytest.param("mcp__\ud800", {}, id="a tool without a readable name"),
    ],
)
def test_what_cannot_be_read_is_refused(tool: str, arguments: Mapping[str, Any]) -> None:
    with pytest.raises(RefusedError):
        actions(call(tool, arguments))


PATCH = "*** Begin Patch\n*** Add File: x\n+y\n*** End Patch\n"


def test_codex_applies_a_patch_that_is_given_to_the_shell() -> None:
    by_shell = call("Bash", {"command": f"apply_patch <<'EOF'\n{PATCH}EOF"}, "codex")
    assert is_patch(by_shell)
    assert touched(actions(by_shell)) == [("WritePath", "x")]
    assert touched(actions(call("apply_patch", {"command": PATCH}, "codex"))) == [("WritePath", "x")]


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(f"cd / && apply_patch <<'EOF'\n{PATCH}EOF", id="with a command before"),
        pytest.param(f"apply_patch <<'EOF'\n{PATCH}EOF\ngit push", id="with a command behind"),
        pytest.param(f"apply_patch <<'EOF'; git push\n{PATCH}EOF", id="with a command beside"),
        pytest.param(f"apply_patch <<EOF\n{PATCH}EOF", id="that the shell expands"),
        pytest.param(f"apply_patch <<'EOF'\n{PATCH}EOF\n{PATCH}EOF", id="that ends early"),
    ],
)
def test_anything_more_is_a_command(command: str) -> None:
    assert actions(call("Bash", {"command": command}, "codex")) == [RunCommand(command, "/p/src")]
    assert actions(call("Bash", {"command": command}, "claude")) == [RunCommand(command, "/p/src")]
