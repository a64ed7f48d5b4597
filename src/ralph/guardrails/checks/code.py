"""Which files are code or prose: no command that they hold is run by a hook or in CI."""

from __future__ import annotations

import posixpath

from ralph.guardrails.config import CODE, is_python_task
from ralph.guardrails.config.command_files import staged


def is_code(path: str) -> bool:
    """True for a file of code or prose, which no reader reads."""
    name = posixpath.basename(path).lower()
    return name.endswith(CODE) and not is_python_task(path) and name not in staged.FILES
