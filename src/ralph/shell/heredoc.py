"""Here-documents: where the text of one begins and ends, and what the shell expands in it.

The end is found in the text and must be where the syntax tree has it. A delimiter is a plain word, quoted or not;
odd quotings of it are refused, and so is a line continuation in a text that the shell expands, because it can hide or
make a delimiter line.
"""

from __future__ import annotations

import re

from ralph.shell.dollar import Dollars
from ralph.shell.model import Part, Text, Word
from ralph.shell.opaque import Opaque
from ralph.shell.tilde import merged

_DELIMITER = re.compile(r"(?:'([\w.-]+)'|\"([\w.-]+)\"|\\([\w.-]+)|([\w.-]+))(?=[\s|&<>]|\Z)")
_PLAIN = re.compile(r"[^\\$`]+")


def read_body(source: Dollars, operator: int, at: int, *, tabs: bool) -> tuple[int, Word]:
    """The end of the delimiter that stands at `at`, and the text that the command reads."""
    match = _DELIMITER.match(source.text, at)
    if match is None:
        raise Opaque("a here-document with an unusual delimiter", (operator, at + 1), "OPAQUE_HEREDOC")
    delimiter = match[match.lastindex or 0]
    start, end = _extent(source, operator, match.end(), delimiter, tabs=tabs)
    if match.lastindex != 4:
        text = source.text[start:end]
        return match.end(), Word((Text(_untabbed(text) if tabs else text, quoted=True),), (start, end))
    return match.end(), Word(_expanded(source, start, end, tabs=tabs), (start, end))


def _extent(source: Dollars, operator: int, behind: int, delimiter: str, *, tabs: bool) -> tuple[int, int]:
    """From the first character of the text to the first of the delimiter's line, as the tree says too."""
    line_end = source.text.find("\n", behind)
    start = end = line_end + 1
    for line in source.text[start:].split("\n") if line_end >= 0 else ():
        if (line.lstrip("\t") if tabs else line) == delimiter:
            if _agrees(source, operator, start, end, end + len(line)):
                return start, end
            break
        end += len(line) + 1
    raise Opaque("a here-document whose end is unclear", (operator, behind), "OPAQUE_HEREDOC")


def _agrees(source: Dollars, operator: int, start: int, end: int, line_end: int) -> bool:
    node = source.nodes.get(operator)
    if node is None or node.type != "heredoc_redirect":
        return False
    body = next((child for child in node.children if child.type == "heredoc_body"), None)
    last = next((child for child in node.children if child.type == "heredoc_end"), None)
    if last is None or last.end_byte != line_end or not end <= last.start_byte <= line_end:
        return False
    return body is None or body.start_byte == start or (body.start_byte >= start and body.end_byte <= last.start_byte)


def _untabbed(text: str) -> str:
    return "\n".join(line.lstrip("\t") for line in text.split("\n"))


def _expanded(source: Dollars, start: int, end: int, *, tabs: bool) -> tuple[Part, ...]:
    parts: list[Part] = [Text("", quoted=True)]
    at = start
    while at < end:
        if match := _PLAIN.match(source.text, at, end):
            parts.append(Text(_untabbed(match[0]) if tabs else match[0], quoted=True))
            at = match.end()
        elif source.text[at] == "\\":
            following = source.text[at + 1]
            if following == "\n":
                raise Opaque("a line continuation in a here-document", (at, at + 2), "OPAQUE_HEREDOC")
            parts.append(Text(following if following in "\\$`" else "\\" + following, quoted=True))
            at += 2
        elif source.text[at] == "$":
            part, at = source.dollar(at, quoted=True)
            parts.append(part)
        else:
            raise Opaque("backticks in a here-document", (at, at + 1), "OPAQUE_BACKTICK")
    return tuple(merged(parts))
