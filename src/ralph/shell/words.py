"""The words of a shell line, character by character as bash takes them: quotes, escapes, patterns, braces.

A word ends where bash ends it: at a blank or an operator that is not quoted. Commands nested in a word (`$(…)`,
`<(…)`) are asked of the syntax tree. Spec: DESIGN.md decision 23.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from ralph.shell import ansi, braces
from ralph.shell.characters import is_deceptive
from ralph.shell.dollar import Dollars
from ralph.shell.model import Glob, Part, Text, Unknown, Word
from ralph.shell.opaque import Opaque
from ralph.shell.tilde import with_tildes

DECEPTIVE = "a character outside quotes that looks like another or like none"

Mode = Literal["word", "value", "pattern"]
"""An assignment's value and a pattern have no brace expansion; a pattern may hold parentheses."""

_BLANK = re.compile(r"(?:[ \t]|\\\n)*")
_SAFE = re.compile(r"[\w./:=+@%^-]+(?=[ \t\n;]|\Z)", re.ASCII)
"""A whole word that is nothing but itself."""
_PLAIN = re.compile(r"[^\\'\"$`{},*?\[<>()|&;\s]+")
_DOUBLE = re.compile(r"[^\"\\$`]+")
_SINGLE = re.compile(r"'([^']*)'")
_ANSI = re.compile(r"\$'((?:[^'\\]|\\.)*)'", re.DOTALL)
_BRACKET = re.compile(r"\[[!^]?\]?(?:\[:[a-z]+:\]|[^\[\]\\'\"$`\s/{},<>()|&;])*\]")


