"""A line of the gate language cut into words, with the place of each. Spec: shell verify gates.

A word is what stands between blanks (space, tab, line end). Inside quotes blanks and operators are ordinary text:

- `"` opens a quote wherever it stands, `'` only where no letter or digit stands before it (`user's` holds none);
- the same character closes it; `\\"`, `\\'` and `\\\\` stand for the second character, any other backslash for itself;
- the words `::` and `-->` are operators.

What a reader would take for something else than it is (typographic quotes and special blanks outside quotes, hidden
characters anywhere) is refused, so a gate that looks well written is well written.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, NoReturn

from ralph.errors import UsageError
from ralph.record import record
from ralph.system.text import visible

MAX_CHARACTERS = 1 << 18
BLANKS = " \t\r\n"
JOINERS = "\u200c\u200d"
"""Invisible, but parts of words in some scripts and of many emoji; refused in commands alone."""

_SPACE = re.compile(r"[ \t\r\n]*")
_PLAIN = re.compile(r"""[^ \t\r\n"']+""")
_QUOTED = {
    '"': re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL),
    "'": re.compile(r"'[^'\\]*(?:\\.[^'\\]*)*'", re.DOTALL),
}
_ESCAPE = re.compile(r"""\\(["'\\])""")
_SMART_QUOTE = re.compile("[“”„‟″‘‛‚′]|(?<![^\\W_])’")
SPECIAL_BLANK = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_LINE_END = re.compile(r"\r\n|\r|\n")
_SHOWN = 100
"""As many characters of a long line stand on either side of the caret."""


class LanguageError(UsageError):
    """A line of the gate language is not well formed. Its message is `line:column: problem; expected.`"""

    def __init__(self, text: str, offset: int, problem: str, expected: str) -> None:
        ends = [end.end() for end in _LINE_END.finditer(text, 0, offset)]
        start = ends[-1] if ends else 0
        following = _LINE_END.search(text, offset)
        self.offset = offset
        self.line = len(ends) + 1
        self.column = offset - start + 1
        self.problem = problem
        self.expected = expected
        self._before = text[max(start, offset - _SHOWN) : offset]
        self._behind = text[offset : min(following.start() if following else len(text), offset + _SHOWN)]
        super().__init__(f"{self.line}:{self.column}: {problem}; {expected}.")

    @property
    def caret(self) -> tuple[str, str]:
        """The line of the error, safe to show, and a line with `^` under its place."""
        before = visible(self._before)
        width = sum(_cells(character) for character in before)
        return before + visible(self._behind), " " * width + "^"


@record
class Quoted:
    """A stretch in quotes: where it begins and ends, quotes included, and what it stands for."""

    start: int
    end: int
    value: str


@record
class Token:
    """A word as it was written."""

    kind: Literal["word", "gate", "arrow"]
    start: int
    end: int
    raw: str
    quoted: tuple[Quoted, ...] = ()

    @property
    def whole(self) -> Quoted | None:
        """The quote that the word consists of."""
        first = self.quoted[0] if self.quoted else None
        return first if first and (first.start, first.end) == (self.start, self.end) else None

    @property
    def head(self) -> str:
        """What stands before the first quote."""
        return self.raw[: self.quoted[0].start - self.start] if self.quoted else self.raw

    @property
    def bare(self) -> str:
        """The word with everything in quotes replaced by quotes, character by character."""
        parts, at = [], self.start
        for quoted in self.quoted:
            parts += [self.raw[at - self.start : quoted.start - self.start], '"' * (quoted.end - quoted.start)]
            at = quoted.end
        return "".join(parts) + self.raw[at - self.start :]

    @property
    def opens_quote(self) -> bool:
        return bool(self.quoted) and self.quoted[0].start == self.start


