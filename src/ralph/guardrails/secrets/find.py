"""Where secrets stand in a text: keys and tokens by their form, passwords by their name (see `formats`, `guesses`).

Rules: a value must have the entropy of chance; documented examples, placeholders and derived values (hashes, references
to a vault) are no secrets. Texts without any of the words are not looked at: that is what makes it cheap.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ralph.guardrails.literals import Literals
from ralph.guardrails.secrets.formats import FORMATS, Sort
from ralph.guardrails.secrets.guesses import (
    BEARER,
    NAMED,
    OTHER_NAMES,
    WORDS,
    entropy,
    is_placeholder,
    looks_chosen,
    looks_random,
)
from ralph.record import record
from ralph.system.patterns import later

KNOWN_EXAMPLES = later(
    rb"EXAMPLE|(?i:example)|eyJzdWIiOiIxMjM0NTY3ODkw|(?i:x{6}|0{8}|\*{4}|abcdefgh|12345678|redacted|placeholder|your_?)"
)
COMMON_PASSWORDS = later(
    rb"(?i)pass(?:word|wd)?\d*|pwd|secret|root|admin|user(?:name)?|guest|test\w*|postgres\w*|mysql|mongo|redis"
    rb"|rabbit\w*|changeme|example|foo|bar|baz|token|dev|\*+|x+|\.+|%\w+%?|\$\w+|:\w+|<.*>|\w*_?pass(?:word)?_?\w*"
    rb"|1234\w*|abc\w*|hunter2|credentials?"
)


@record
class Secret:
    """`start` and `end` are the bytes that must not be shown; `surely`: by its form, not only by its name."""

    name: str
    sort: Sort
    start: int
    end: int


_LITERALS = Literals([word.lower() for each in FORMATS for word in each.words] + list(WORDS))


def words_in(texts: Iterable[bytes]) -> frozenset[bytes]:
    """The words of secrets that stand in any of the texts: asked once, it need not be asked of each."""
    return _LITERALS.found(b"\n".join(texts))


def secrets_in(data: bytes, among: frozenset[bytes] | None = None) -> Iterator[Secret]:
    """Every secret, the surest first; none overlaps another. `among` is what `words_in` said of it and others."""
    words = _LITERALS.found(data, among)
    if not words:
        return
    taken: list[tuple[int, int]] = []
    for found in (*_by_form(data, words), *_by_name(data, words)):
        if all(found.end <= start or found.start >= end for start, end in taken):
            taken.append((found.start, found.end))
            yield found


def _by_form(data: bytes, words: frozenset[bytes]) -> Iterator[Secret]:
    for each in FORMATS:
        present = [word for word in each.words if word.lower() in words]
        if present and (each.caseless or any(word in data for word in present)):
            for match in each.expression.finditer(data):
                group = 1 if match.re.groups else 0
                value = match[group]
                if entropy(value) >= each.entropy and not _is_harmless(each.sort, value):
                    start, end = match.span() if each.sort == "private-key" else match.span(group)
                    weak = each.sort == "password" and not (looks_random(value) or looks_chosen(value))
                    yield Secret(each.name, "possible" if weak else each.sort, start, end)


def _by_name(data: bytes, words: frozenset[bytes]) -> Iterator[Secret]:
    if words.isdisjoint(WORDS):
        return
    lower = data.lower()
    for match in BEARER.finditer(data):
        if looks_random(match[1]):
            yield Secret("authorization", "password", *match.span(1))
    for match in _named(lower, words):
        kind = match.lastgroup or "bare"
        start, end = match.span(kind)
        value = data[start:end]
        if looks_random(value):
            sure = len(value) >= 20 and kind != "bare"
            yield Secret("secret value", "password" if sure else "possible", start, end)
        elif kind != "bare" and match["name"].startswith((b"pass", b"pwd")) and looks_chosen(value):
            yield Secret("password", "possible", start, end)


def _named(lower: bytes, words: frozenset[bytes]) -> Iterator[re.Match[bytes]]:
    """Plain search for the words, and the expression only where one stands: a tenth of the time."""
    for word in words.intersection(WORDS):
        at = lower.find(word)
        while at >= 0:
            if not OTHER_NAMES.search(lower, max(0, at - 16), at) and (match := NAMED.match(lower, at)):
                yield match
            at = lower.find(word, at + 1)


def _is_harmless(sort: Sort, value: bytes) -> bool:
    if sort == "password":
        return COMMON_PASSWORDS.fullmatch(value) is not None or is_placeholder(value)
    return KNOWN_EXAMPLES.search(value) is not None
