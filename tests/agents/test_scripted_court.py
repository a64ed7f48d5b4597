"""Where a turn has a court, the scripted agent is judged like any client."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ralph.agents.base import Record
from ralph.agents.reconcile import reconcile
from ralph.permissions.capabilities import Capabilities
from ralph.permissions.sandbox.probe import enforced_level
from tests.agents.playing import decisions, play, results, scripted, turn_in
from tests.hook.workshop import POLICY, governed, seat

SCRIPT = "turns: [[{%s}]]"
PROBE = "echo b > src/b.txt; echo b > tests/t.txt; echo level $RALPH_SANDBOX\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {"src/a.txt": "a\n", "src/old.txt": "old\n", "tests/t.txt": "t\n", "tools/probe.sh": PROBE}
    return governed(tmp_path / "project", files, commands={**POLICY["commands"], "allow": ["bash tools/probe.sh"]})


def judged(root: Path, action: str, **capabilities: object) -> list[Record]:
    court = seat(root, Capabilities(**capabilities))  # type: ignore[arg-type]
    turn = turn_in(root.parent, workdir=root, env=dict(os.environ), court=court)
    return play(scripted(root.parent, SCRIPT % action), turn)


@pytest.mark.parametrize(
    ("action", "file", "content"),
    [
        ("write: {path: src/b.txt, content: b}", "src/b.txt", "b"),
        ("replace: {path: src/a.txt, old: a, new: b}", "src/a.txt", "b\n"),
        ("run: cp src/a.txt src/c.txt", "src/c.txt", "a\n"),
    ],
)
def test_what_is_allowed_happens(root: Path, action: str, file: str, content: str) -> None:
    records = judged(root, action)
    assert [each.outcome for each in decisions(records)] == ["allow"]
    assert [each.ok for each in results(records)] == [True], results(records)
    assert (root / file).read_text() == content
    assert reconcile(records) == ()


@pytest.mark.parametrize(
    ("action", "file"),
    [
        ("write: {path: tests/t.txt, content: b}", "tests/t.txt"),
        ("write: {path: ../outside.txt, content: b}", "../outside.txt"),
        ("replace: {path: tests/t.txt, old: t, new: b}", "tests/t.txt"),
        ("replace: {path: ralph.policy.json, old: delivery, new: core}", "ralph.policy.json"),
        ("delete: tests/t.txt", "tests/t.txt"),
        ("run: git commit -q --allow-empty -m x", ".git/refs/heads/main"),
        ("commit: mine", ".git/refs/heads/main"),
        ("run: curl http://example.org", "src/a.txt"),
    ],
)
def test_what_is_denied_does_not(root: Path, action: str, file: str) -> None:
    place = root / file
    before = place.read_bytes() if place.exists() else None
    records = judged(root, action)
    assert [each.outcome for each in decisions(records)] == ["deny"]
    (result,) = results(records)
    assert (result.ok, result.ran, result.output) == (False, False, decisions(records)[0].reason)
    assert (place.read_bytes() if place.exists() else None) == before
    assert reconcile(records) == ()


def test_a_command_runs_behind_the_walls(root: Path) -> None:
    """It was allowed by name; what it does is bounded by the kernel."""
    records = judged(root, "run: bash tools/probe.sh")
    assert f"level {enforced_level()}" in results(records)[0].output
    assert ((root / "src/b.txt").read_text(), (root / "tests/t.txt").read_text()) == ("b\n", "t\n")


@pytest.mark.parametrize("action", ["run: cat src/a.txt", "delete: src/old.txt"])
def test_a_phase_without_a_shell(root: Path, action: str) -> None:
    records = judged(root, action, shell=False)
    assert [each.outcome for each in decisions(records)] == ["deny"]
    assert (root / "src/old.txt").exists()


def test_a_phase_that_narrows_what_may_be_written(root: Path) -> None:
    records = judged(root, "write: {path: src/b.txt, content: b}", write=())
    assert [each.outcome for each in decisions(records)] == ["deny"]


def test_ralphs_own_tools_are_allowed(root: Path) -> None:
    records = judged(root, "tool: {name: ralph_none}", write=(), shell=False)
    assert [(each.tool, each.outcome) for each in decisions(records)] == [("mcp__ralph__ralph_none", "allow")]
