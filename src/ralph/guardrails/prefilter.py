"""The cheap question before the dear one: can these changed lines matter to a family's detectors at all?

A family's words are regular expressions, matched without case on bytes, with `^` and `$` at line ends. All the
changed lines of a file, removed ones too, are asked about as one blob: no work per line. An alternative of an
expression is tried only if what it needs stands in the vocabulary of the blob (`needs`): few are. For a very large
change Hyperscan answers, faster yet once its tables are made (some 100 ms), if its wheel is there and it knows the
expressions. Both give the same answer.

Python reads identifiers in Unicode's compatibility form (NFKC), so lines that are not ASCII are asked about in that
form, too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, lru_cache

from ralph.guardrails.needs import alternatives, needed
from ralph.system.patterns import later

Matcher = Callable[[bytes], bool]


WORTH_TABLES = 4_000_000
"""Bytes to be asked about before Hyperscan's tables are worth making."""

_WORD = later(rb"[a-z0-9_]+")


class Prefilter:
    """Matches one family's words. Get it from `prefilter`, so that each set of words is compiled once."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = tuple(words)
        self._matcher = re_matcher(words)
        self._asked_bytes = 0

    @cached_property
    def _pattern(self) -> re.Pattern[bytes]:
        return expression(self._words)

    def matches(self, blob: bytes) -> bool:
        """True if any word occurs in the blob, as written or in compatibility form."""
        if self._asked_bytes <= WORTH_TABLES:
            self._asked_bytes += len(blob)
            if self._asked_bytes > WORTH_TABLES:
                self._matcher = hyperscan_matcher(self._words) or self._matcher
        return self._matcher(blob) or (not blob.isascii() and self._matcher(compatible(blob)))

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
    return Prefilter(words)


def compatible(blob: bytes) -> bytes:
    return unicodedata.normalize("NFKC", blob.decode("utf-8", "replace")).encode()


def expression(words: Sequence[str]) -> re.Pattern[bytes]:
    return re.compile(b"|".join(b"(?:%s)" % word.encode() for word in words), re.IGNORECASE | re.MULTILINE)


def re_matcher(words: Sequence[str]) -> Matcher:
    tried = [(needed(part), part) for word in words for part in alternatives(word)]

    def matches(blob: bytes) -> bool:
        known = vocabulary(blob)
        return any(
            (needs is None or any(need in known for need in needs)) and _alternative(part).search(blob)
            for needs, part in tried
        )

    return matches


@cache
def _alternative(part: str) -> re.Pattern[bytes]:
    return expression([part])


def vocabulary(blob: bytes) -> bytes:
    """Every word of the blob once, in lower case: a fraction of it, and the rules ask about it one after the other."""
    return _vocabulary(blob.rstrip(b"\n"))


@lru_cache(maxsize=16)
def _vocabulary(blob: bytes) -> bytes:
    return b" ".join(set(_WORD.findall(blob.lower())))


def hyperscan_matcher(words: Sequence[str]) -> Matcher | None:
    """None where hyperscan is missing or does not know an expression (look-around, for one)."""
    try:
        import hyperscan
    except ImportError:  # an optional extra: the answers are the same without it, only slower
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
