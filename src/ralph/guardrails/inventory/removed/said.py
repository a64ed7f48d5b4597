"""Tests of what the product said, where it no longer says it (policy set v2, class G04).

A test that runs a program names nothing of it but what it prints. Rule: most of its assertions want a text in which a
part stands that the product no longer has: a part of several words, from lines that the change only takes away together
with something that they defined, and that stands in no changed file of the product now. A text that is worded otherwise
in its place is still said, and one that other files still say is not gone.

So it is with an assertion that a test no longer makes, whatever else goes with such a text, if no text comes in the
lines that take its place (class G05): what the test asks besides is asked as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from ralph.guardrails.inventory.model import Check, Facts, Test
from ralph.guardrails.model import FileChange, Hunk
from ralph.system.patterns import later

TEXT = later(r"\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|`([^`\n]*)`")
FILLED = later(r"\$?\{[^{}]*\}|%[-+ #0]*[\d.]*[a-zA-Z]|\\.")
"""What stands in a text for something else, or is no letter."""
WORDS = later(r"(?<!\S)[^\W\d_]{2,}(?!\w)")
WORDS_OF_CODE = later(r"[A-Za-z_]\w*")
SHORTEST = 12
FEWEST_WORDS = 3
LONGEST = 2_000


class GoneTexts:
    def __init__(
        self, files: Iterable[FileChange], products: Sequence[tuple[str, bytes, bytes]], gone: frozenset[str]
    ) -> None:
        """`products`: the path of each changed file of the product, and its text on both sides; `gone`: what it no
        longer defines."""
        self._files, self._products, self._gone = files, products, gone

    def are_asked_by(self, test: Test) -> bool:
        if not self._gone or not self._parts:
            return False
        felt = [check for check in test.facts().checks if check.grade]
        asking = [check for check in felt if self._is_wanted(check)]
        others = [check for check in felt if check not in asking and _says_words(check.wanted)]
        return bool(asking) and not others and 2 * len(asking) >= len(felt)

    def were_wanted_by(self, check: Check, after: Facts) -> bool:
        """Of an assertion that is gone: the test still asks something else."""
        if not _says_words(check.wanted) or not any(each.grade for each in after.checks):
            return False
        return any(part in check.wanted[:LONGEST] for part in self._withdrawn)

    def _is_wanted(self, check: Check) -> bool:
        wanted = check.wanted[:LONGEST]
        return any(part in wanted for part in self._parts)

    @cached_property
    def _parts(self) -> frozenset[str]:
        hunks = (hunk for hunk in self._hunks if not any(line.strip() for line in hunk.added))
        texts = (_text(hunk.removed) for hunk in hunks)
        return self._unsaid(text for text in texts if not self._gone.isdisjoint(WORDS_OF_CODE.findall(text)))

    @cached_property
    def _withdrawn(self) -> frozenset[str]:
        hunks = (hunk for hunk in self._hunks if not _says_words(_text(hunk.added)))
        return self._unsaid(_text(hunk.removed) for hunk in hunks)

    @property
    def _hunks(self) -> Iterator[Hunk]:
        paths = {path for path, old, _ in self._products if old}
        yield from (hunk for file in self._files if file.path in paths for hunk in file.hunks)

    def _unsaid(self, removed: Iterable[str]) -> frozenset[str]:
        there = [new.decode("utf-8", "replace") for _, _, new in self._products]
        parts = (part for text in removed for part in _parts(text))
        return frozenset(part for part in parts if not any(part in text for text in there))


def _text(lines: Iterable[bytes]) -> str:
    return b"\n".join(lines).decode("utf-8", "replace")


def _parts(text: str) -> Iterator[str]:
    """Of the texts in lines that are taken away, those that are words, and what stands between other things."""
    for found in TEXT.findall(text):
        for part in FILLED.split("".join(found)):
            if len(part) >= SHORTEST and len(WORDS.findall(part)) >= FEWEST_WORDS:
                yield part.strip(" .,:;!")


def _says_words(wanted: str) -> bool:
    return any(len(WORDS.findall("".join(found))) >= FEWEST_WORDS for found in TEXT.findall(wanted[:LONGEST]))
