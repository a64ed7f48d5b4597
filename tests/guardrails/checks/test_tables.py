"""Tables of changes: what a file was, and what it may become with which outcome.

`before` is the file, `tree` what stands beside it. A row is the whole file, a pair of texts of which the second takes
the first's place, or null for a file that is gone. `command` stands for the recipe of a Makefile. Other changes are
written out with `before`, `after` and `expect`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ralph.system.yaml import load_yaml
from tests.guardrails.checks.cases import Case, Outcome, found, outcome

TABLES = Path(__file__).parent / "tables"
OUTCOMES: tuple[Outcome, ...] = ("block", "review", "clean")


def cases() -> Iterator[Any]:
    for file in sorted(TABLES.glob("*.yaml")):
        for number, table in enumerate(load_yaml(file.read_text(), file.name)):
            for index, (case, expected) in enumerate(rows(table)):
                yield pytest.param(case, expected, id=f"{file.stem} {number}.{index} {expected}")


def rows(table: dict[str, Any]) -> Iterator[tuple[Case, Outcome]]:
    if "expect" in table:
        yield Case(table["name"], table["before"], table["after"], table.get("path")), table["expect"]
        return
    recipe = "test:\n\t{}\n" if "command" in table else "{}"
    path, before = table.get("path", "Makefile"), table.get("before", table.get("command"))
    for expected in OUTCOMES:
        for row in table.get(expected, ()):
            after = replaced(before or "", *row) if isinstance(row, list) else row
            yield Case(path, tree(table, path, before, recipe), tree(table, path, after, recipe), path), expected


def tree(table: dict[str, Any], path: str, text: str | None, recipe: str) -> dict[str, str]:
    """What stands beside the file, and the file if it is there."""
    file = {} if text is None else {path: recipe.replace("{}", text)}
    return {**table.get("tree", {}), **file}


def replaced(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(("case", "expected"), list(cases()))
def test_a_change_is_judged_as_the_table_says(case: Case, expected: Outcome) -> None:
    assert outcome(case) == expected, (case.after, found(case.before, case.after))
