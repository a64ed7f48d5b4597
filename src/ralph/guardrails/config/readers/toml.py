"""TOML: the data is tomllib's; the places are those of headers and of keys, found line by line.

Lines that only look like a key (inside a multi-line string) can misplace a finding, never change one.
"""

from __future__ import annotations

import tomllib
from typing import Any

from ralph.guardrails.config.node import Key, Node
from ralph.guardrails.config.readers.errors import Unreadable
from ralph.system.patterns import later

_HEADER = later(r"\s*\[\[?\s*(?P<key>[^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = later(r"""\s*(?P<key>(?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")

_BARE = later(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")


def read(text: str, path: str) -> Node:
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, ValueError) as error:
        raise Unreadable(str(error)) from error
    return _Places(text, path).node(data, (), 1)


class _Places:
    def __init__(self, text: str, path: str) -> None:
        self.path = path
        self.lines = text.splitlines()
        self.starts: dict[Key, list[int]] = {}
        table: Key = ()
        for number, line in enumerate(self.lines, 1):
            if header := _HEADER.match(line):
                table = _dotted(header["key"])
                self.starts.setdefault(table, []).append(number)
            elif key := _KEY.match(line):
                self.starts.setdefault((*table, *_dotted(key["key"])), []).append(number)

    def node(self, value: Any, key: Key, line: int) -> Node:
        """`line` is where the enclosing value begins: nothing of it stands earlier."""
        line = next((start for start in self.starts.get(key, ()) if start >= line), line)
        if isinstance(value, dict):
            return Node({name: self.node(item, (*key, name), line) for name, item in value.items()}, self.path, line, 1)
        if isinstance(value, list):
            return Node(self._items(value, key, line), self.path, line, 1)
        return Node(value if isinstance(value, str | int | float | bool) else str(value), self.path, line, 1)

    def _items(self, values: list[Any], key: Key, line: int) -> list[Node]:
        items = []
        tables = self.starts.get(key, [])
        for index, value in enumerate(values):
            if isinstance(value, dict):
                start = tables[index] if index < len(tables) else line
                items.append(self.node(value, key, start))
            else:
                line = self._line_of(value, line)
                items.append(self.node(value, (), line))
        return items

    def _line_of(self, value: Any, line: int) -> int:
        """The first line from here on that holds an array's item."""
        if isinstance(value, str) and value:
            for number in range(line, len(self.lines) + 1):
                if value in self.lines[number - 1]:
                    return number
        return line


def _dotted(key: str) -> Key:
    """The parts of a key as written: bare, quoted, dotted."""
    if _BARE.fullmatch(key):
        return tuple(key.split("."))
    try:
        data: Any = tomllib.loads(f"{key} = 0")
    except tomllib.TOMLDecodeError:
        return (key,)
    parts: list[str] = []
    while isinstance(data, dict):
        name, data = next(iter(data.items()))
        parts.append(name)
    return tuple(parts)
