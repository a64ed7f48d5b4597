"""Which of many plain words stand in a text, in any case: for detectors whose words are too many for one expression.

A small text is searched word by word, and only for those of which a part stands in its vocabulary; when much has been
asked, Hyperscan's tables are made, which find all words in one pass. Both give the same answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ralph.guardrails.prefilter import vocabulary
from ralph.system.patterns import later

Finder = Callable[[bytes], frozenset[int]]

WORTH_TABLES = 400_000
"""Bytes to be asked about before Hyperscan's tables are worth making: here that takes some 20 ms."""

_PART = later(rb"[a-z0-9_]+")


class Literals:
    def __init__(self, words: Sequence[bytes]) -> None:
        """`words` are in lower case and ASCII."""
        self.words = tuple(dict.fromkeys(words))
        self._parts = [(max(_PART.findall(word), key=len, default=b"").decode(), word) for word in self.words]
        self._asked_bytes = 0
        self._tables: Finder | None = None
        self._made = False

    def found(self, data: bytes, among: frozenset[bytes] | None = None) -> frozenset[bytes]:
        """The words that occur in the text; of some of them, where the others are known not to."""
        self._asked_bytes += len(data)
        if self._asked_bytes > WORTH_TABLES and not self._made:
            self._made, self._tables = True, _tables(self.words)
        if self._tables is not None:
            return frozenset(self.words[number] for number in self._tables(data))
        parts = self._parts if among is None else [each for each in self._parts if each[1] in among]
        if not parts:
            return frozenset()
        lower, known = data.lower(), vocabulary(data)
        return frozenset(word for part, word in parts if part in known and word in lower)


def _tables(words: Sequence[bytes]) -> Finder | None:
    """None where Hyperscan is missing: it is an optional extra."""
    try:
        import hyperscan
    except ImportError:
        return None
    flags = hyperscan.HS_FLAG_CASELESS | hyperscan.HS_FLAG_SINGLEMATCH
    database = hyperscan.Database()
    try:
        database.compile(expressions=[re.escape(word) for word in words], flags=[flags] * len(words))
    except hyperscan.error:
        return None

    def find(data: bytes) -> frozenset[int]:
        numbers: list[int] = []
        database.scan(data, match_event_handler=lambda number, *_: numbers.append(number))
        return frozenset(numbers)

    return find
