"""A governed project, tickets for it, and the door that runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ralph.context.trust import accept
from ralph.hook.court import TurnCourt
from ralph.hook.governed import policy
from ralph.hook.run_policy import RunPolicy, keep, policy_of_run
from ralph.hook.tickets import Ticket, issue, new_id
from ralph.permissions.capabilities import ALL, Capabilities
from ralph.permissions.narrowing import narrowed
from tests.project import repository

POLICY: dict[str, Any] = {
    "version": 1,
    "mode": "delivery",
    "files": {"allowRead": ["."], "allowWrite": ["src"], "denyRead": [".env"], "denyWrite": [".git"]},
    "commands": {"allow": [], "deny": [], "packs": ["readonly-tools"]},
    "approval": {"requiredFor": ["destructive_ops"], "requireReason": False},
    "checks": {"required": [], "rollbackOnFail": False},
}
CLASSES = ["destructive_ops", "dependency_changes", "production_impacting_edits"]
EXEC = [sys.executable, "-EP", "-m", "ralph", "exec", "--ticket"]


def governed(root: Path, files: Mapping[str, str], /, **changes: Any) -> Path:
    """A repository with these files and the policy, accepted. `changes` replace the policy's keys."""
    root = repository(root, {**files, "ralph.policy.json": json.dumps({**POLICY, **changes})})
    accept(root, ["ralph.policy.json"])
    return root


def ticket(root: Path, command: str, *classes: str, **more: Any) -> Path:
    """What the hook would have made for a command that a person approved as `classes`."""
    now = time.time()
    fields: dict[str, Any] = {
        "id": new_id(),
        "root": str(root),
        "command": command,
        "cwd": str(root),
        "policy": policy(root).digest,
        "rule": "r",
        "session": "s",
        "client": "claude",
        "made_at": now,
        "expires_at": now + 60,
        "classes": classes,
    }
    return issue(Ticket(**{**fields, **more}))


def execute(place: Path, **env: str) -> subprocess.CompletedProcess[str]:
    line = [*EXEC, str(place)]
    return subprocess.run(line, capture_output=True, text=True, timeout=60, env={**os.environ, **env}, cwd="/")


@contextmanager
def executing(place: Path, until: Path) -> Iterator[subprocess.Popen[str]]:
    """The door at work, from the moment on when its command has made the file `until`."""
    with subprocess.Popen([*EXEC, str(place)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        wait_for(until, running)
        yield running


def wait_for(place: Path, running: subprocess.Popen[str] | None = None) -> None:
    limit = time.monotonic() + 120
    while not place.exists():
        assert running is None or running.poll() is None, running.communicate()
        assert time.monotonic() < limit, f"{place} was never made"
        time.sleep(0.02)


def hooked(root: Path, command: str) -> subprocess.CompletedProcess[str]:
    """The command as a client runs it: asked about, and run as the hook says."""
    return subprocess.run(asked(root, command), shell=True, capture_output=True, text=True, timeout=60, cwd=root)


def asked(root: Path, command: str) -> str:
    """The line that the hook lets a client run instead of the command."""
    done = knocked(root, "Bash", command=command)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)["hookSpecificOutput"]
    assert answer["permissionDecision"] == "allow", answer
    line: str = answer["updatedInput"]["command"]
    return line


def knocked(
    root: Path, tool: str, env: Mapping[str, str] | None = None, client: str = "claude", **arguments: str
) -> subprocess.CompletedProcess[str]:
    """A client at the door: it asks about one call of a tool, in an environment of its own."""
    event = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(root), "tool_name": tool}
    return subprocess.run(
        [sys.executable, "-EP", "-m", "ralph", "hook", client, "--wait", "0"],
        input=json.dumps({**event, "tool_use_id": "call-1", "tool_input": arguments}),
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "CLAUDE_PROJECT_DIR": str(root), **(env or {})},
        cwd=root,
    )


def seat(
    root: Path,
    capabilities: Capabilities = ALL,
    *,
    of_run: RunPolicy | None = None,
    turn: str = "1-1",
    client: str = "claude",
) -> TurnCourt:
    """The court of a turn of a run in the project, as the runner makes it."""
    of_run = of_run or policy_of_run(root)
    run = root / ".ralph" / "runs" / "20260101T000000000Z-000000000000"
    folder = run / "turns" / turn
    folder.mkdir(parents=True)
    keep(run, of_run)
    law = narrowed(of_run.permissions, capabilities)
    return TurnCourt(root=root, permissions=law, client=client, folder=folder, wait_s=0)


def records(root: Path, kind: str, log: str = "progress") -> list[dict[str, Any]]:
    """The records of a kind in one of the two ledgers."""
    place = root / "state" / f"{log}.jsonl"
    lines = [json.loads(line)["record"] for line in place.read_text().splitlines()] if place.exists() else []
    return [each for each in lines if each["type"] == kind]
