"""What a run of the hook loads: its time is a promise, and what is loaded is what it is spent on.

Counted rather than timed, so that it means the same on every machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ralph.context.trust import accept
from tests.hook.test_door import event
from tests.project import repository

HEAVY = {
    *("dataclasses", "inspect", "ast", "dis", "tokenize", "subprocess", "threading", "selectors", "tempfile", "shutil"),
    *("sysconfig", "zipfile", "importlib.metadata", "importlib.resources", "datetime", "socket"),
    *("logging", "decimal", "random", "hmac", "secrets", "asyncio", "concurrent", "multiprocessing", "http"),
    *("click", "yaml", "cryptography", "hyperscan", "rfc8785", "tree_sitter_bash", "tree_sitter_python"),
    *("ralph.cli", "ralph.engine", "ralph.approvals", "ralph.system.process", "ralph.system.git"),
    *("ralph.permissions.sandbox", "ralph.permissions.programs.infra", "ralph.permissions.programs.network"),
}
MOST_MODULES = 190
"""As many as an allowed command of the shell loads, and a tenth more."""
POLICY = Path(__file__).parent.parent / "corpora" / "policies" / "npm-delivery.json"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = repository(tmp_path / "project", {"ralph.policy.json": POLICY.read_text(), "src/a": "a\n"})
    accept(root, ["ralph.policy.json"])
    return root


def loaded(root: Path, tool: str, **arguments: object) -> list[str]:
    """The modules that the hook loads until it has allowed this, those of Python's own start included."""
    done = subprocess.run(
        [sys.executable, "-P", "-S", "-X", "importtime", "-m", "ralph", "hook", "claude"],
        cwd=root,
        input=json.dumps(event(root, tool, **arguments)).encode(),
        capture_output=True,
        timeout=120,
        # What an environment adds to the start of every Python (editable packages, coverage) is not ours.
        env={**os.environ, "CLAUDE_PROJECT_DIR": str(root), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert b'"permissionDecision": "allow"' in done.stdout, done.stderr[-300:]
    return [row.rpartition("|")[2].strip() for row in done.stderr.decode().splitlines()[1:]]


CALLS = {
    "a command of the shell": ("Bash", {"command": "git status && ls -la src | grep a"}),
    "a script of the project's": ("Bash", {"command": "npm test -- --coverage"}),
    "a file that is read": ("Read", {"file_path": "src/a"}),
}


@pytest.mark.parametrize(("tool", "arguments"), CALLS.values(), ids=CALLS)
def test_the_hook_loads_nothing_heavy(project: Path, tool: str, arguments: dict[str, object]) -> None:
    found = loaded(project, tool, **arguments)
    heavy = [name for name in found if any(name == each or name.startswith(f"{each}.") for each in HEAVY)]
    assert heavy == []
    assert len(found) <= MOST_MODULES
