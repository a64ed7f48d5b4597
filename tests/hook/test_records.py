"""The level of the sandbox stands in every record of what was denied, approved and run."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

from ralph.approvals.answering import Desk
from ralph.approvals.model import Decision
from tests.hook.workshop import EXEC, governed, records


def test_from_the_question_to_the_run(tmp_path: Path) -> None:
    root = governed(tmp_path / "project", {"src/a": "a\n"})
    event = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(root), "tool_name": "Bash"}
    asking = subprocess.Popen(
        [*EXEC[:4], "hook", "claude", "--wait", "30"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "CLAUDE_PROJECT_DIR": str(root)},
    )
    with asking:
        assert asking.stdin
        asking.stdin.write(json.dumps({**event, "tool_input": {"command": "rm src/a"}}))
        asking.stdin.close()
        asking.stdin = None
        desk = Desk(root, {})
        while not (found := desk.entries()):
            assert asking.poll() is None
            time.sleep(0.02)
        assert found[0].request
        desk.answer(found[0].request, Decision.APPROVED, reason="it may go")
        out, _ = asking.communicate(timeout=120)
    answer = json.loads(out)["hookSpecificOutput"]
    assert answer["permissionDecision"] == "allow"
    done = subprocess.run(answer["updatedInput"]["command"], shell=True, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert not (root / "src" / "a").exists()
    (asked,) = records(root, "policy_violation")
    (used,) = records(root, "approval_used", "learning")
    (run,) = records(root, "command_run")
    assert {each["sandbox_level"] for each in (asked, used, run)} == {"bubblewrap"}
    assert (used["classes"], run["classes"]) == (["destructive_ops"], ["destructive_ops"])
