"""The simple commands of a shell line: assignments, words and redirects, in the order in which they stand.

The syntax tree says where a simple command stands; what it consists of is read here, from the text itself, because
the grammar loses words (`git>f push`), splits them (`pu\\<newline>sh`) and has its own ideas of `time` or `[`.
"""

from __future__ import annotations

import re

from ralph.shell.heredoc import read_body
from ralph.shell.model import Assignment, Group, Redirect, Simple, Span, Unknown, Word
from ralph.shell.opaque import Opaque
from ralph.shell.outline import scripts
from ralph.shell.tilde import with_tildes
from ralph.shell.words import Words, joined

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(\[[^\]\s]*\])?(\+?)=", re.ASCII)
_REDIRECT = re.compile(r"(?:(\d+)|(\{[A-Za-z_]\w*\}))?(<<<|<<-|<<|<>|<&|>&|>>|>\||<(?!\()|>(?!\())|(&>>|&>)", re.ASCII)
_CLOSING = re.compile(r"-[^\s;|&()<>]")
"""Behind `<&` and `>&` the shell ends the word after a dash, whatever follows; parsers do not."""
_BEHIND_ARRAY = frozenset({"", " ", "\t", "\n", ";", "&", "|", ")"})
_EVALUATED = frozenset({"RANDOM", "SRANDOM", "OPTIND", "HISTCMD"})
"""Variables of bash whose value is evaluated as arithmetic, and so as code, when they are set."""


class Lexer(Words):
    """Reads from `self.text` between a position and `self.end`, which `simple` sets."""

    def simple(self, start: int, end: int) -> tuple[Simple, int]:
        """The simple command that begins at `start`, and where the first thing that is none of it stands."""
        outer, self.end = self.end, end
        try:
            return self._simple(start)
        finally:
            self.end = outer

    def _simple(self, start: int) -> tuple[Simple, int]:
        assignments: list[Assignment] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        at = last = start
        while at < self.end:
            found = None if words else self._assignment(at)
            if found is not None:
                assignments.append(found)
                last = found.span[1]
            elif match := _REDIRECT.match(self.text, at, self.end):
                redirects.append(self._redirect(match))
                last = redirects[-1].span[1]
            else:
                read, last_or_same = self.words(at, "word")
                if last_or_same == at:
                    break
                words += read
                last = last_or_same
            at = self.skip(last)
        return Simple(tuple(assignments), tuple(words), tuple(redirects), (start, last)), at

    def skip_lines(self, at: int) -> int:
        while self.text.startswith("\n", end := self.skip(at)):
            at = end + 1
        return end

    def _assignment(self, at: int) -> Assignment | None:
        match = _ASSIGNMENT.match(self.text, at, self.end)
        if match is None:
            return None
        name, subscript, append = match[1], match[2], bool(match[3])
        self.check_name(name, match.span(1))
        if subscript and not subscript[1:-1].isdecimal():
            raise Opaque("a subscript that the shell computes", match.span(2), "OPAQUE_ARITHMETIC")
        if self.text.startswith("(", match.end()):
            value, end = self._array(match.end())
            return Assignment(name, value, (at, end), append, plain=False)
        items, end = self._items(match.end(), "value")
        value = Word(with_tildes(joined(items), value=True), (match.end(), end))
        return Assignment(name, value, (at, end), append, plain=not subscript)

    def check_name(self, name: str, span: Span) -> None:
        if name in _EVALUATED:
            raise Opaque("a variable whose value the shell evaluates", span, "OPAQUE_ARITHMETIC")

    def _array(self, at: int) -> tuple[Word, int]:
        """The list behind `name=`; an element with a subscript of its own is refused, since that is computed."""
        start = at
        inner: list[Group] = []
        at = self.skip_lines(at + 1)
        while not self.text.startswith(")", at):
            read, behind = self.words(at, "word")
            if behind == at or self.text[at] == "[":
                raise Opaque("an array that is not a plain list", (start, at + 1))
            inner += [script for word in read for part in word.parts for script in scripts(part)]
            at = self.skip_lines(behind)
        if self.text[at + 1 : at + 2] not in _BEHIND_ARRAY:
            raise Opaque("an array with something directly behind it", (start, at + 2))
        return Word((Unknown("an array", tuple(inner)),), (start, at + 1)), at + 1

    def _redirect(self, match: re.Match[str]) -> Redirect:
        if match[2]:
            raise Opaque("a descriptor kept in a variable", match.span(), "OPAQUE_REDIRECT")
        operator = match[3] or match[4]
        descriptor = int(match[1]) if match[1] else None
        at = self.skip(match.end())
        if operator in ("<<", "<<-"):
            end, body = read_body(self, match.start(3), at, tabs=operator == "<<-")
            return Redirect(operator, descriptor, None, body, (match.start(), end))
        if operator in ("<&", ">&") and _CLOSING.match(self.text, at, self.end):
            raise Opaque("a closed descriptor with characters behind it", (match.start(), at + 2), "OPAQUE_REDIRECT")
        word, end = self.word(at, "value" if operator == "<<<" else "word")
        if operator == "<<<":
            return Redirect(operator, descriptor, None, word, (match.start(), end))
        return Redirect(operator, descriptor, word, None, (match.start(), end))
