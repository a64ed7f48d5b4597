"""Tricks and their innocent twins in compiled languages and Ruby, written without a look at the rules: see `tables/`.

A case begins with `=== name | block, review or clean`; `@ path` begins a file, whose lines are a diff without marks of
place: kept (` `), taken away (`-`), added (`+`). `{200B}` is a character, `{PAD}` a screen of blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.guardrails.languages.judge import findings

TABLES = Path(__file__).parent / "tables"
Tree = dict[str, str]


def cases() -> Iterator[tuple[str, str, Tree, Tree]]:
    for file in sorted(TABLES.glob("*.txt")):
        for part in re.split(r"(?m)^=== ", file.read_text())[1:]:
            title, _, rest = part.partition("\n")
            name, _, expected = title.rpartition(" | ")
            before, after = Tree(), Tree()
            for each in re.split(r"(?m)^@ ", rest)[1:]:
                _file(each, before, after)
            yield f"{file.stem}: {name}", expected, before, after


def _file(text: str, before: Tree, after: Tree) -> None:
    # Spelled last: a line end of a table is one, whatever characters its lines hold.
    path, *lines = text.removesuffix("\n").split("\n")
    assert all(line[:1] in ("", " ", "+", "-") for line in lines), path
    for tree, other in ((before, "+"), (after, "-")):
        kept = [line[1:] for line in lines if line[:1] != other]
        if kept:
            tree[_spelled(path)] = _spelled("\n".join(kept) + "\n")


def _spelled(text: str) -> str:
    text = text.replace("{PAD}", " " * 160)
    return re.sub(r"\{([0-9A-F]{4,5})\}", lambda match: chr(int(match[1], 16)), text)


CASES = [pytest.param(expected, before, after, id=name) for name, expected, before, after in cases()]


@pytest.mark.parametrize(("expected", "before", "after"), CASES)
def test_twin(expected: str, before: Tree, after: Tree) -> None:
    found = findings(before, after)
    severities = {finding.severity for finding in found}
    worst = next((each for each in ("block", "review") if each in severities), "clean")
    assert worst == expected, [(finding.rule, finding.path, finding.line) for finding in found]
    assert all(finding.path in before.keys() | after.keys() for finding in found)


def test_there_are_enough_of_every_sort() -> None:
    expected = [param.values[0] for param in CASES]
    assert len(expected) > 550
    assert set(expected) == {"block", "review", "clean"}
