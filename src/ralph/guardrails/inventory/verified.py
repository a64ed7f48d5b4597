"""What a double is asked to have been called with: Mockito, MockK, Moq (test inventory, class G05).

Rules: every value counts; where anything is accepted for all of them only that there was a call is left; a call that
may have happened any number of times demands nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import tree_sitter

from ralph.guardrails.inventory.model import Grade, left_open
from ralph.guardrails.inventory.truth import Said
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.system.patterns import later

NEVER = later(r"\bnever\(\)|\bNever\b|exactly\s*=\s*0\b|times\(0\)|Exactly\(0\)")
ANY_NUMBER = later(r"(?i)\batLeast\s*(?:\(|=\s*)\s*0\b|\batMost\b|\batMostOnce\b")
LOOSE = later(
    r"(?:\w+\.)*(?:any\w*\(|isA\(|isNotNull\(|notNull\(|nullable\(|ofType[<(]|IsAny<|IsNotNull<|allAny\()|(?:\w+\.)*any$"
)


def called(subject: str, arguments: Sequence[tree_sitter.Node], times: str, writing: Writing) -> Said:
    """`subject` is the double's method; `times` says how often, as it is written."""
    if NEVER.search(times):
        return Said(subject, "never called", "", Grade.CLOSE)
    if ANY_NUMBER.search(times):
        return Said(subject, "called with", "", Grade.NOTHING, why="any number of calls meets it")
    loose = [LOOSE.match(text_of(each)) is not None for each in arguments]
    return Said(subject, "called with", ", ".join(map(writing.of, arguments)), left_open(loose))