class Words(Dollars):
    """Reads words of `self.text` up to `self.end`."""

    end: int

    def skip(self, at: int) -> int:
        match = _BLANK.match(self.text, at, self.end)
        return match.end() if match else at

    def words(self, at: int, mode: Mode) -> tuple[list[Word], int]:
        """The words that the source word at this place becomes (several only by braces), and its end."""
        if safe := _SAFE.match(self.text, at, self.end):
            plain = safe[0]
            return [Word((Text(plain),), safe.span())], safe.end()
        items, end = self._items(at, mode)
        if end == at:
            return [], at
        try:
            expanded = braces.expand(items) if mode == "word" else [joined(items)]
        except braces.TooComplex:
            return [Word((Unknown("braces that are not a short plain list"),), (at, end))], end
        # An empty word stays only if it was quoted: `{,a}` is one word, `''` is one.
        return [Word(with_tildes(parts), (at, end)) for parts in expanded if parts], end

    def word(self, at: int, mode: Mode) -> tuple[Word, int]:
        """Exactly one word."""
        read, end = self.words(at, mode)
        if len(read) != 1:
            raise Opaque("a place for one word holds another number of them", (at, max(end, at + 1)))
        return read[0], end

    def _items(self, at: int, mode: Mode) -> tuple[list[braces.Item], int]:
        items: list[braces.Item] = []
        depth = 0
        while at < self.end:
            if match := _PLAIN.match(self.text, at, self.end):
                if is_deceptive(match[0]):
                    raise Opaque(DECEPTIVE, match.span(), "OPAQUE_CHARACTER")
                items.append(Text(match[0]))
                at = match.end()
                continue
            if mode == "pattern" and (sign := self.text[at]) in "()|" and (depth or sign == "("):
                depth += {"(": 1, ")": -1, "|": 0}[sign]
                items.append(Glob(sign))
                at += 1
                continue
            item, end = self._special(at)
            if end == at:
                break
            if item is not None:
                items += item if isinstance(item, list) else [item]
            at = end
        if depth:
            raise Opaque("a pattern with unbalanced parentheses", (at, at + 1))
        return items, at

    def _special(self, at: int) -> tuple[braces.Item | list[braces.Item] | None, int]:
        """What the character at this place begins; the place itself as end if no part of the word."""
        sign = self.text[at]
        if sign in "{},":
            return sign, at + 1
        if sign in "*?":
            return Glob(sign), at + 1
        if sign in "<>" and self.text[at + 1 : at + 2] == "(":
            return self.process(at)
        reader = _QUOTING.get(sign)
        return (None, at) if reader is None else reader(self, at)

    def _escaped(self, at: int) -> tuple[Text | None, int]:
        following = self.text[at + 1 : min(at + 2, self.end)]
        if not following:
            raise Opaque("a backslash at the end", (at, self.end))
        if following == "\n":
            if not self.text.startswith((" ", "\t", "\n"), at + 2):
                raise Opaque("a line continuation inside a word", (at, at + 2), "OPAQUE_CONTINUATION")
            return None, at + 2
        if is_deceptive(following):
            raise Opaque(DECEPTIVE, (at, at + 2), "OPAQUE_CHARACTER")
        return Text(following, quoted=True), at + 2

    def _single(self, at: int) -> tuple[Text, int]:
        return self._quoted(_SINGLE, at)

    def _backtick(self, at: int) -> tuple[Part, int]:
        raise Opaque("backticks", (at, at + 1), "OPAQUE_BACKTICK")

    def _quoted(self, pattern: re.Pattern[str], at: int) -> tuple[Text, int]:
        match = pattern.match(self.text, at, self.end)
        if match is None:
            raise Opaque("a quote that is not closed", (at, self.end))
        return Text(match[1], quoted=True), match.end()

    def _dollar_word(self, at: int) -> tuple[braces.Item | list[braces.Item], int]:
        following = self.text[at + 1 : at + 2]
        if following == "'":
            raw, end = self._quoted(_ANSI, at)
            decoded = ansi.decode(raw.text)
            if decoded is None:
                raise Opaque("a `$'…'` that makes a control or foreign character", (at, end), "OPAQUE_CHARACTER")
            return Text(decoded, quoted=True), end
        if following == '"':
            return self._double(at + 1)
        return self.dollar(at, quoted=False)

    def _double(self, at: int) -> tuple[list[braces.Item], int]:
        """What stands between double quotes, of which the first is at this place."""
        start, at = at, at + 1
        parts: list[braces.Item] = [Text("", quoted=True)]
        while at < self.end:
            sign = self.text[at]
            if sign == '"':
                return parts, at + 1
            if match := _DOUBLE.match(self.text, at, self.end):
                parts.append(Text(match[0], quoted=True))
                at = match.end()
            elif sign == "\\":
                following = self.text[at + 1 : at + 2]
                if following != "\n":
                    parts.append(Text(following if following in '$`"\\' else "\\" + following, quoted=True))
                at += 2
            elif sign == "$":
                part, at = self.dollar(at, quoted=True)
                parts.append(part)
            else:
                raise Opaque("backticks", (at, at + 1), "OPAQUE_BACKTICK")
        raise Opaque("a quote that is not closed", (start, self.end))

    def _bracket(self, at: int) -> tuple[Part, int]:
        if match := _BRACKET.match(self.text, at, self.end):
            return Glob(match[0]), match.end()
        blank = re.compile(r"[\s;|&<>]|$").search(self.text, at, self.end)
        if "]" in self.text[at : blank.start() if blank else self.end]:
            return Unknown("a bracket pattern with quotes or expansions in it"), at + 1
        return Text("["), at + 1


_QUOTING: dict[str, Callable[[Words, int], tuple[braces.Item | list[braces.Item] | None, int]]] = {
    "\\": Words._escaped,
    "'": Words._single,
    '"': Words._double,
    "$": Words._dollar_word,
    "[": Words._bracket,
    "`": Words._backtick,
}


def joined(items: list[braces.Item]) -> list[Part]:
    """The parts of a word in which braces mean nothing."""
    return [Text(item) if isinstance(item, str) else item for item in items]
