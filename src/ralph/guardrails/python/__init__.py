"""Python: what switches a check off, takes a test out, or leaves code out of what is counted.

`comments` reads comments, `code` the rest: skips, tests that are not collected, code that no checker sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.directives import COMMON_WORDS
from ralph.guardrails.model import Hit
from ralph.guardrails.prefilter import compatible
from ralph.guardrails.python.collected import collected
from ralph.guardrails.python.comments import suppressions
from ralph.guardrails.python.names import Names
from ralph.guardrails.python.new_tests import without_new_tests
from ralph.guardrails.python.skips import skips
from ralph.guardrails.python.unchecked import unchecked
from ralph.guardrails.source import Detector, Source

CODE_WORDS = (
    r"skip",
    r"xfail",
    r"expectedFailure",
    r"pytest",
    r"unittest",
    r"_test__|__unittest_",
    r"parametrize|params\b",
    r"no_type_check",
    r"TYPE_CHECKING|\bMYPY\b",
    r"\bcast\b",
    r"\bAny\b",
)
"""What must stand somewhere in a file before its code is worth reading."""

WORDS = (
    *COMMON_WORDS,
    r"noqa|nopep8|nosec|nosem",
    r"ruff|flake8|isort|pylint|pytype|pyright|mypy|pyre|fixme|skipcq|codespell",
    r"ignore|disable|enable",
    r"pragma|ggignore|trufflehog",
    r"fmt:|yapf|autopep8|docformatter",
    *CODE_WORDS,
    r"^\s*@",
    r"getattr|__dict__|\bvars\(|import_module|__import__|\bexec\(|\beval\(|add_?marker",
)


def suspicious_code(source: Source) -> Iterator[Hit]:
    if not _CODE.search(source.data) and (source.data.isascii() or not _CODE.search(compatible(source.data))):
        return
    names = Names(source)
    for rule in (skips, collected, unchecked):
        yield from rule(names)


_CODE = re.compile("|".join(CODE_WORDS).encode(), re.IGNORECASE)
DETECTORS: tuple[Detector, ...] = (suppressions, suspicious_code)
REVISE = without_new_tests
"""A last look at what is new, with both trees at hand."""
