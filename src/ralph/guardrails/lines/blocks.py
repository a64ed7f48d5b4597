"""Where the tests of a file begin and end, told by how far lines are indented (see `dialects`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.commas import marks, step
from ralph.guardrails.lines.dialects import Dialect
from ralph.guardrails.lines.splitting import STRINGS
from ralph.record import record
from ralph.system.patterns import later

PROVIDED = later(
    r"(?i)dataprovider|#\[TestWith|@TestWith|\barguments:|TEST_P\b|TYPED_TEST|parameteri[sz]ed|->with\(|GENERATE"
)
MARKED = later(r"#\[(?:\w+\\)*Test\]|@test\b")
MOST_JOINED = 40
"""So many lines at most are one statement."""
LONGEST = 400
"""Or so many, where they are one text."""
MOST_MARKS = 20
"""So many lines over a test are looked at."""


@record
class Statement:
    text: str
    line: int
    indent: int


@record
class Block:
    parts: tuple[str, ...]
    line: int
    snippet: str
    statements: tuple[Statement, ...]
    often: bool = False
    """It is run for values that stand elsewhere."""


def blocks(lines: Sequence[str], dialect: Dialect, first: int) -> list[Block]:
    found: list[Block] = []
    groups: list[tuple[int, str]] = []
    at = 0
    while at < len(lines):
        line, text = lines[at], lines[at].strip()
        head = dialect.head.match(text) if text and not text.startswith(dialect.comment) else None
        if head is None and dialect.marked is not None and (match := dialect.marked.match(text)) is not None:
            head = match if any(map(MARKED.search, _above(lines, at))) else None
        if head is not None:
            end = _end(lines, at, dialect)
            groups = [each for each in groups if each[0] < _indent(line)]
            name = named(head)
            body = tuple(_statements(lines, at, end, dialect, first))
            often = any(map(PROVIDED.search, (*_above(lines, at), text)))
            found.append(Block((*(group for _, group in groups), name), at + first, text, body, often))
            at = end
        elif dialect.group is not None and text and (group := dialect.group.match(text)):
            groups = [*(each for each in groups if each[0] < _indent(line)), (_indent(line), named(group))]
            at += 1
        else:
            at += 1
    return found


def _above(lines: Sequence[str], at: int) -> Iterator[str]:
    """The comment and the marks over a test."""
    for line in reversed(lines[max(at - MOST_MARKS, 0) : at]):
        text = line.strip()
        if not text.startswith(("*", "/*", "//", "#", "@", "[")):
            return
        yield text


def named(match: re.Match[str]) -> str:
    """What the head calls it."""
    names = match.groupdict()
    return next((" ".join(text.split()) for key, text in names.items() if text and key != "quote"), match[0])


def _end(lines: Sequence[str], at: int, dialect: Dialect) -> int:
    """The line behind the one that closes the test."""
    depth = _indent(lines[at])
    if _is_whole(lines[at].strip()):
        return at + 1
    for end in range(at + 1, len(lines)):
        text = lines[end].strip()
        if not text or _indent(lines[end]) > depth or text == "{":
            continue
        if dialect.closes is None:
            return end
        if dialect.closes.match(text):
            return end + 1
        if dialect.head.match(text):
            return end
    return len(lines)


def _is_whole(text: str) -> bool:
    """A test in one line: what it opens it closes."""
    depth = [step(letter) for _, letter in marks(text, STRINGS)]
    return "{" in text and not sum(depth) and text.rstrip(";").endswith(("}", "})"))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _statements(lines: Sequence[str], start: int, end: int, dialect: Dialect, first: int) -> Iterator[Statement]:
    """Statements behind the head: what is open at the end of a line goes on in the next."""
    if _is_whole(lines[start].strip()):
        inner = lines[start][lines[start].index("{") + 1 :].rstrip().rstrip("});").strip()
        depth = _indent(lines[start]) + 1
        yield from (
            Statement(f"{each.strip()}", start + first, depth) for each in _at_semicolons(inner) if each.strip()
        )
        return
    at = start + 1
    while at < end:
        text, line = _plain(lines[at], dialect), at
        at += 1
        while text and at < end and (_in_text(text, at - line) or (_open(text) and at - line < MOST_JOINED)):
            text = f"{text} {_plain(lines[at], dialect)}"
            at += 1
        if text and text not in ("{", "}"):
            yield Statement(text.rstrip(";").rstrip(), line + first, _indent(lines[line]))


def _at_semicolons(text: str) -> list[str]:
    parts, begin, depth = [], 0, 0
    for place, letter in marks(text, STRINGS):
        depth += step(letter)
        if letter == ";" and depth <= 0:
            parts.append(text[begin:place].strip())
            begin = place + 1
    return [*parts, text[begin:].strip()]


def _plain(line: str, dialect: Dialect) -> str:
    text = line.strip()
    if text.startswith((dialect.comment, "/*", "*")):
        return ""
    at = text.find(f" {dialect.comment}")
    return text[:at].rstrip() if at > 0 and text[:at].count('"') % 2 == 0 else text


def _in_text(text: str, lines: int) -> bool:
    """A text over several lines that has not ended."""
    return lines < LONGEST and text.count('"""') % 2 == 1


def _open(text: str) -> bool:
    """Round or square brackets that are not closed; a brace opens a block of its own."""
    depth = sum(step(letter) for _, letter in marks(text, STRINGS) if letter in "()[]")
    return depth > 0 and not text.endswith(("{", "do", "->", "=>"))
