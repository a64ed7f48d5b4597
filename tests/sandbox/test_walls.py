"""From a policy to walls: which real paths are opened, protected and hidden."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from ralph.permissions.model import ApprovalRules, CheckRules, CommandRules, FileRules, Permissions, SandboxRules
from ralph.permissions.sandbox import mounts
from ralph.permissions.sandbox.model import Walls
from ralph.permissions.sandbox.walls import walls_for, walls_for_steps

FILES = (
    *("src/a.py", "src/gen/x.py", "docs/x.md", "docs/dist/y", "config/.env", ".env", "README.md", ".git/config"),
    *("node_modules/m/.env", "sub/.git/config", "keys/a.pem", ".husky/pre-commit"),
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")
    (tmp_path / "outside").mkdir()
    (root / "way-out").symlink_to(tmp_path / "outside")
    (root / "lib").symlink_to("src")
    return root


def walls(root: Path, *, write: tuple[str, ...] = (), keep: tuple[str, ...] = (), hide: tuple[str, ...] = ()) -> Walls:
    permissions = Permissions(
        version=1,
        mode="delivery",
        files=FileRules(allow_read=(".",), allow_write=write, deny_read=hide, deny_write=keep),
        commands=CommandRules(),
        approval=ApprovalRules(),
        checks=CheckRules(),
        sandbox=SandboxRules(processes=7, memory_mb=3),
    )
    return walls_for(permissions, root, {"LANG": "C"})


def names(root: Path, paths: tuple[Path, ...]) -> set[str]:
    return {path.relative_to(root).as_posix() for path in paths}


@pytest.mark.parametrize(
    ("write", "keep", "expected"),
    [
        (("src", "tests"), (), {"src", "tests"}),
        (("src/", "./docs"), (), {"src", "docs"}),
        (("lib",), (), {"src"}),
        (("way-out", "../outside", "/etc"), (), set()),
        (("src/gen",), ("src",), set()),
        (("src/*",), (), {"src/a.py", "src/gen"}),
        (("**/*.md",), (), {"docs/x.md", "README.md"}),
        ((".",), (), {"."}),
        (("SRC",), (), {"SRC"}),
    ],
)
def test_writable(root: Path, write: tuple[str, ...], keep: tuple[str, ...], expected: set[str]) -> None:
    assert names(root, walls(root, write=write, keep=keep).writable) == expected


@pytest.mark.parametrize(
    ("keep", "expected"),
    [
        (("dist",), {"dist", "docs/dist"}),
        (("./dist",), {"dist"}),
        (("node_modules",), {"node_modules"}),
        (("*.lock",), set()),
        (("**/gen",), {"src/gen"}),
        (("DOCS",), {"DOCS", "docs"}),
    ],
)
def test_read_only(root: Path, keep: tuple[str, ...], expected: set[str]) -> None:
    always = names(root, walls(root, write=(".",), keep=("*.nothing",)).read_only)
    assert names(root, walls(root, write=(".",), keep=keep).read_only) - always == expected


def test_closed_whatever_the_policy_says(root: Path) -> None:
    closed = {".git", "sub/.git", ".ralph", "state/progress.jsonl", "state/learning.jsonl", "ralph.policy.json"}
    found = names(root, walls(root, write=(".",), keep=("dist",)).read_only)
    assert closed | {".claude", ".mcp.json", ".husky"} <= found
    assert ".vscode" not in found


@pytest.mark.parametrize(
    ("hide", "expected"),
    [
        ((".env",), {".env", "config/.env"}),
        (("./.env",), {".env"}),
        (("keys",), {"keys"}),
        (("*.pem",), {"keys/a.pem"}),
        ((".git/objects",), set()),
        ((".ENV",), {".ENV", ".env", "config/.env"}),
    ],
)
def test_unreadable(root: Path, hide: tuple[str, ...], expected: set[str]) -> None:
    assert names(root, walls(root, hide=hide).unreadable) == expected


def test_the_rest(root: Path) -> None:
    found = walls(root)
    assert (found.environment, found.network, found.open_network) == ({"LANG": "C"}, (), False)
    assert (found.ceilings.processes, found.ceilings.memory_bytes) == (7, 3 << 20)


def test_steps(root: Path, tmp_path: Path) -> None:
    found = walls_for_steps(root, {}, writable=(tmp_path / "reports",))
    assert found.writable == (root, tmp_path / "reports")
    assert {".git", ".ralph", "state/progress.jsonl"} <= names(root, found.read_only)


def test_a_link_that_goes_while_a_socket_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program's `/proc/self/fd/9/socket` is one of our own descriptors here, which a thread may just close."""
    place = tmp_path / "link"
    place.symlink_to(tmp_path)
    with socket.socket(socket.AF_UNIX) as gone, socket.socket(socket.AF_UNIX) as there:
        gone.bind(str(place / "a"))
        there.bind(str(tmp_path / "b"))
        follow = os.readlink

        def vanished(path: str) -> str:
            if path == str(place):
                raise FileNotFoundError(path)
            return follow(path)

        monkeypatch.setattr(os, "readlink", vanished)
        found = set(mounts._sockets())
    assert (str(tmp_path / "b") in found, str(tmp_path / "a") in found) == (True, False)
