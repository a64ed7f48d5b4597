"""Tests of what the product said, where it no longer says it (policy set v2, class G04).

A test that runs a program names nothing of it but what it prints. Rule: most of its assertions want a text in which a
part stands that the product no longer has: a part of several words, from lines that the change only takes away together
with something that they defined, and that stands in no changed file of the product now. A text that is worded otherwise
in its place is still said, and one that other files still say is not gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from ralph.guardrails.inventory.model import Check, Test
from ralph.guardrails.model import FileChange
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

    def _is_wanted(self, check: Check) -> bool:
        wanted = check.wanted[:LONGEST]
        return any(part in wanted for part in self._parts)

    @cached_property
    def _parts(self) -> frozenset[str]:
        paths = {path for path, old, _ in self._products if old}
        taken = (
            part
            for file in self._files
            if file.path in paths
            for hunk in file.hunks
            if not any(line.strip() for line in hunk.added)
            for part in _parts(b"\n".join(hunk.removed), self._gone)
        )
        texts = [new.decode("utf-8", "replace") for _, _, new in self._products]
        return frozenset(part for part in taken if not any(part in text for text in texts))


def _parts(removed: bytes, gone: frozenset[str]) -> Iterator[str]:
    """Of the texts in lines that are taken away, those that are words, and what stands between other things."""
    text = removed.decode("utf-8", "replace")
    if gone.isdisjoint(WORDS_OF_CODE.findall(text)):
        return
    for found in TEXT.findall(text):
        for part in FILLED.split("".join(found)):
            if len(part) >= SHORTEST and len(WORDS.findall(part)) >= FEWEST_WORDS:
                yield part.strip(" .,:;!")


def _says_words(wanted: str) -> bool:
    return any(len(WORDS.findall("".join(found))) >= FEWEST_WORDS for found in TEXT.findall(wanted[:LONGEST]))
