"""Configuration that got weaker (see `judge`). A change of product code alone is let by without loading the rest."""

from __future__ import annotations

from collections.abc import Iterable

from ralph.guardrails.model import Change, ChangeDetector, Hit

PRODUCT = (
    *(".py", ".pyi", ".go", ".rs", ".java", ".kt", ".cs", ".php", ".c", ".h", ".cc", ".cpp", ".hpp"),
    *(".md", ".rst", ".css", ".html", ".svg", ".png"),
)
"""Endings of files that no tool reads its configuration from,"""
TASK_FILES = ("noxfile.py", "tasks.py", "dodo.py", "fabfile.py", "setup.py", "conftest.py")
"""but for these."""


def weakened(change: Change) -> Iterable[Hit]:
    """Every setting that the change makes weaker, and every configuration that it makes unreadable."""
    if not _may_configure(change):
        return ()
    from ralph.guardrails.config import judge

    return judge.weakened(change)


def v1_tampering(change: Change) -> Iterable[Hit]:
    """The two rules of policy v1: a coverage threshold that falls to under 80, and TypeScript's `strict` off."""
    if not _may_configure(change):
        return ()
    from ralph.guardrails.config import judge

    return judge.v1_tampering(change)


def _may_configure(change: Change) -> bool:
    return not all(is_product(file.path) for file in change.files)


def is_product(path: str) -> bool:
    """True if a file of this name is never configuration."""
    name = path.rpartition("/")[2].lower()
    return name.endswith(PRODUCT) and name not in TASK_FILES


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (weakened,)
