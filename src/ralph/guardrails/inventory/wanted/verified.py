"""What a double is asked to have been called with: Mockito, MockK, Moq (test inventory, class G05).

Rules: every value counts, and how often where it is one number; where anything is accepted for all of them only that
there was a call is left; a call that may have happened any number of times demands nothing. That it was no more than
one call is little beside what it was given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tree_sitter

from ralph.guardrails.inventory.model import Grade, left_open
from ralph.guardrails.inventory.truth import Said
from ralph.guardrails.inventory.writing import Writing, text_of
from ralph.system.patterns import later

NEVER = later(r"\bnever\(\)|\bNever\b|exactly\s*=\s*0\b|times\(0\)|Exactly\(0\)")
ANY_NUMBER = later(r"(?i)\batLeast\s*(?:\(|=\s*)\s*0\b|\batMost\b|\batMostOnce\b")
EXACTLY = later(r"\b(?:times|Exactly)\(\s*(\d+)|\bexactly\s*=\s*(\d+)|\bOnce\b")
LOOSE = later(
    r"(?:\w+\.)*(?:any\w*\(|isA\(|isNotNull\(|notNull\(|nullable\(|ofType[<(]|IsAny<|IsNotNull<|allAny\()|(?:\w+\.)*any$"
)


def called(
    subject: str, arguments: Sequence[tree_sitter.Node], times: str, writing: Writing, *, once: bool = False
) -> Iterator[Said]:
    """`subject` is the double's method; `times` says how often, as it is written, and `once` whether nothing means that
    it is once."""
    if NEVER.search(times):
        yield Said(subject, "never called", "", Grade.CLOSE)
    elif ANY_NUMBER.search(times):
        yield Said(subject, "called with", "", Grade.NOTHING, why="any number of calls meets it")
    else:
        loose = [LOOSE.match(text_of(each)) is not None for each in arguments]
        yield Said(subject, "called with", ", ".join(map(writing.of, arguments)), left_open(loose))
        exactly = EXACTLY.search(times)
        if exactly is not None or (once and not times):
            number = next(filter(None, exactly.groups()), "1") if exactly is not None else "1"
            yield Said(subject, "calls", number, Grade.SHAPE if number == "1" else Grade.CLOSE)
