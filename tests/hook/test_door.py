"""The door as a process: it answers valid JSON with exit code 0, or one sentence with exit code 2, and nothing else."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ralph.context.trust import accept
from tests.project import repository

POLICY = {
    "version": 1,
    "mode": "delivery",
    "files": {"allowRead": ["."], "allowWrite": ["src"], "denyRead": [".env"], "denyWrite": [".git"]},
    "commands": {"allow": [], "deny": [], "packs": ["readonly-tools"]},
    "approval": {"requiredFor": ["destructive_ops"], "requireReason": False},
    "checks": {"required": [], "rollbackOnFail": False},
}


@dataclass(frozen=True)
class Replied:
    code: int
    out: bytes
    err: str

    @property
    def decision(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)["hookSpecificOutput"]
        return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = repository(tmp_path / "project", {"ralph.policy.json": json.dumps(POLICY), "src/a": "a\n"})
    accept(root, ["ralph.policy.json"])
    return root


def knock(root: Path, data: bytes, *arguments: str, env: dict[str, str] | None = None) -> Replied:
    line = [sys.executable, "-EP", "-m", "ralph", "hook", *(arguments or ("claude",))]
    environment = {**os.environ, "CLAUDE_PROJECT_DIR": str(root), **(env or {})}
    done = subprocess.run(line, cwd=root, input=data, capture_output=True, timeout=120, env=environment)
    return Replied(done.returncode, done.stdout, done.stderr.decode())


def event(root: Path, tool: str = "Bash", **arguments: object) -> dict[str, object]:
    base = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(root)}
    return {**base, "tool_name": tool, "tool_input": arguments or {"command": "ls"}}


def denies(replied: Replied) -> bool:
    """Exit code 2 with one sentence, and nothing that could be taken for an answer."""
    return (
        replied.code == 2 and replied.out == b"" and replied.err.startswith("ralph: ") and replied.err.count("\n") == 1
    )


def test_an_allowed_command_becomes_a_ticket(project: Path) -> None:
    given = event(project, command="ls src", description="look", timeout=1000)
    decision = knock(project, json.dumps(given).encode()).decision
    assert decision["permissionDecision"] == "allow"
    changed = decision["updatedInput"]
    assert changed.pop("command").startswith(f"{sys.executable} -EP -m ralph exec --ticket {project}/.ralph/tickets/")
    assert changed == {"description": "look", "timeout": 1000}


def test_a_denial_names_reason_and_rule(project: Path) -> None:
    decision = knock(project, json.dumps(event(project, command="touch x")).encode()).decision
    assert decision["permissionDecision"] == "deny"
    assert decision["permissionDecisionReason"].startswith("Denied by files.allowWrite")
    assert not (project / ".ralph" / "tickets").exists()


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"{", id="no JSON"),
        pytest.param(b"[" * 100_000, id="nested too deeply"),
        pytest.param(b"\xff\xfe", id="no text"),
        pytest.param(b"null", id="null"),
        pytest.param(b"[]", id="a list"),
        pytest.param(b"{}", id="no event"),
        pytest.param(b'{"hook_event_name": "Stop"}', id="another event"),
        pytest.param(b'{"hook_event_name": "PreToolUse"}', id="no tool"),
        pytest.param(b'{"hook_event_name":"PreToolUse","tool_name":"Bash","cwd":"/"}', id="no arguments"),
        pytest.param(b'{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}', id="no folder"),
        pytest.param(
            b'{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{},"cwd":"a"}', id="a relative one"
        ),
    ],
)
def test_what_cannot_be_read_is_denied(project: Path, data: bytes) -> None:
    assert denies(knock(project, data))


@pytest.mark.parametrize("arguments", [(), ("gemini",), ("claude", "--wait", "x"), ("claude", "codex")])
def test_a_wrong_entry_in_the_settings_denies(project: Path, arguments: tuple[str, ...]) -> None:
    assert denies(knock(project, json.dumps(event(project)).encode(), *(arguments or ("",))))


def test_no_repository_denies(tmp_path: Path) -> None:
    assert denies(knock(tmp_path, json.dumps(event(tmp_path)).encode()))


def test_no_policy_denies(tmp_path: Path) -> None:
    root = repository(tmp_path / "bare", {"a": "a"})
    replied = knock(root, json.dumps(event(root)).encode())
    assert denies(replied)
    assert "ralph.policy.json" in replied.err


def test_the_policy_of_the_commit_counts_when_the_file_was_changed(project: Path) -> None:
    (project / "ralph.policy.json").write_text(json.dumps({**POLICY, "mode": "core"}))
    decision = knock(project, json.dumps(event(project, command="touch x")).encode()).decision
    assert decision["permissionDecision"] == "deny"


def test_a_repository_inside_another_needs_a_persons_word(project: Path) -> None:
    inner = repository(project / "src" / "inner", {"ralph.policy.json": json.dumps({**POLICY, "mode": "core"})})
    replied = knock(inner, json.dumps(event(inner)).encode())
    assert denies(replied)
    assert "accept" in replied.err


def test_a_module_in_the_project_is_not_ours(project: Path) -> None:
    """Python looks for modules in the current folder first, unless it is told not to."""
    for name in ("ralph", "json", "tree_sitter"):
        (project / f"{name}.py").write_text("print('{}'); raise SystemExit(0)\n")
    assert knock(project, json.dumps(event(project)).encode()).decision["permissionDecision"] == "allow"


def test_a_missing_module_denies(project: Path, tmp_path: Path) -> None:
    broken = "import sys; sys.modules['tree_sitter'] = None; sys.argv = ['ralph', 'hook', 'claude']"
    line = [sys.executable, "-c", f"{broken}; from ralph.__main__ import main; main()"]
    environment = {**os.environ, "CLAUDE_PROJECT_DIR": str(project)}
    data = json.dumps(event(project)).encode()
    done = subprocess.run(line, cwd=project, input=data, capture_output=True, env=environment)
    assert denies(Replied(done.returncode, done.stdout, done.stderr.decode()))


def test_a_damaged_record_denies(project: Path) -> None:
    record = Path(os.environ["XDG_CONFIG_HOME"]) / "ralph" / "trusted.json"
    record.write_text("{")
    assert denies(knock(project, json.dumps(event(project)).encode()))


def test_a_closed_pipe_denies(project: Path) -> None:
    """Who cannot be answered gets no exit code 0."""
    reading, writing = os.pipe()
    os.close(reading)
    line = [sys.executable, "-EP", "-m", "ralph", "hook", "claude"]
    environment = {**os.environ, "CLAUDE_PROJECT_DIR": str(project)}
    data = json.dumps(event(project)).encode()
    done = subprocess.run(line, cwd=project, input=data, stdout=writing, stderr=subprocess.PIPE, env=environment)
    os.close(writing)
    assert done.returncode == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_request_to_end_denies(project: Path, number: signal.Signals) -> None:
    line = [sys.executable, "-EP", "-m", "ralph", "hook", "claude", "--wait", "30"]
    (project / "src" / "old").write_text("")
    environment = {**os.environ, "CLAUDE_PROJECT_DIR": str(project)}
    with subprocess.Popen(
        line, cwd=project, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as waiting:
        assert waiting.stdin
        waiting.stdin.write(json.dumps(event(project, command="rm src/old")).encode())
        waiting.stdin.close()
        waiting.stdin = None
        while not list(project.glob(".ralph/approvals/*.request.json")):
            assert waiting.poll() is None
            time.sleep(0.02)
        waiting.send_signal(number)
        out, err = waiting.communicate(timeout=120)
    assert denies(Replied(waiting.returncode, out, err.decode()))


def test_nobody_answers_and_it_stays_denied(project: Path) -> None:
    (project / "src" / "old").write_text("")
    replied = knock(project, json.dumps(event(project, command="rm src/old")).encode(), "claude", "--wait", "0")
    assert replied.decision["permissionDecision"] == "deny"
    assert "unanswered" in replied.decision["permissionDecisionReason"]


def test_codex_other_events_are_let_through_and_leave_a_mark(project: Path) -> None:
    start = {"hook_event_name": "SessionStart", "session_id": "abc-1", "cwd": str(project)}
    assert knock(project, json.dumps(start).encode(), "codex") == Replied(0, b"", "")
    assert (project / ".ralph" / "hooks" / "codex-abc-1").exists()
