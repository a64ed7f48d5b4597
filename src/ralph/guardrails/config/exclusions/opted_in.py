"""Tests of a kind of their own that are left out of the usual run, and have a run of their own (policy set v2, G09).

Rules, where no test is gone from a file of the change; a person still sees it:

- A filter that leaves out a marker (`-m "not property"`) takes nothing away where the marker is new, all tests that
  bear it stand in new files, and a command of the head runs just those tests (`pytest -m property`).
- Neither does it to leave out a folder (`--ignore=tests/typing`) that the base did not have, where a command of the
  head is given that folder (`mypy tests/typing`).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from ralph.guardrails.config import is_python_task
from ralph.guardrails.config.command_files.scripts import command_files
from ralph.guardrails.config.node import Node, canonical
from ralph.guardrails.config.options.harm import EXCLUDED
from ralph.guardrails.config.patterns import is_test
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

KEY = "pytest --m"
LEFT_OUT = later(r"not\s+(\w+)")
TEST = later(r"(?m)^[ \t]*(?:async[ \t]+)?def[ \t]+(test\w*)")
OF_TESTS = later(r"(?:^|/)(?:test_\w+|\w+_test)\.py$")
LEAVES_OUT = "leaves out "
RUNS = later(r"\b(?:pytest|unittest|(?:based)?pyright|mypy|pyre|pytype|ty|tox|nox|python)\b")
OMITS = later(r"--(?:ignore(?:-glob)?|deselect|omit)[= ]|exclude|norecurse|addopts")
"""A line that does not look at what it names."""
TOLD = later(r"^\s*#|\becho\b|\bprintf\b|--collect-only\b|--co\b|^\s*-?\s*name:")
"""A line that runs nothing of what it names."""
MOST_FILES = 5_000


def is_opt_in(loss: Loss, before: Side, after: Side, changed: frozenset[str]) -> bool:
    """The loss is that pytest leaves out tests that the base did not have, and that another command runs."""
    if loss.key != KEY or loss.node is None:
        return False
    markers = set(_left_out(loss.node)) - set(_left_out(loss.old))
    if not markers or len(after.paths) > MOST_FILES or any(_gone(path, before, after) for path in changed):
        return False
    return all(_is_new(marker, before, after) and _is_run(marker, after) for marker in markers)


def is_new_folder(loss: Loss, before: Side, after: Side, changed: frozenset[str]) -> bool:
    """The loss is that a folder is left out that is new as a whole, and that another command looks at."""
    if loss.rule != EXCLUDED or not loss.text.startswith(LEAVES_OUT):
        return False
    folder = posixpath.normpath(loss.text.removeprefix(LEAVES_OUT).strip())
    if "/" not in folder or folder in before.directories or folder not in after.directories:
        return False
    if len(after.paths) > MOST_FILES or any(_gone(path, before, after) for path in changed):
        return False
    asked = re.compile(rf"(?<![\w./-])(?:\./)?{re.escape(folder)}(?![\w-])")
    lines = (line for text in _run(after) for line in text.split("\n") if RUNS.search(line) and not OMITS.search(line))
    return any(asked.search(line) for line in lines)


def _left_out(node: Node | None) -> Iterator[str]:
    """The markers of a filter that is nothing but a list of what is left out."""
    parts = [part.strip() for part in re.split(r"\band\b", canonical(node))] if node is not None else []
    found = [LEFT_OUT.fullmatch(part.strip("() ")) for part in parts]
    yield from (match[1] for match in found if match is not None and all(found))


def _gone(path: str, before: Side, after: Side) -> bool:
    """A file of the change has lost a test, or is no longer there and was one of tests."""
    if not path.endswith(".py"):
        return path in before.paths and path not in after.paths and is_test(path)
    old, new = (set(TEST.findall(side.text(path) or "")) for side in (before, after))
    return not old <= new


def _is_new(marker: str, before: Side, after: Side) -> bool:
    """Nothing of the base names the marker, and of the head only new files of tests: no `conftest.py` hands it out."""
    named = re.compile(rf"\bmark\.{marker}\b|(['\"]){marker}\1")

    def naming(side: Side) -> set[str]:
        files = (path for path in side.paths if path.endswith(".py") and not is_python_task(path))
        return {path for path in files if named.search(side.text(path) or "")}

    return not naming(before) and all(path not in before.paths and OF_TESTS.search(path) for path in naming(after))


def _is_run(marker: str, after: Side) -> bool:
    """A command asks for just these tests."""
    asked = re.compile(rf"(?<![\w-])-m(?:[ =]|['\"],\s*)['\"]?{marker}\b(?!\s+and\b)")
    return any(asked.search(text) for text in _run(after))


def _run(side: Side) -> Iterator[str]:
    """What the files that hold commands run: their lines, but for those that only tell."""
    for path in command_files(side):
        yield "\n".join(line for line in (side.text(path) or "").split("\n") if not TOLD.search(line))
