"""Structures around assertions that stay as they are: the tables in `neutralised`.

A table has `path` and `file`, a test whose line `<all>` stands for what it does: `given`, what it asks for, then
`asserts`. Under `block` and `honest` stand structures and their spellings, each one change of that test: a text is what
the test does now, with `<given>`, `<asserts>` and `<all>` where those lines stand; a list is pairs of texts of the file
of which the second takes the first's place; a mapping says the same for several files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from typing import Any, NamedTuple

from ralph.system.yaml import load_yaml

TABLES = Path(__file__).parent
LINE = re.compile(r"^([ \t]*)<(given|asserts|all)>$", re.MULTILINE)


class Cell(NamedTuple):
    """One structure in one framework: what stands before, and each spelling of it after."""

    name: str
    before: dict[str, str]
    after: tuple[dict[str, str], ...]


def cells(kind: str) -> Iterator[Cell]:
    for file in sorted(TABLES.glob("*.yaml")):
        for table in load_yaml(file.read_text(), file.name):
            before = _filled(table["file"], table)
            for structure, spellings in table.get(kind, {}).items():
                texts = tuple(_after(each, before, table) for each in spellings)
                yield Cell(f"{table['framework']} {structure}", {table["path"]: before, **table.get("tree", {})}, texts)


def _after(row: Any, before: str, table: dict[str, Any]) -> dict[str, str]:
    if isinstance(row, dict):
        return {path: _edited(before, edit, table) if path == table["path"] else edit for path, edit in row.items()}
    return {table["path"]: _edited(before, row, table)}


def _edited(before: str, row: str | list[str], table: dict[str, Any]) -> str:
    if isinstance(row, str):
        return _filled(table["file"], {**table, "all": _filled(row, table)})
    for old, new in zip(row[::2], row[1::2], strict=True):
        assert old in before, (old, before)
        before = before.replace(old, new, 1)
    return before


def _filled(text: str, table: dict[str, Any]) -> str:
    parts = {"all": table["given"] + table["asserts"], **{name: table[name] for name in ("given", "asserts")}}
    parts.update({"all": table["all"]} if "all" in table else {})
    return LINE.sub(lambda line: indent(parts[line[2]], line[1]).rstrip("\n"), text)
