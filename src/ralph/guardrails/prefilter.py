"""The cheap question before the dear one: can these changed lines matter to a family's detectors at all?

A family's words are regular expressions, matched without case on bytes, with `^` and `$` at line ends. All the
changed lines of a file, removed ones too, are asked about as one blob: no work per line. Hyperscan answers when
its wheel is there and it knows the expressions, else Python's `re`; both give the same answer.

Python reads identifiers in Unicode's compatibility form (NFKC), so lines that are not ASCII are asked about in that
form, too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

hyperscan: Any
try:
    import hyperscan
except ImportError:  # an optional extra: the answers are the same without it, only slower
    hyperscan = None

Matcher = Callable[[bytes], bool]


class Prefilter:
    """Matches one family's words. Make it with `prefilter`, which compiles each set of words once."""

    def __init__(self, words: Sequence[str], matcher: Matcher) -> None:
        self._pattern = expression(words)
        self._matcher = matcher

    def matches(self, blob: bytes) -> bool:
        """True if any word occurs in the blob, as written or in compatibility form."""
        if self._matcher(blob):
            return True
        return not blob.isascii() and self._matcher(compatible(blob))

    def spans(self, line: bytes) -> Iterator[tuple[int, int]]:
        """Where the words stand in a line as written; the whole line if only its compatibility form holds one."""
        found = False
        for match in self._pattern.finditer(line):
            found = True
            yield match.span()
        if not found and self.matches(line):
            yield 0, len(line)


@cache
def prefilter(words: tuple[str, ...]) -> Prefilter:
    return Prefilter(words, hyperscan_matcher(words) or re_matcher(words))


def compatible(blob: bytes) -> bytes:
    return unicodedata.normalize("NFKC", blob.decode("utf-8", "replace")).encode()


def expression(words: Sequence[str]) -> re.Pattern[bytes]:
    return re.compile(b"|".join(b"(?:%s)" % word.encode() for word in words), re.IGNORECASE | re.MULTILINE)


def re_matcher(words: Sequence[str]) -> Matcher:
    pattern = expression(words)
    return lambda blob: pattern.search(blob) is not None


def hyperscan_matcher(words: Sequence[str]) -> Matcher | None:
    """None where hyperscan is missing or does not know an expression (look-around, for one)."""
    if hyperscan is None:
        return None
    flags = hyperscan.HS_FLAG_CASELESS | hyperscan.HS_FLAG_MULTILINE | hyperscan.HS_FLAG_SINGLEMATCH
    database = hyperscan.Database()
    try:
        database.compile(expressions=[word.encode() for word in words], flags=[flags] * len(words))
    except hyperscan.error:
        return None

    def matches(blob: bytes) -> bool:
        found: list[int] = []
        database.scan(blob, match_event_handler=lambda number, *_: found.append(number))
        return bool(found)

    return matches
