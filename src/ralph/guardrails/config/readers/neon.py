"""NEON, in which PHPStan is configured: like YAML, but for tabs, `%parameters%`, `@services` and calls as values.

Read are blocks by their indentation, lists, tables in brackets over several lines, texts in quotes, and comments.
What is none of these is a text. Calls (`Foo(1)`) are texts as well: no setting that is watched is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ralph.guardrails.config.node import Node, Scalar
from ralph.guardrails.config.readers.errors import Unreadable
from ralph.system.patterns import later

_TOKEN = later(
    r"(?P<text>'''.*?'''|\"\"\".*?\"\"\"|'(?:''|[^'\n])*'|\"(?:\\.|[^\"\\\n])*\")|(?P<comment>(?<!\S)\#[^\n]*)"
    r"|(?P<open>[\[{(])|(?P<close>[\]})])|(?P<end>\n)|(?P<comma>,)|(?P<colon>[:=](?=\s|$))|(?P<other>[^'\"\[\]{}(),:=\#\n]+|.)",
    re.DOTALL,
)
_NUMBER = later(r"[-+]?\d{1,18}(?:\.\d{1,18})?")
_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("true", "yes", "on"), True),
    **dict.fromkeys(("false", "no", "off"), False),
    **dict.fromkeys(("null", ""), None),
}


class _Line(NamedTuple):
    indent: int
    text: str
    number: int


def read(text: str, path: str) -> Node:
    lines = list(_lines(text))
    node, rest = _Reader(path).block(lines, 0)
    if rest < len(lines):
        raise Unreadable(f"it does not parse near line {lines[rest].number}")
    return node


def _lines(text: str) -> Iterator[_Line]:
    """Lines without comments, each with those that its brackets and quotes hold."""
    depth, begun, number, start = 0, "", 1, 1
    for match in _TOKEN.finditer(f"{text}\n"):
        depth += (match.lastgroup == "open") - (match.lastgroup == "close")
        if match.lastgroup == "end" and depth <= 0:
            if begun.strip():
                yield _Line(len(begun) - len(begun.lstrip()), begun.strip(), start)
            depth, begun = 0, ""
        elif match.lastgroup != "comment":
            begun += match[0]
        number += match[0].count("\n")
        start = start if begun.strip() else number
    if begun.strip():
        raise Unreadable("a bracket is not closed")


def _split(text: str, kind: str) -> list[str]:
    """The parts between marks of one kind that stand in no bracket."""
    depth, parts, start = 0, list[str](), 0
    for match in _TOKEN.finditer(text):
        depth += (match.lastgroup == "open") - (match.lastgroup == "close")
        if depth == 0 and match.lastgroup in ((kind,) if kind == "colon" else (kind, "end")):
            parts.append(text[start : match.start()])
            start = match.end()
            if kind == "colon":
                break
    return [*parts, text[start:]]


def _plain(text: str) -> str:
    text = text.strip()
    for quote in ("'''", '"""', "'", '"'):
        if len(text) >= 2 * len(quote) and text.startswith(quote) and text.endswith(quote):
            inner = text[len(quote) : -len(quote)]
            return inner.replace("''", "'") if quote == "'" else inner
    return text


class _Reader:
    def __init__(self, path: str) -> None:
        self.path = path

    def block(self, lines: list[_Line], start: int) -> tuple[Node, int]:
        """The table or list that begins here, and where it ends."""
        if start >= len(lines):
            return Node({}, self.path, 1, 1), start
        first = lines[start]
        listed = _is_item(first.text)
        items: list[Node] = []
        table: dict[str, Node] = {}
        at = start
        while at < len(lines) and lines[at].indent == first.indent and _is_item(lines[at].text) == listed:
            line = lines[at]
            if listed:
                item, at = self._item(lines, at)
                items.append(item)
                continue
            parts = _split(line.text, "colon")
            if len(parts) < 2:
                if at == start and len(lines) == 1:
                    return self.value(line.text, line.number), at + 1
                raise Unreadable(f"it does not parse near line {line.number}")
            value, at = self._below(lines, at, parts[1])
            table[_plain(parts[0]).removesuffix("!")] = value
        if at < len(lines) and lines[at].indent > first.indent:
            raise Unreadable(f"it does not parse near line {lines[at].number}")
        return Node(items if listed else table, self.path, first.number, 1), at

    def _item(self, lines: list[_Line], at: int) -> tuple[Node, int]:
        line = lines[at]
        rest = line.text[1:].strip()
        if len(_split(rest, "colon")) < 2 or rest[:1] in "[{":
            return self._below(lines, at, rest)
        end = at + 1
        while end < len(lines) and lines[end].indent > line.indent:
            end += 1
        inner = lines[at + 1 : end]
        node, read_to = self.block([_Line(inner[0].indent if inner else 0, rest, line.number), *inner], 0)
        if read_to < len(inner) + 1:
            raise Unreadable(f"it does not parse near line {line.number}")
        return node, end

    def _below(self, lines: list[_Line], at: int, said: str) -> tuple[Node, int]:
        """What is said on the line, or the block below it."""
        line = lines[at]
        if said.strip() or at + 1 >= len(lines):
            return self.value(said, line.number), at + 1
        below = lines[at + 1]
        beside = below.indent == line.indent and _is_item(below.text) and not _is_item(line.text)
        if below.indent > line.indent or beside:
            return self.block(lines, at + 1)
        return Node(None, self.path, line.number, 1), at + 1

    def value(self, text: str, number: int) -> Node:
        text = text.strip()
        if text[:1] in ("[", "{") and text[-1:] in ("]", "}"):
            parts = [part.strip() for part in _split(text[1:-1], "comma") if part.strip()]
            pairs = [_split(part, "colon") for part in parts]
            if text[0] == "{" or (pairs and all(len(pair) > 1 for pair in pairs)):
                table = {_plain(pair[0]): self.value(pair[1] if len(pair) > 1 else "", number) for pair in pairs}
                return Node(table, self.path, number, 1)
            return Node([self.value(part, number) for part in parts], self.path, number, 1)
        if _plain(text) != text:
            return Node(_plain(text), self.path, number, 1)
        if _NUMBER.fullmatch(text):
            return Node(float(text) if "." in text else int(text), self.path, number, 1)
        return Node(_WORDS.get(text.lower(), text), self.path, number, 1)


def _is_item(text: str) -> bool:
    return text == "-" or text.startswith(("- ", "-\t"))
