"""What is let by without a look can never be configuration."""

from __future__ import annotations

from ralph.guardrails.config import PYTHON_TASKS, TASK_FILES, is_product
from ralph.guardrails.config.all_tools import TOOLS
from ralph.guardrails.config.command_files.scripts import MAKEFILES
from ralph.guardrails.config.judge import PLACES
from ralph.guardrails.config.python_tasks.projects import PROJECT_FILES


def test_no_place_of_a_configuration_is_product_code() -> None:
    for name in {*PLACES, *MAKEFILES, *PROJECT_FILES}:
        assert not is_product(name.replace("*", "x")), name


def test_what_configuration_imports_is_not_product_code() -> None:
    for suffix in {suffix for tool in TOOLS for suffix in tool.watches}:
        assert not is_product(f"x{suffix}"), suffix


def test_task_files_are_looked_at() -> None:
    assert set(PYTHON_TASKS) <= set(TASK_FILES)
    assert not any(is_product(f"deep/{name}") for name in TASK_FILES)


def test_code_and_words_are_product() -> None:
    assert all(is_product(name) for name in ("src/a.py", "a/B.JAVA", "docs/x.md"))
