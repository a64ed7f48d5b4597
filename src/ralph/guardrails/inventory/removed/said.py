"""Tests of what the product said, where it no longer says it (policy set v2, class G04).

A test that runs a program names nothing of it but what it prints. Rule: most of its assertions want a text in which a
part stands that the product no longer has: a part of several words, from lines that the change only takes away together
with something that they defined, and that stands in no changed file of the product now. A text that is worded otherwise
in its place is still said, and one that other files still say is not gone. Of a test whose helpers alone assert
something, any text counts.

What the product looked for in what it was given is as telling: a test that gives it a sign (`%default`, `--old`) goes
with the lines that asked for the sign, if the product's files and the tests of the head know it no more.

So it is with an assertion that a test no longer makes, whatever else goes with such a text, if no text comes in the
lines that take its place (class G05): what the test asks besides is asked as before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from ralph.guardrails.inventory.model import Check, Facts, Test
from ralph.guardrails.model import FileChange, Hunk
from ralph.system.patterns import later

TEXT = later(r"\"((?:[^\"\\\n]|\\.|\\\n)*)\"|'((?:[^'\\\n]|\\.)*)'|`([^`\n]*)`")
FILLED = later(r"\$?\{[^{}]*\}|%[-+ #0]*[\d.]*[a-zA-Z]|\\.|\\\n[ \t]*")
"""What stands in a text for something else, or is no letter. A text may go on on the next line."""
WORDS = later(r"(?<!\S)[^\W\d_]{2,}(?!\w)")
WORDS_OF_CODE = later(r"[A-Za-z_]\w*")
SIGN = later(r"(?=\S*[A-Za-z]{3})(?=\S*[^\w\s.])\S{5,40}")
"""No plain word: it has a mark in it."""
LOOKS_FOR = later(
    r"\bin\b|[=!]==?|\.(?:replace|sub|gsub|starts_?[wW]ith|ends_?[wW]ith|contains|includes|index_?[oO]f|find|match\w*|split|equals)\b"
    r"|\bcase\b|\b(?:strings|bytes)\.\w+\(|\.(?:start|end)_with\?|\.include\?|\bmatches\("
)
SHORTEST = 12
FEWEST_WORDS = 3
LONGEST = 2_000


class GoneTexts:
    def __init__(
        self,
        files: Iterable[FileChange],
        products: Sequence[tuple[str, bytes, bytes]],
        gone: frozenset[str],
        tests: Sequence[bytes],
    ) -> None:
        """`products`: the path of each changed file of the product, and its text on both sides; `gone`: what it no
        longer defines; `tests`: the files of tests in the head."""
        self._files, self._products, self._gone, self._tests = files, products, gone, tests

    def are_asked_by(self, test: Test) -> bool:
        if any(_holds(literal, sign) for sign in self._signs for literal in test.facts().literals):
            return True
        if not self._gone or not self._parts:
            return False
        felt = [check for check in test.facts().checks if check.grade]
        if not felt:  # its helpers ask, and what they are given is all that is known
            return any(part in literal for literal in test.facts().literals for part in self._parts)
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
    def _signs(self) -> frozenset[str]:
        """What lines that are only taken away looked for."""
        hunks = (hunk for hunk in self._hunks if not any(line.strip() for line in hunk.added))
        lines = (line for hunk in hunks for line in _text(hunk.removed).split("\n") if LOOKS_FOR.search(line))
        found = {"".join(text) for line in lines for text in TEXT.findall(line)}
        there = [*(new for _, _, new in self._products), *self._tests] if found else []
        signs = (sign for sign in found if SIGN.fullmatch(sign))
        return frozenset(sign for sign in signs if not any(sign.encode() in text for text in there))

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


def _holds(literal: str, sign: str) -> bool:
    """As a word of its own."""
    return sign in literal and re.search(rf"(?<!\w){re.escape(sign)}(?!\w)", literal) is not None


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
