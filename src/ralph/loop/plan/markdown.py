"""The checkboxes of a Markdown file, line by line, with what stands around each.

Rules:

- A box is `- [ ] text` or `- [x] text` (also `*`, `+` and `1.`). What is meant as one and is not written so is an
  error: a task that is left out silently would be a task that nobody does.
- Lines that follow a box, are indented deeper and begin no list go on with its text; bullets that are indented deeper
  are its points; boxes that are indented deeper are its parts.
- Code fences, comments and the front matter hold no tasks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.loop.plan.errors import PlanError
from ralph.record import field, record

_LIST = r"(?:[-*+]|\d{1,9}[.)])"
_BOX = re.compile(rf"( *){_LIST} +\[([ xX])\] +(\S.*)")
_SPOILED_BOX = re.compile(rf" *{_LIST} *\[(?:[ xX~/>?!✓✔✗-]?|[xX ]{{2,3}})\](?!\()")
_POINT = re.compile(rf"( *){_LIST} +(\S.*)")
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*")
_LINE_END = re.compile(r"\r\n|\r|\n")
_FENCE = re.compile(r" *(`{3,}|~{3,})")

Problem = tuple[int, str]


class ImportRefused(PlanError):
    """A file that cannot be imported. `problems` are lines and what is wrong there."""

    def __init__(self, source: str, problems: list[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        told = "; ".join(f"line {line}: {what}" for line, what in self.problems[:5])
        more = f"; and {len(problems) - 5} more" if len(problems) > 5 else ""
        super().__init__(f"{source} cannot be imported, so nothing was: {told}{more}.")


@record(frozen=False)
class Box:
    """One checkbox. `headings` are those above it with their levels, the outermost first; `parts` the boxes in it."""

    line: int
    indent: int
    checked: bool
    text: str
    headings: tuple[tuple[int, str], ...]
    points: list[Problem] = field(default_factory=list)
    """Each with its line."""
    parts: list[Box] = field(default_factory=list)


@record
class Document:
    """`boxes` in the order of the file, parts included; `top` only those that are no part of another; `sections` are
    the plain lines of every section, with their numbers, by its innermost heading."""

    boxes: tuple[Box, ...]
    top: tuple[Box, ...]
    sections: tuple[tuple[str, Problem], ...]


def read_document(text: str, source: str) -> Document:
    """Raises ImportRefused."""
    reader = _Reader()
    try:
        for number, line in _prose(text):
            reader.line(number, line)
    except _UnclosedError as unclosed:
        reader.problems.append(unclosed.args)
    if reader.problems:
        raise ImportRefused(source, reader.problems)
    return Document(tuple(reader.boxes), tuple(reader.top), tuple(reader.sections))


class _Reader:
    def __init__(self) -> None:
        self.boxes: list[Box] = []
        self.top: list[Box] = []
        self.sections: list[tuple[str, Problem]] = []
        self.problems: list[Problem] = []
        self.headings: list[tuple[int, str]] = []
        self.open: list[Box] = []
        """The box that the last lines belong to, and those that it is a part of, the outermost first."""
        self.goes_on = False

    def line(self, number: int, line: str) -> None:
        if found := _HEADING.fullmatch(line):
            level = len(found[1])
            self.headings = [*(each for each in self.headings if each[0] < level), (level, found[2])]
            self.open, self.goes_on = [], False
        elif found := _BOX.fullmatch(line):
            self._box(number, found)
        elif _SPOILED_BOX.match(line):
            self.problems.append((number, "this is no checkbox: write '- [ ] text' or '- [x] text'"))
        elif not line.strip():
            self.goes_on = False
        else:
            self._other(number, line)

    def _box(self, number: int, found: re.Match[str]) -> None:
        indent = len(found[1])
        self._leave(indent)
        box = Box(number, indent, found[2] != " ", found[3].strip(), tuple(self.headings))
        (self.open[-1].parts if self.open else self.top).append(box)
        self.boxes.append(box)
        self.open.append(box)
        self.goes_on = True

    def _other(self, number: int, line: str) -> None:
        indent = len(line) - len(line.lstrip(" "))
        self._leave(indent)
        point = _POINT.fullmatch(line)
        if not self.open:
            self.sections.append((self.headings[-1][1] if self.headings else "", (number, line.strip())))
        elif point:
            self.open[-1].points.append((number, point[2].strip()))
            self.goes_on = False
        elif self.goes_on:
            self.open[-1].text += f" {line.strip()}"

    def _leave(self, indent: int) -> None:
        while self.open and self.open[-1].indent >= indent:
            self.open.pop()
            self.goes_on = False


def _prose(text: str) -> Iterator[Problem]:
    """The lines that are neither code, comment nor front matter, numbered from 1; tabs are four blanks.

    Raises _UnclosedError: what stands behind would be left out silently.
    """
    lines = list(enumerate(_LINE_END.split(text.expandtabs(4)), start=1))
    ends = [number for number, line in lines[1:] if line.rstrip() in ("---", "...")]
    if ends and lines[0][1].rstrip() == "---":
        lines = lines[ends[0] :]
    fence = comment = ""
    opened = 0
    for number, line in lines:
        if fence:
            fence = "" if line.strip() and not line.strip().strip(fence[0]) and fence in line else fence
            continue
        was_open = bool(comment)
        comment, line = _uncommented(comment + line)
        if found := _FENCE.match(line):
            fence = found[1]
        elif line.strip() or not was_open:
            yield number, line
        if fence or (comment and not was_open):
            opened = number
    if fence or comment:
        raise _UnclosedError(opened, f"the {'code' if fence else 'comment'} that begins here has no end: close it")


def _uncommented(line: str) -> tuple[str, str]:
    """The mark of a comment that goes on in the next line, and the line without comments."""
    line = re.sub(r"<!--.*?-->", "", line)
    before, mark, _ = line.partition("<!--")
    return mark, before


class _UnclosedError(Exception):
    """Its arguments are a Problem."""
