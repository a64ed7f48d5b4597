"""v1 does what its expressions say, on every recorded case, told here once more from the text of the spec."""

from __future__ import annotations

import difflib
import re
from typing import Any

import pytest

from ralph.guardrails.scan import scan
from ralph.policy import registry
from tests.guardrails.memory import change, corpus

TS = (".ts", ".tsx", ".mts", ".cts")
JS = (*TS, ".js", ".jsx", ".mjs", ".cjs")
PY = (".py", ".pyi")
SPEC = {
    TS: ["@ts-ignore", "@ts-nocheck", "@ts-expect-error"],
    JS: ["eslint-disable", "eslint-disable-next-line"],
    (*JS, *PY): [r"\.skip\s*\(", r"\.only\s*\(", r"test\.todo"],
    PY: ["# type: ignore", "# noqa", "@pytest.mark.skip"],
}


def expected(case: dict[str, Any]) -> list[tuple[str, int]]:
    """(path, line) for each added line and expression that matches it."""
    found = []
    for path, text in case["after"].items():
        old, new = case["before"].get(path, "").split("\n"), text.split("\n")
        for tag, _, _, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            for number in range(start, end) if tag in ("insert", "replace") else ():
                for suffixes, patterns in SPEC.items():
                    if path.endswith(suffixes):
                        found += [(path, number + 1) for pattern in patterns if re.search(pattern, new[number])]
    return sorted(found)


@pytest.mark.parametrize("case", list(corpus()), ids=lambda case: case["id"])
def test_v1_on_the_recorded_cases(case: dict[str, Any]) -> None:
    findings = scan(change(case["before"], case["after"]), registry.load("v1"))
    by_pattern = [f for f in findings if f.rule.startswith("v1.") and not f.rule.startswith("v1.config_tampering.")]
    assert sorted((f.path, f.line) for f in by_pattern) == expected(case)


@pytest.mark.parametrize(
    ("path", "line", "rules"),
    [
        ("a.ts", "// @ts-ignore", ["v1.typescript.ts-ignore"]),
        ("a.js", "// @ts-ignore", []),
        ("a.cts", "/* @ts-nocheck */", ["v1.typescript.ts-nocheck"]),
        ("a.tsx", "// eslint-disable", ["v1.javascript.eslint-disable"]),
        (
            "a.mjs",
            "// eslint-disable-next-line",
            ["v1.javascript.eslint-disable", "v1.javascript.eslint-disable-next-line"],
        ),
        ("a.py", "x = 1  # noqa", ["v1.python.noqa"]),
        ("a.pyi", "x: int  # type: ignore", ["v1.python.type-ignore"]),
        ("a.py", "x = 1  #noqa", []),
        ("a.py", 'HELP = "write # noqa"', ["v1.python.noqa"]),
        ("a.py", "@pytest.mark.skipif(True)", ["v1.python.pytest-mark-skip"]),
        ("a.py", "reader.skip (4)", ["v1.testing.skip"]),
        ("a.js", "it.only('x', f)", ["v1.testing.only"]),
        ("a.js", "test.todo('x')", ["v1.testing.test-todo"]),
        ("a.go", "t.skip()", []),
        ("README.md", "it.skip() # noqa", []),
    ],
)
def test_one_added_line(path: str, line: str, rules: list[str]) -> None:
    findings = scan(change({}, {path: f"first\n{line}\n"}), registry.load("v1"))
    assert [f.rule for f in findings] == rules
    assert all((f.line, f.severity, f.snippet) == (2, "block", line) for f in findings)


def test_a_moved_line_is_an_added_line() -> None:
    lines = ["a = 1  # noqa", *(f"x{number} = 1" for number in range(9))]
    moved = scan(change({"a.py": "\n".join(lines)}, {"a.py": "\n".join([*lines[1:], lines[0]])}), registry.load("v1"))
    assert [f.rule for f in moved] == ["v1.python.noqa"]


def test_columns_count_bytes() -> None:
    (finding,) = scan(change({}, {"a.py": "é = 1  # noqa\n"}), registry.load("v1"))
    assert finding.column == len("é = 1  ".encode()) + 1


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        (
            {"pyproject.toml": "[tool.coverage.report]\nfail_under = 85\n"},
            {"pyproject.toml": "[tool.coverage.report]\nfail_under = 70\n"},
            "v1.config_tampering.coverage_threshold",
        ),
        (
            {"pyproject.toml": "[tool.coverage.report]\nfail_under = 95\n"},
            {"pyproject.toml": "[tool.coverage.report]\nfail_under = 85\n"},
            None,
        ),
        (
            {"tsconfig.json": '{"compilerOptions": {"strict": true}}\n'},
            {"tsconfig.json": '{"compilerOptions": {"strict": false}}\n'},
            "v1.config_tampering.typescript_strict",
        ),
        (
            {"tsconfig.json": '{"compilerOptions": {"strict": false}}\n'},
            {"tsconfig.json": '{"compilerOptions": {"strict": true}}\n'},
            None,
        ),
    ],
    ids=["coverage under 80", "coverage stays above 80", "strict off", "strict on"],
)
def test_tampering(before: dict[str, str], after: dict[str, str], rule: str | None) -> None:
    findings = scan(change(before, after), registry.load("v1"))
    assert [f.rule for f in findings] == ([rule] if rule else [])
