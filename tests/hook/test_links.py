"""A client's own file tools write outside every sandbox: what leads out of the project through a link is denied."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hook.workshop import execute, governed, ticket

LINKS = {
    "to a folder outside": ("src/out", "{outside}", "src/out/file"),
    "to a file outside": ("src/out", "{outside}/file", "src/out"),
    "to a file that is not there yet": ("src/out", "{outside}/new", "src/out"),
    "relative, upwards": ("src/out", "../../outside", "src/out/file"),
    "through another link": ("src/out", "chain/file", "src/out"),
    "to git's hooks": ("src/out", "../.git/hooks", "src/out/pre-commit"),
    "to the policy": ("src/out", "../ralph.policy.json", "src/out"),
    "to what is running": ("src/out", "/proc/self/cwd", "src/out/../../outside/file"),
    "a loop": ("src/out", "out", "src/out"),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = governed(tmp_path / "project", {"src/a": "a\n"})
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("theirs\n")
    (root / "src" / "chain").symlink_to(outside)
    return root


@pytest.mark.parametrize(("link", "target", "written"), LINKS.values(), ids=LINKS)
@pytest.mark.parametrize("tool", ["Write", "Edit"])
def test_a_write_through_a_link_that_leaves_is_denied(
    project: Path, tool: str, link: str, target: str, written: str
) -> None:
    """The link is planted by a command in the sandbox, where it harms nobody."""
    target = target.format(outside=project.parent / "outside")
    assert execute(ticket(project, f"ln -s {target} {link}")).returncode == 0
    arguments = {"file_path": f"{project}/{written}", "content": "x", "old_string": "x", "new_string": "y"}
    event = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(project)}
    done = subprocess.run(
        [sys.executable, "-EP", "-m", "ralph", "hook", "claude", "--wait", "0"],
        input=json.dumps({**event, "tool_name": tool, "tool_input": arguments}),
        capture_output=True,
        text=True,
        env={**os.environ, "CLAUDE_PROJECT_DIR": str(project)},
    )
    denied = done.returncode == 2 or '"permissionDecision": "deny"' in done.stdout
    assert denied, done.stdout


def test_a_command_does_not_get_out_through_one(project: Path) -> None:
    execute(ticket(project, "ln -s ../../outside src/out; echo mine > src/out/file; echo mine > src/out/new"))
    assert [each.name for each in (project.parent / "outside").iterdir()] == ["file"]
    assert (project.parent / "outside" / "file").read_text() == "theirs\n"
