"""Java and Kotlin: soft assertions of which nobody asks the result (policy set v2, class G05; see `inventory`).

Rules:

- What `softly.assertThat(x)` finds is kept until `assertAll()` is called. Where the test, its file or a base of its
  class makes `softly` itself, and none of them calls that, nor hands it to anybody who might, such an assertion demands
  nothing.
- An extension, a rule of JUnit 4, and `assertSoftly` with a block ask by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import tree_sitter

from ralph.guardrails.inventory.model import Facts, Grade
from ralph.guardrails.inventory.writing import text_of
from ralph.record import replace
from ralph.system.patterns import later

if TYPE_CHECKING:
    from ralph.guardrails.inventory.lending.inheriting import Inheriting

NOBODY_ASKS = "nobody asks the soft assertions for their result"
COLLECTS = later(r"(?<![\w.])(?:this\.)?([a-z]\w*)\.(?:assertThat\w*|then)\(")
MADE = r"\b%s\s*(?::\s*[\w.]+\s*)?=\s*(?:new\s+)?(?:\w+\.)*(?:BDD|Java6)?SoftAssertions\(\)"
ASKED = later(
    r"\bassertAll\b|SoftAssertionsExtension|@(?:get:)?Rule\b|[aA]ssertionErrorsCollected|\berrorsCollected\b|\bwasSuccess\b"
)
HANDED = r"[(,]\s*(?:this\.)?%s\s*[,)]|\breturn\s+(?:this\.)?%s\s*;|%s\s*::"


def without_unasked(facts: Facts, body: tree_sitter.Node, tests: Inheriting) -> Facts:
    """The assertions that nobody hears of demand nothing."""
    text = text_of(body)
    names = sorted(set(COLLECTS.findall(text))) if ".assertThat" in text or ".then(" in text else ()
    texts = [each.data.decode("utf-8", "replace") for each in tests.with_bases()] if names else ()
    unasked = [name for name in names if _is_unasked(name, texts)]
    if not unasked:
        return facts
    begins = re.compile(rf"(?:this\.)?(?:{'|'.join(unasked)})\s*\.".encode())
    lines, first = tests.source.lines, tests.source.first_line
    checks = tuple(
        replace(check, grade=Grade.NOTHING, why=NOBODY_ASKS)
        if 0 <= check.line - first < len(lines) and begins.match(lines[check.line - first], check.column - 1)
        else check
        for check in facts.checks
    )
    return replace(facts, checks=checks)


def _is_unasked(name: str, texts: Sequence[str]) -> bool:
    made = any(re.search(MADE % name, text) for text in texts)
    return made and not any(ASKED.search(text) or re.search(HANDED % (name, name, name), text) for text in texts)
