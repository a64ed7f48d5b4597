"""Cheats around tests, their innocent twins, and honest changes of tests (classes G04 to G08, G13, G14, G19)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.guardrails.javascript.outcome import findings, outcome

HERE = Path(__file__).parent
MARK = re.compile(r"(===|---|<<<|xxx|###) (.+)")


@dataclass
class Case:
    expected: str
    line: int
    before: dict[str, str] = field(default_factory=dict)
    edits: dict[str, str | None] = field(default_factory=dict)

    def after(self, before: dict[str, str]) -> dict[str, str]:
        return {path: text for path, text in {**before, **self.edits}.items() if text is not None}


def read(name: str) -> Iterator[Case]:
    """The cases of a file; `gaming.txt` tells the form."""
    case, into, path = Case("", 0), None, ""
    for number, line in enumerate((HERE / name).read_text().splitlines(keepends=True), start=1):
        mark = MARK.fullmatch(line.rstrip("\n"))
        if mark is None:
            if into is not None:
                into[path] = (into[path] or "") + line
        elif mark[1] == "===":
            if case.expected:
                yield case
            case, into = Case(mark[2], number), None
        elif mark[1] == "###":
            into = None
        elif mark[1] == "xxx":
            case.edits[mark[2]], into = None, None
        else:
            into, path = (case.before if mark[1] == "<<<" else case.edits), mark[2]
            into[path] = ""
    yield case


def cases() -> list[object]:
    found: list[object] = []
    for name in ("gaming.txt", "refactorings.txt"):
        base, *rest = read(name)
        for case in rest:
            before = case.before or base.before
            found.append(pytest.param(case.expected, before, case.after(before), id=f"{name}:{case.line}"))
    return found


@pytest.mark.parametrize(("expected", "before", "after"), cases())
def test_the_scan_says_what_is_expected(expected: str, before: dict[str, str], after: dict[str, str]) -> None:
    assert outcome(before, after) == expected, findings(before, after)
