"""Only a path that the policy itself names asks where `allowWrite` does not name it; built-in ones stay closed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ralph.permissions.decide import decide
from ralph.permissions.disk import here
from ralph.permissions.model import Action, RunCommand, WritePath
from tests.permissions.test_corpus import policy

CASES = {
    "named by the policy": ("infra/a.tf", "approve"),
    "built in, and not writable": ("Dockerfile", "deny"),
    "built in, and writable": ("src/Dockerfile", "approve"),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("shell", [True, False], ids=["redirect", "file tool"])
def test_a_path_of_production(tmp_path: Path, case: str, shell: bool) -> None:
    path, expected = CASES[case]
    action: Action = RunCommand(f"echo x > {path}") if shell else WritePath(path)
    assert decide(action, policy("npm-delivery"), here(tmp_path)).outcome == expected
