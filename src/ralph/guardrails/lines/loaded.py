"""Which files PHPUnit takes tests from: those whose names end as it expects, unless its settings name others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from ralph.guardrails.inventory.model import Ghost, Test
from ralph.guardrails.inventory.readers import Paths
from ralph.guardrails.source import Source
from ralph.system.patterns import later

TESTS = later(rb"(?m)^\s*(?:(?:final|readonly)\s+)*class\s+\w+\s+extends\s+\\?(?:\w+\\)*\w*TestCase\b")
BASE = later(rb"(?m)^\s*abstract\s+class\b")
"""Tests that others inherit."""
TOLD = later(rb"\bsuffix=|<file>|phpspec")
SETTINGS = ("phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml")


def why_not_loaded(source: Source, paths: Paths) -> str:
    """Empty if tests in this file are run; why not, else."""
    if not source.path.endswith(".php") or source.path.endswith("Test.php"):
        return ""
    if not TESTS.search(source.data) or BASE.search(source.data):
        return ""
    folders = ("" if str(each) == "." else f"{each}/" for each in PurePosixPath(source.path).parents)
    said = (paths.read(f"{folder}{name}") for folder in folders for name in SETTINGS)
    return "" if any(TOLD.search(each) for each in said if each) else "its file is not called as tests are"


def unloaded(tests: Iterable[Test], why: str) -> Iterator[Ghost]:
    for test in tests:
        yield Ghost(
            name=test.parts[-1],
            path=test.path,
            line=test.line,
            column=test.column,
            snippet=test.snippet,
            why=why,
            body=test.facts().body,
        )
