"""Changes written as edits of one file: the form of the tables in this folder.

A folder is named for what its tricks do to the checks, and has their honest twins, too; assertions are by language.

A table has `path`, `before` (the text of that file; without it the file is new) and `tree` (what stands beside it).
Under `block`, `review` and `clean` stand the rows, each one change: a text is the whole new file; a list is pairs of
texts of which the second takes the first's place; null deletes the file; a mapping says the same for several files.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ralph.guardrails.scan import scan
from ralph.policy.model import PolicySet
from ralph.system.yaml import load_yaml
from tests.guardrails.memory import change

Outcome = Literal["block", "review", "clean"]
OUTCOMES: tuple[Outcome, ...] = ("block", "review", "clean")


class Row(NamedTuple):
    name: str
    path: str
    before: dict[str, str]
    after: dict[str, str]
    expected: Outcome


def rows(folder: Path) -> Iterator[Row]:
    for file in sorted(folder.rglob("*.yaml")):
        for number, table in enumerate(load_yaml(file.read_text(), file.name)):
            yield from _rows(table, f"{file.relative_to(folder).with_suffix('')} {number}")


def outcome(row: Row, policy: PolicySet) -> Outcome:
    """A block counts only in the file that the table is about, or in one that the row writes."""
    found = scan(change(row.before, row.after), policy)
    severities = {finding.severity for finding in found}
    return "block" if "block" in severities else "review" if "review" in severities else "clean"


def _rows(table: dict[str, Any], name: str) -> Iterator[Row]:
    path = table["path"]
    file = {path: table["before"]} if "before" in table else {}
    before = {**table.get("tree", {}), **file}
    for expected in OUTCOMES:
        for index, row in enumerate(table.get(expected, ())):
            edits = row if isinstance(row, dict) else {path: row}
            yield Row(f"{name} {expected} {index}", path, before, _edited(before, edits), expected)


def _edited(before: dict[str, str], edits: dict[str, Any]) -> dict[str, str]:
    after = {**before, **{path: _text(before.get(path, ""), edit) for path, edit in edits.items() if edit is not None}}
    return {path: text for path, text in after.items() if path not in edits or edits[path] is not None}


def _text(text: str, edit: str | list[str]) -> str:
    if isinstance(edit, str):
        return edit
    for old, new in zip(edit[::2], edit[1::2], strict=True):
        assert old in text, (old, text)
        text = text.replace(old, new, 1)
    return text
