"""The cheap question before the dear one: can these changed lines matter to a family's detectors at all?

A family's words are regular expressions, matched without case on bytes, with `^` and `$` at line ends. All the
changed lines of a file, removed ones too, are asked about as one blob: no work per line. An alternative of an
expression is tried only if all that it needs stands in the vocabulary of the blob (`needs`), which few do, and only
around the words that it begins with (`leads`). What was tried on a text is kept, as several rules ask about the same
text with the same words. For a very large change Hyperscan answers, faster yet once its tables are made (some 100 ms),
if its wheel is there and it knows the expressions. All give the same answer.

Python reads identifiers in Unicode's compatibility form (NFKC), so lines that are not ASCII are asked about in that
form, too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, lru_cache

from ralph.guardrails.leads import Lead, lead
from ralph.guardrails.needs import Needs, alternatives, is_plain, needed
from ralph.system.patterns import later

Matcher = Callable[[bytes], bool]


WORTH_TABLES = 4_000_000
"""Bytes to be asked about before Hyperscan's tables are worth making."""

KEPT = 4096
"""Texts of which the answers are kept: rule after rule asks about all files of a change."""

WORTH_PLACES = 64
"""For so many bytes of a text one place to try an expression at is as cheap as a search."""

ANY_CASE = "(?i)"
CASED = "(?-i:"
"""Begins what is to match as it is written."""

_LETTERS_OR_SIGNS = later(r"\\.|\(\?P|[A-Z]+", re.DOTALL)
"""Letters in upper case, and what stays as it is: signs of an expression."""

_LETTERS = bytes(each if each in b"abcdefghijklmnopqrstuvwxyz0123456789_" else 32 for each in bytes(range(256)).lower())
"""Letters in lower case, everything that is in no word as a blank."""


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
        if self._matcher(blob):
            return True
        return not blob.isascii() and (other := compatible(blob)) != blob and self._matcher(other)

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


@lru_cache(maxsize=16)
def compatible(blob: bytes) -> bytes:
    return unicodedata.normalize("NFKC", blob.decode("utf-8", "replace")).encode()


def expression(words: Sequence[str]) -> re.Pattern[bytes]:
    return re.compile(b"|".join(b"(?:%s)" % word.encode() for word in words), re.IGNORECASE | re.MULTILINE)


def may_match(form: re.Pattern[bytes] | re.Pattern[str], blob: bytes) -> bool:
    """False if the text has not what the expression needs: then it matches nowhere."""
    written = form.pattern
    if isinstance(written, bytes):
        written = written.decode()
    elif not blob.isascii():  # other letters may stand for those of a text's expression, as `ſ` for `s`
        return True
    return any(map(_text(blob).holds, _needs(written)))


def is_in(form: re.Pattern[bytes], blob: bytes) -> bool:
    """Whether an expression that most texts do not match stands in one. Its only flag may be a `(?i)` before it."""
    return _as_words(form.pattern).matches(blob)


def is_in_part(form: re.Pattern[str], part: str) -> bool:
    """The same of a part of a text that several expressions are asked about, such as the body of a function."""
    known = _words_of_part(part) if part.isascii() else None
    may = known is None or any(_holds(known, needs) for needs in _needs(form.pattern))
    return may and form.search(part) is not None


@cache
def _as_words(form: bytes) -> Prefilter:
    written = form.decode()
    if written.startswith(ANY_CASE):
        return prefilter((written.removeprefix(ANY_CASE),))
    return prefilter(tuple(f"{CASED}{part})" for part in alternatives(written)))


@lru_cache(maxsize=KEPT)
def _words_of_part(part: str) -> str:
    return _words(part.encode())


@cache
def _needs(word: str) -> tuple[tuple[Needs, ...], ...]:
    return tuple(needed(part) for part in alternatives(word))


def re_matcher(words: Sequence[str]) -> Matcher:
    parts = list(dict.fromkeys(part for word in words for part in alternatives(word)))
    needs = [needed(part) for part in parts]

    def matches(blob: bytes) -> bool:
        return any(map(_text(blob).matches, parts, needs))

    return matches


class Text:
    """One text, and what was asked about it."""

    def __init__(self, blob: bytes) -> None:
        self._blob = blob
        self.known = _vocabulary(blob.rstrip(b"\n"))
        self._answers: dict[str, bool] = {}
        self._places: dict[str, list[int]] = {}

    def holds(self, needs: tuple[Needs, ...]) -> bool:
        return _holds(self.known, needs)

    def matches(self, part: str, needs: tuple[Needs, ...]) -> bool:
        """Of an alternative, and what it needs."""
        if (answer := self._answers.get(part)) is None:
            answer = self._answers[part] = self.holds(needs) and (is_plain(part) or self._tried(part))
        return answer

    def _tried(self, part: str) -> bool:
        form, begins = _alternative(part), lead(part)
        text = self._blob if CASED in part else self._lower
        starts = self._starts(begins) if begins else None
        if starts is None:
            return form.search(text) is not None
        return any(form.match(text, start) for start in starts)

    def _starts(self, begins: Lead) -> Iterator[int] | None:
        """Where a match may start; None if trying at all these places would take longer than a search."""
        places = [place for run in begins.runs if run in self.known for place in self._places_of(run)]
        if len(places) * (begins.most_before + 1) * WORTH_PLACES > len(self._blob):
            return None
        return (place - before for place in places for before in range(min(place, begins.most_before) + 1))

    def _places_of(self, run: str) -> list[int]:
        """Where letters stand in the text, whatever is around them; no more places than are worth knowing."""
        if (places := self._places.get(run)) is None:
            places = self._places[run] = []
            most, sought = len(self._blob) // WORTH_PLACES, run.encode()
            place = self._lower.find(sought)
            while place >= 0 and len(places) <= most:
                places.append(place)
                place = self._lower.find(sought, place + 1)
        return places

    @cached_property
    def _lower(self) -> bytes:
        return self._blob.lower()


def _holds(known: str, needs: tuple[Needs, ...]) -> bool:
    for each in needs:
        for need in each:
            if need in known:
                break
        else:
            return False
    return True


@lru_cache(maxsize=KEPT)
def _text(blob: bytes) -> Text:
    return Text(blob)


@cache
def _alternative(part: str) -> re.Pattern[bytes]:
    """For texts in lower case: without the flag for it an expression takes two thirds of the time."""
    if CASED in part:
        return expression([part])
    lower = _LETTERS_OR_SIGNS.sub(lambda match: match[0] if match[0][0] in "\\(" else match[0].lower(), part)
    return re.compile(lower.encode(), re.MULTILINE)


def vocabulary(blob: bytes) -> str:
    """Every word of the blob once, in lower case, with blanks around it: a fraction of it, and asked about often.

    It is no bytes: to look for bytes in bytes, Python makes an error first, and takes ten times as long.
    """
    return _vocabulary(blob.rstrip(b"\n"))


@lru_cache(maxsize=KEPT)
def _vocabulary(blob: bytes) -> str:
    return _words(blob)


def _words(blob: bytes) -> str:
    return f" {b' '.join(set(blob.translate(_LETTERS).split())).decode()} "


def forget_texts() -> None:
    """A scan is over: its texts will not be asked about again."""
    compatible.cache_clear()
    _text.cache_clear()
    _vocabulary.cache_clear()
    _words_of_part.cache_clear()


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
