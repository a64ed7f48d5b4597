"""The words in which people read what was measured."""

from __future__ import annotations

import pytest

from ralph.audit.report import code, measured
from ralph.verdict import StepResult


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({}, ""),
        ({"failures": 1, "tests": 12}, "12 tests, 1 failure"),
        ({"lines": 4, "percent": 79.999, "files": 1}, "79.99 %, 1 file, 4 lines"),
        ({"percent": 79.5}, "79.5 %"),
        ({"lines_added": 1, "files_changed": 2}, "1 line added, 2 files changed"),
        ({"errors": 0, "suppressed": 1}, "0 errors, 1 suppressed"),
    ],
)
def test_counts(counts: dict[str, float], words: str) -> None:
    assert measured(StepResult(name="tests", status="pass", counts=counts)) == words


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("a", "`a`"),
        ("a`b", "``a`b``"),
        ("`", "`` ` ``"),
        ("", "`  `"),
        ("a\nb", "`a b`"),
        ("\x1b[2J", "`\\x1b[2J`"),
        ("\u202e", "`\\u202e`"),
    ],
)
def test_code_cannot_be_left_by_what_is_in_it(text: str, span: str) -> None:
    assert code(text) == span