def tokenize(text: str) -> list[Token]:
    """The words of the text, in order. Raises LanguageError."""
    if len(text) > MAX_CHARACTERS:
        problem = f"the text has {len(text)} characters"
        raise LanguageError(text, MAX_CHARACTERS, problem, f"{MAX_CHARACTERS} are the most; put long text into a file")
    refuse_hidden(text)
    tokens: list[Token] = []
    at = _skip_blanks(text, 0)
    while at < len(text):
        tokens.append(_word(text, at))
        at = _skip_blanks(text, tokens[-1].end)
    return tokens


def refuse_hidden(text: str, *, start: int = 0, end: int | None = None, allowed: str = BLANKS + JOINERS) -> None:
    """Raises LanguageError at the first character that a reader cannot see, or that reorders what he sees."""
    for offset in range(start, len(text) if end is None else end):
        character = text[offset]
        if character.isprintable() or character in allowed:
            continue
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            problem = f"the invisible character U+{ord(character):04X} stands here"
            raise LanguageError(text, offset, problem, "remove it")


def shorten(text: str) -> str:
    """A word as an error shows it."""
    return text if len(text) <= 40 else text[:40] + "…"


def _word(text: str, start: int) -> Token:
    at, quoted = start, []
    while at < len(text) and text[at] not in BLANKS:
        character = text[at]
        if character == '"' or (character == "'" and not (at > start and text[at - 1].isalnum())):
            quoted.append(_quote(text, at))
            at = quoted[-1].end
        elif character == "'":
            at += 1
        else:
            at = _plain(text, at)
    raw = text[start:at]
    kind: Literal["word", "gate", "arrow"] = "gate" if raw == "::" else "arrow" if raw == "-->" else "word"
    return Token(kind, start, at, raw, tuple(quoted))


def _quote(text: str, at: int) -> Quoted:
    mark = text[at]
    found = _QUOTED[mark].match(text, at)
    if found is None:
        raise LanguageError(text, at, f"the quote that opens here is not closed by another {mark}", _way_out(text, at))
    return Quoted(at, found.end(), _ESCAPE.sub(r"\1", found[0][1:-1]))


def _way_out(text: str, at: int) -> str:
    if _SMART_QUOTE.search(text, at) or "’" in text[at:]:
        return f"close it with a plain {text[at]}: a typographic quote closes nothing"
    if "\\" + text[at] in text[at:]:
        return f"close it; \\{text[at]} is a character of the quoted text, and a backslash at its end is written \\\\"
    if text[at] == "'":
        return "close it, or put the whole text into double quotes if it is an apostrophe"
    return "close it"


def _plain(text: str, start: int) -> int:
    """The end of a stretch without blanks and quotes."""
    found = _PLAIN.match(text, start)
    assert found is not None
    if smart := _SMART_QUOTE.search(text, start, found.end()):
        problem = f"{smart[0]} is a typographic quote"
        raise LanguageError(text, smart.start(), problem, "type plain quotes, \" or '")
    if blank := SPECIAL_BLANK.search(text, start, found.end()):
        problem = f"the special blank U+{ord(blank[0]):04X} stands here"
        raise LanguageError(text, blank.start(), problem, "type a plain blank")
    return found.end()


def _skip_blanks(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _cells(character: str) -> int:
    """The columns that a character takes on a terminal."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class Cursor:
    """The words of a text, one after the other."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokenize(text)
        self.index = 0

    def peek(self, ahead: int = 0) -> Token | None:
        place = self.index + ahead
        return self.tokens[place] if place < len(self.tokens) else None

    def at(self, kind: str) -> bool:
        token = self.peek()
        return token is not None and token.kind == kind

    def take(self) -> Token:
        token = self.tokens[self.index]
        self.index += 1
        return token

    @property
    def offset(self) -> int:
        """Where the next word begins, or the text ends."""
        token = self.peek()
        return token.start if token else len(self.text)

    def fail(self, offset: int, problem: str, expected: str) -> NoReturn:
        raise LanguageError(self.text, offset, problem, expected)
