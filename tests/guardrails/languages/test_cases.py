"""What silences a check or stops a test in each language, and what only looks like it: the files in `cases/`.

A case begins with `=== name | path | findings`, where findings are `rule:line` or `nothing`; its text follows.
The file is new in the change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.guardrails.languages.judge import added

CASES = Path(__file__).parent / "cases"
HEAD = re.compile(r"^=== (.+?) \| (.+?) \| (.+)\n", re.MULTILINE)


class Case(NamedTuple):
    path: str
    text: str
    expected: list[str]


def cases() -> Iterator[tuple[str, Case]]:
    for file in sorted(CASES.glob("*.txt")):
        parts = HEAD.split(file.read_text())
        for name, path, expected, text in zip(*(parts[start::4] for start in (1, 2, 3, 4)), strict=True):
            body = re.split(r"\n\n# ", text)[0].rstrip("\n") + "\n"
            findings = [] if expected == "nothing" else expected.split()
            yield f"{file.stem}-{name}", Case(path, body, findings)


ALL = [pytest.param(case, id=name) for name, case in cases()]
FOUND = [pytest.param(case, id=name) for name, case in cases() if case.expected]
BROKEN = "((( {{{ [\n"


@pytest.mark.parametrize("case", ALL)
def test_case(case: Case) -> None:
    assert added(case.path, case.text) == case.expected


@pytest.mark.parametrize("case", FOUND)
def test_nothing_hides_behind_a_broken_line(case: Case) -> None:
    head = "<?php\n" if case.text.startswith("<?php\n") else ""
    assert added(case.path, head + BROKEN + case.text.removeprefix(head))
