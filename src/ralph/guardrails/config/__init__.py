"""Configuration that got weaker (see `judge`). A change of product code alone is let by without loading the rest."""

from __future__ import annotations

from collections.abc import Iterable

from ralph.guardrails.model import Change, ChangeDetector, Hit
from ralph.system.patterns import later

PRODUCT = (
    *(".py", ".pyi", ".go", ".rs", ".java", ".kt", ".cs", ".php", ".c", ".h", ".cc", ".cpp", ".hpp"),
    *(".md", ".rst", ".css", ".html", ".svg", ".png"),
)
"""Endings of files that no tool reads its configuration from,"""
CODE = (".py", ".ts", ".tsx", ".js", ".jsx", ".go", ".rs", ".java", ".kt", ".cs", ".rb", ".php", ".md", ".css", ".html")
"""Most files of a change: none of them holds commands, whatever its name."""
PYTHON_TASKS = ("noxfile.py", "tasks.py", "dodo.py", "fabfile.py", "duties.py")
TASK_FILES = (*PYTHON_TASKS, "setup.py", "conftest.py", "conf.py", "conanfile.py")
"""but for these,"""
TASK_FOLDERS = later(
    r"(?:^|/)(?:scripts?|tasks?|tools?|ci|\.ci|dev|hack|\.github|build_tools|devtools)/[^/]+\.py$"
    r"|^(?:run_?|do_?)?(?:all_?)?(?:tests?|checks?|lint|ci|verify|validate|qa|precommit|presubmit)\.py$"
)
"""and for scripts in the folders of those that run the project's tools, and at the root by the names that they have."""

BUILD_PLUGINS = ("plugin.kt", "convention.kt", "conventions.kt")
"""Plugins of a build's own may be called so, in Kotlin."""


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
    if not name.endswith(PRODUCT) or name in TASK_FILES:
        return False
    return not TASK_FOLDERS.search(path.lower()) and not name.endswith(BUILD_PLUGINS)


def is_python_task(path: str) -> bool:
    """True for Python that runs the project's tools: task files, and scripts in the folders for them."""
    name = path.lower().rpartition("/")[2]
    return name in PYTHON_TASKS or (
        bool(TASK_FOLDERS.search(path.lower())) and not name.startswith(("test_", "conftest"))
    )


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (weakened,)
