"""Markdown as far as specifications need it: headings, the text under them, list items. Pure.

Rules (the CommonMark of what people write, and nothing that a reader would not see):

- Lines end with LF, CRLF or CR. A byte order mark and YAML front matter are dropped.
- What stands in a code fence, or is indented like code, is no heading and no list item. A fence that nothing closes
  goes on to the end. HTML comments are no content: nobody who looks at the page sees them. One in a code span is none,
  and one in a quote ends with its line.
- A heading has one to six `#`, or is underlined with `=` or `-`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.record import record

_LINE_END = re.compile(r"\r\n|\r|\n")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(.*))?")
_BOX = re.compile(r"\[[ xX]\](?:[ \t]+|\Z)")
_QUOTE = re.compile(r" {0,3}>")
_SPAN = re.compile(r"`+|<!--")
_CODE = re.compile(r"(?: {4}| {0,3}\t)")


@record
class Line:
    """One line as it reads. `heading` is its level (0: none), `code`: it belongs to a code block."""

    text: str
    heading: int = 0
    code: bool = False


def lines(text: str) -> list[Line]:
    """The lines of a document, without front matter and comments."""
    return list(_with_headings(_without_code(_visible(text))))


def items(block: list[Line]) -> list[str]:
    """The list items among the lines, each on one line, without list mark and check box."""
    found: list[list[str]] = []
    open_item = False
    for line in block:
        item = None if line.code else _ITEM.fullmatch(line.text)
        if item is not None:
            found.append([_BOX.sub("", item[2] or "", count=1)])
            open_item = True
        elif line.code or not line.text.strip():
            open_item = open_item and not line.code
        elif open_item and line.text[:1] in " \t":
            found[-1].append(line.text.strip())
        else:
            open_item = False
    return [" ".join(part for part in parts if part).strip() for parts in found]


def is_item(line: Line) -> bool:
    return not line.code and _ITEM.fullmatch(line.text) is not None


def _visible(text: str) -> list[str]:
    """The lines without byte order mark and front matter."""
    found = _LINE_END.split(text.removeprefix("\ufeff"))
    if found and found[0].rstrip() == "---":
        for number, line in enumerate(found[1:], start=1):
            if line.rstrip() in ("---", "..."):
                return found[number + 1 :]
    return found


def _without_code(given: list[str]) -> Iterator[Line]:
    """Lines with code marked, and comments taken out."""
    fence, comment, paragraph, listed = "", False, False, False
    for text in given:
        if fence:
            yield Line(text, code=True)
            closing = text.strip()
            if closing and set(closing) == {fence[0]} and len(closing) >= len(fence) and not _CODE.match(text):
                fence = ""
            continue
        if not comment and (opening := _FENCE.match(text)):
            fence, paragraph = opening[1], False
            yield Line(text, code=True)
            continue
        shown, comment = _uncommented(text, comment)
        is_code = bool(_CODE.match(shown)) and not paragraph and not listed and bool(shown.strip())
        yield Line(shown, code=is_code)
        if shown.strip() and not is_code:
            listed = _ITEM.fullmatch(shown) is not None or (listed and shown[:1] in " \t")
        paragraph = bool(shown.strip()) and not is_code and not _HEADING.match(shown)


def _uncommented(text: str, comment: bool) -> tuple[str, bool]:
    """The line without what stands in comments, and whether one goes on behind it."""
    shown, quoted = "", not comment and _QUOTE.match(text) is not None
    while text:
        if comment:
            _, found, text = text.partition("-->")
            comment = not found
            continue
        opening = _opening(text)
        shown += text[:opening]
        comment, text = opening < len(text), text[opening + len("<!--") :]
    return shown, comment and not quoted


def _opening(text: str) -> int:
    """Where the first comment begins that stands in no code span; the length of the text if there is none."""
    marks = list(_SPAN.finditer(text))
    index = 0
    while index < len(marks):
        if marks[index][0] == "<!--":
            return marks[index].start()
        closing = (later for later in range(index + 1, len(marks)) if marks[later][0] == marks[index][0])
        index = next(closing, index) + 1
    return len(text)


def _title(text: str) -> str:
    """What a heading says, without the `#` that may close it."""
    text = text.rstrip()
    kept = text.rstrip("#")
    return (kept if kept[-1:] in (" ", "\t", "") else text).strip()


def _with_headings(given: Iterator[Line]) -> Iterator[Line]:
    """Lines with headings marked; an underline makes one of the line before it."""
    before: Line | None = None
    for line in given:
        heading = None if line.code else _HEADING.match(line.text)
        if heading:
            if before:
                yield before
            before = None
            yield Line(_title(line.text[heading.end() :]), heading=len(heading[1]))
            continue
        underline = None if line.code else _UNDERLINE.fullmatch(line.text)
        if underline and before and before.text.strip() and not before.code and not is_item(before):
            yield Line(before.text.strip(), heading=1 if underline[1][0] == "=" else 2)
            before = None
            continue
        if before:
            yield before
        before = line
    if before:
        yield before
