"""Without a sandbox nothing runs in delivery mode, unless a person has written that down."""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.hook.workshop import EXEC, execute, governed, records, ticket
from tests.project import git

FILES = {"src/a": "a\n"}
_MACHINES = {"x86_64": (0xC000003E, (165, 444)), "aarch64": (0xC00000B7, (40, 444))}
"""The mark of the architecture, and the numbers of `mount` and `landlock_create_ruleset`."""


def refuse_sandboxes() -> None:
    """As on a machine whose kernel offers neither: mount and landlock_create_ruleset fail from here on."""
    architecture, calls = _MACHINES[os.uname().machine]
    refuse = 0x00050000 | errno.EPERM
    program = [(0x20, 0, 0, 4), (0x15, 1, 0, architecture), (0x06, 0, 0, 0x7FFF0000), (0x20, 0, 0, 0)]
    for number in calls:
        program += [(0x15, 0, 1, number), (0x06, 0, 0, refuse)]
    program.append((0x06, 0, 0, 0x7FFF0000))
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *each) for each in program))
    filter_ = struct.pack("HxxxxxxP", len(program), ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(38, 1, 0, 0, 0) == 0
    assert libc.prctl(22, 2, filter_, 0, 0) == 0


def bare(place: Path) -> subprocess.CompletedProcess[str]:
    """`ralph exec` on a machine without any sandbox."""
    source = (
        "import os, sys; sys.path.insert(0, sys.argv[1]); from tests.hook.test_levels import refuse_sandboxes; "
        "refuse_sandboxes(); os.execv(sys.argv[2], sys.argv[2:])"
    )
    line = [sys.executable, "-c", source, str(Path(__file__).parents[2]), *EXEC, str(place)]
    return subprocess.run(line, capture_output=True, text=True, timeout=60, cwd="/")


def test_in_delivery_mode_nothing_runs(tmp_path: Path) -> None:
    root = governed(tmp_path / "project", FILES)
    done = bare(ticket(root, "echo ran"))
    assert (done.returncode, done.stdout) == (2, "")
    assert '"sandbox": {"required": "none"}' in done.stderr


ACCEPTED: dict[str, dict[str, Any]] = {
    "the policy says so": {"sandbox": {"required": "none"}},
    "core mode": {"mode": "core"},
}


@pytest.mark.parametrize("changes", ACCEPTED.values(), ids=ACCEPTED)
def test_where_that_is_accepted_it_is_told_and_recorded(tmp_path: Path, changes: dict[str, Any]) -> None:
    root = governed(tmp_path / "project", FILES, **changes)
    done = bare(ticket(root, "echo ran"))
    assert (done.returncode, done.stdout) == (0, "ran\n")
    assert "Nothing confines this command" in done.stderr
    assert records(root, "command_run")[0]["sandbox_level"] == "none"


@pytest.mark.parametrize("level", ["landlock", "bubblewrap"])
def test_a_level_that_is_demanded_and_missing_is_an_error(tmp_path: Path, level: str) -> None:
    root = governed(tmp_path / "project", FILES, mode="core", sandbox={"required": level})
    done = bare(ticket(root, "echo ran"))
    assert (done.returncode, done.stdout) == (2, "")
    assert level in done.stderr


CLOSED = {
    "settings of git": ("echo '[x]' >> .git/config", ".git/config"),
    "a hook of git": ("echo x > .git/hooks/pre-push", ".git/hooks/pre-push"),
    "a branch": ("git branch other", "refs/heads/other"),
    "HEAD": ("git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x", "HEAD"),
    "the policy": ("echo >> ralph.policy.json", "ralph.policy.json"),
    "an agent's settings": ("mkdir .claude; echo x > .claude/settings.json", ".claude/settings.json"),
    "one of Ralph's refs": ("git update-ref -d refs/ralph/old", "refs/ralph/old"),
}


@pytest.mark.parametrize(("command", "name"), CLOSED.values(), ids=CLOSED)
def test_what_no_kernel_keeps_closed_is_compared(tmp_path: Path, command: str, name: str) -> None:
    root = governed(tmp_path / "project", FILES, sandbox={"required": "none"})
    git(root, "update-ref", "refs/ralph/old", "HEAD")
    done = bare(ticket(root, command))
    assert done.returncode == 2, done.stdout
    assert name in done.stderr
    assert name in records(root, "policy_violation")[0]["closed"]


def test_with_a_sandbox_the_level_is_no_question(tmp_path: Path) -> None:
    assert execute(ticket(governed(tmp_path / "project", FILES), "echo ran")).stdout == "ran\n"
