"""A source file as its tools read it: UTF-8, lines ended by LF.

Tools and git do not agree on what a line is, and a file can be written so that a person, git and the tool see three
different things. Here the tool's view is made, in a way that keeps every byte's place, so that a hit can be told in
git's lines again:

- UTF-16 and UTF-32 with a byte order mark are decoded (git calls such a file binary and shows no lines of it);
- a Python file is decoded as its coding line says, when that is no superset of ASCII (UTF-7 can hide anything);
- a lone CR ends a line, and so do U+2028 and U+2029 in JavaScript: what follows a comment there is code.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable

from ralph.guardrails.model import Hit
from ralph.guardrails.source import Source
from ralph.record import replace
from ralph.system.patterns import later

MAX_BYTES = 5_000_000
MOST_OF_A_SECRET = 4_000
"""Characters behind a cut that are looked at: a longer secret (a key of several lines) is known by its beginning."""
CODING_WORD = r"^[ \t\f]*#.*?coding[:=]"
"""Added to Python's words: a new coding line must make the file be read."""

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CODING = later(rb"\A(?:[^\n]*\n)?[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_PLAIN = later(r"utf-8(-sig)?|ascii|iso8859-\d+|cp125\d|koi8-[rut]|shift_jis|euc_(jp|kr)|gb\w*|big5")
_LONE_CR = later(rb"\r(?!\n)")


class UnreadableError(ValueError):
    """The bytes are not a text that the rules can look at; the message says why."""


def decoded(language: str, data: bytes) -> bytes:
    """The content in UTF-8. Raises UnreadableError."""
    if len(data) > MAX_BYTES:
        raise UnreadableError(f"the file is larger than {MAX_BYTES // 1_000_000} MB")
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    if encoding is None and language == "python" and (match := _CODING.match(data)):
        encoding = _foreign(match[1].decode("ascii", "replace"))
    try:
        text = data.decode(encoding).encode() if encoding else data
    except (UnicodeError, LookupError) as error:
        raise UnreadableError(f"the file is not valid {encoding}") from error
    if b"\0" in text:
        raise UnreadableError("the file holds NUL bytes")
    return text


def one_line_end(language: str, text: bytes) -> bytes:
    """The text with LF for every line end that the language's tools know; every byte stays where it is."""
    if b"\r" in text:
        text = _LONE_CR.sub(b"\n", text)
    if language in ("javascript", "typescript", "tsx", "vue") and not text.isascii():
        text = text.replace("\u2028".encode(), b"  \n").replace("\u2029".encode(), b"  \n")
    return text


def ended_by_lf(text: bytes) -> bytes:
    """The same lines without the CR that ends them in some editors: for what is asked about the ends of lines."""
    return text.replace(b"\r\n", b"\n") if b"\r" in text else text


def in_git_lines(hit: Hit, text: bytes, normal: bytes) -> Hit:
    """A hit in `normal` told by the lines of `text`, of which `normal` is the form with one line end."""
    if text == normal or hit.line == 0:
        return hit
    start = 0
    for _ in range(hit.line - 1):
        start = normal.index(b"\n", start) + 1
    offset = start + hit.column - 1
    line_start = text.rfind(b"\n", 0, offset) + 1
    return replace(hit, line=text.count(b"\n", 0, offset) + 1, column=offset - line_start + 1)


def _foreign(name: str) -> str | None:
    """The encoding, unless ASCII bytes are sure to mean ASCII letters in it; unknown names count as foreign."""
    try:
        return None if _PLAIN.fullmatch(codecs.lookup(name).name) else name
    except LookupError:
        return name


def without_note(line: str, mark: str) -> str:
    """The code of a line, without the comment behind it; a line that is a comment stays."""
    at = line.find(mark)
    while at > 0:
        before = line[:at]
        if before[-1].isspace() and before.strip() and not any(before.count(quote) % 2 for quote in "\"'`"):
            return before.rstrip()
        at = line.find(mark, at + len(mark))
    return line


def stripped(lines: Iterable[bytes]) -> list[str]:
    """Lines as text, without what stands around them."""
    return [line.decode("utf-8", "replace").strip() for line in lines]


def bare(line: str) -> str:
    """A line without its blanks: how it is laid out says nothing."""
    return "".join(line.split())


def as_text(data: bytes | None) -> str:
    """What a file holds; nothing where there is none."""
    return (data or b"").decode("utf-8", "replace")


def lines_of(data: bytes | None) -> list[str]:
    return as_text(data).split("\n")


def depth(line: str) -> int:
    """How far a line is indented."""
    return len(line) - len(line.lstrip())


def cut(text: str, longest: int) -> str:
    """The beginning of what a finding says of a text. Secrets are taken out before: half a one is still one."""
    if len(text) <= longest:
        return text
    from ralph.guardrails.secrets.redact import redacted  # hardly any text is so long

    return redacted(text[: longest + MOST_OF_A_SECRET])[:longest]


def read_source(path: str, language: str, data: bytes | None) -> Source | None:
    """One side of a file; None where it is not there or cannot be read, which is told of where all sides are read."""
    try:
        return None if data is None else Source(path, language, one_line_end(language, decoded(language, data)))
    except UnreadableError:
        return None
