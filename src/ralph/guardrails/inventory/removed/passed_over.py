"""A test that is missing where the others of its file moved to (policy set v2, class G04).

Rule: some tests of the file are in other files now, each under its name, so that the file was taken apart and not
written anew. One that is in none of them was lost on the way, and no new test stands for it: none has any text that it
gave or wanted, and none has half of the words of its name.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.match import Matching
from ralph.guardrails.inventory.model import Test
from ralph.system.patterns import later

WORDS = later(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
OF_ANY_TEST = frozenset(("test", "tests", "it", "should", "the", "a", "an", "is", "of", "when", "and"))
TEXT = later(r"[rbuf]*[\"'`].{4,}[\"'`]", re.DOTALL)
MOVED = 3
"""So many others show that they moved one by one."""


def is_passed_over(test: Test, matching: Matching) -> bool:
    texts = {_bare(each) for each in test.facts().literals if TEXT.fullmatch(each)}
    if not texts or _moved_along(test, matching) < MOVED:
        return False
    words = _words(test.parts[-1])
    new = [each for each in matching.added if each.kind == "test"]
    if not words or any(len(words & _words(each.parts[-1])) * 2 >= len(words) for each in new):
        return False
    arrived = (*new, *(pair.new for pair in matching.pairs))
    return not any(_bare(literal) in texts for each in arrived for literal in each.facts().literals)


def _moved_along(test: Test, matching: Matching) -> int:
    pairs = (pair for pair in (*matching.moved, *matching.pairs) if pair.old.path == test.path != pair.new.path)
    return sum(pair.old.parts[-1] == pair.new.parts[-1] for pair in pairs if pair.old.kind == "test")


def _words(name: str) -> frozenset[str]:
    return frozenset(word.lower() for word in WORDS.findall(name)) - OF_ANY_TEST


def _bare(literal: str) -> str:
    return literal.lstrip("rbuf").strip("\"'`")
