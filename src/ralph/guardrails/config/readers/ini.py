"""INI and its kin: sections of keys, `.properties` without sections, ignore files that are lists of lines.

Values are text, as the tools read them; a value over several lines becomes a list of lines that know where they stand.
A repeated key counts as most tools count it: the last one. Keys before the first section are the section "".
"""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterator

from ralph.guardrails.config.node import Node
from ralph.guardrails.config.readers.errors import Unreadable
from ralph.system.patterns import later

TOP = "\x00top"
_SECTION = later(r"\[(?P<name>.+)\]")


def read(text: str, path: str) -> Node:
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True, default_section="\x00default")
    parser.optionxform = lambda optionstr: optionstr.strip().lower()  # type: ignore[method-assign]
    try:
        parser.read_string(f"[{TOP}]\n{text}")
    except (configparser.Error, AttributeError) as error:
        # AttributeError: the standard library's own slip over a key without a value that is continued.
        raise Unreadable(" ".join(str(error).split())) from error
    places = _places(text)
    sections: dict[str, Node] = {}
    for name in parser.sections():
        keys = {key: _value(value or "", path, places.get((name, key), 0)) for key, value in parser.items(name)}
        if name != TOP or keys:
            sections["" if name == TOP else name] = Node(keys, path, places.get((name, ""), 1), 1)
    return Node(sections, path, 1, 1)


def read_flat(text: str, path: str) -> Node:
    """Java properties: `key = value` without sections."""
    return read(text, path).at("") or Node({}, path, 1, 1)


def read_lines(text: str, path: str) -> Node:
    """An ignore file: patterns, one per line, without comments."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    return Node(
        [Node(line, path, number, 1) for number, line in lines if line and not line.startswith("#")], path, 1, 1
    )


def _value(value: str, path: str, line: int) -> Node:
    if "\n" not in value:
        return Node(value.strip(), path, line, 1)
    lines = [Node(part, path, number, 1) for number, part in _lines(value, line) if part]
    return Node(lines, path, line, 1)


def _lines(value: str, first: int) -> Iterator[tuple[int, str]]:
    """Each line with its number; one that ends with a backslash goes on in the next, as tox and Java have it."""
    number, begun = first, ""
    for offset, part in enumerate(value.split("\n"), first):
        number, begun = (number, begun + part.strip()) if begun else (offset, part.strip())
        if begun.endswith("\\"):
            begun = begun[:-1]
        else:
            yield number, begun
            begun = ""
    yield number, begun


def _places(text: str) -> dict[tuple[str, str], int]:
    """The line of every section (key "") and key; the last of equal keys, as it is the one that counts."""
    places: dict[tuple[str, str], int] = {}
    section = TOP
    for number, line in enumerate(text.splitlines(), 1):
        if match := _SECTION.match(line):
            section = match["name"]
            places.setdefault((section, ""), number)
        elif line[:1].strip() and line[0] not in "#;":
            places[(section, re.split(r"[=:]", line, maxsplit=1)[0].strip().lower())] = number
    return places
