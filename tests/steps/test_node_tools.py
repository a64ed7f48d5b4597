"""Real eslint, tsc, vitest and jest: what each step makes of each state of a project."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.steps.workshop import Workshop, needs_node

pytestmark = needs_node

ESLINT = {
    "package.json": '{"type": "module", "scripts": {"lint": "eslint src", "quiet": "eslint src || true"}}',
    "eslint.config.js": 'export default [{rules: {"no-unused-vars": "error", "no-console": "warn"}}];\n',
    "src/a.js": "export const a = 1;\n",
}
UNUSED = {**ESLINT, "src/b.js": "const unused = 1;\n"}
WARNING = {**ESLINT, "src/b.js": "console.log(1);\n"}

LINT = {
    "clean": (ESLINT, "npm run lint", "pass", None),
    "an error": (UNUSED, "npm run lint", "fail", "lint: 1 error (first: src/b.js: no-unused-vars 'unused' is assigned"),
    "hidden by the shell": (UNUSED, "eslint src || true", "fail", "though the command ended with exit code 0"),
    "hidden in a script": (UNUSED, "npm run quiet", "error", "does not end with the tool alone"),
    "an error of syntax": ({**ESLINT, "src/b.js": "const"}, "eslint src", "fail", "src/b.js: fatal Parsing error"),
    "a warning": (WARNING, "eslint src", "pass", None),
    "too many warnings": (
        WARNING,
        "eslint src --max-warnings 0",
        "fail",
        "1 warnings are more than",
    ),
    "no file": (ESLINT, "eslint nowhere", "error", "eslint wrote no report"),
    "no file, and that is fine": (
        ESLINT,
        "eslint nowhere --no-error-on-unmatched-pattern",
        "error",
        "eslint found no file to check",
    ),
    "a broken configuration": ({**ESLINT, "eslint.config.js": "{{"}, "eslint src", "error", "eslint wrote no report"),
}


@pytest.mark.parametrize("case", LINT)
def test_lint(tmp_path: Path, case: str) -> None:
    files, command, status, reason = LINT[case]
    result = Workshop.at(tmp_path, files, node=True).run("lint", command)
    assert (result.status, reason is None or reason in (result.reason or "")) == (status, True), result.reason


def test_suppressed_findings_and_warnings_are_counted(tmp_path: Path) -> None:
    files = {**WARNING, "src/c.js": "const x = 1; // eslint-disable-line no-unused-vars\n"}
    result = Workshop.at(tmp_path, files, node=True).run("lint", "eslint src")
    assert (result.status, result.counts) == ("pass", {"errors": 0, "warnings": 1, "files": 3, "suppressed": 1})


SMALL = '"types": [], "lib": ["es5"]'
TSC = {
    "tsconfig.json": f'{{"compilerOptions": {{"strict": true, "noEmit": true, {SMALL}}}, "include": ["src"]}}',
    "src/a.ts": "export const a: number = 1;\n",
}
ILL_TYPED = {**TSC, "src/b.ts": "export const b: number = 'x';\n"}
SOLUTION = {
    "tsconfig.json": '{"files": [], "references": [{"path": "./lib"}]}',
    "lib/tsconfig.json": f'{{"compilerOptions": {{"composite": true, "outDir": "out", {SMALL}}}, "files": ["a.ts"]}}',
    "lib/a.ts": "export const a: number = 1;\n",
}

TYPES = {
    "clean": (TSC, "tsc", "pass", None),
    "an error": (ILL_TYPED, "tsc", "fail", "typecheck: 1 error (first: src/b.ts: TS2322 Type 'string' is not"),
    "hidden by the shell": (ILL_TYPED, "tsc || true", "fail", "though the command ended with exit code 0"),
    "no input": ({"tsconfig.json": TSC["tsconfig.json"]}, "tsc", "error", "tsc checked nothing (TS18003"),
    "a path that is missing": (TSC, "tsc -p nowhere", "error", "tsc checked nothing (TS5058"),
    "a solution that checks nothing": (SOLUTION, "tsc", "error", "tsc listed no file of the project"),
    "a solution that is built": (SOLUTION, "tsc -b", "pass", None),
    "a build that is up to date": (SOLUTION, "tsc -b >/dev/null && tsc -b", "pass", None),
}


@pytest.mark.parametrize("case", TYPES)
def test_typecheck(tmp_path: Path, case: str) -> None:
    files, command, status, reason = TYPES[case]
    result = Workshop.at(tmp_path, files, node=True).run("typecheck", command)
    assert (result.status, reason is None or reason in (result.reason or "")) == (status, True), result.reason


HEAD = 'import { test, expect } from "vitest";\n'
VITEST = {
    "package.json": '{"type": "module", "scripts": {"test": "vitest run"}}',
    "src/a.ts": "export const a = (x: number): number => (x > 0 ? x : -x);\n",
    "test/a.test.ts": HEAD + 'import { a } from "../src/a";\ntest("one", () => { expect(a(1)).toBe(1); });\n',
}
JEST = {"package.json": "{}", "test/a.test.js": 'test("one", () => { expect(1).toBe(1); });\n'}

TESTS = {
    "passing": (VITEST, "npm test", "pass", None),
    "failing": (
        {**VITEST, "test/b.test.ts": HEAD + 'test("b", () => { expect(1).toBe(2); });\n'},
        "vitest run || true",
        "fail",
        "tests: 1 of 2 failed: test/b.test.ts::b, though the command ended with exit code 0",
    ),
    "a file that cannot be read": ({**VITEST, "test/b.test.ts": "}{"}, "vitest run", "fail", "test/b.test.ts"),
    "no test, and that is fine": (VITEST, "vitest run nowhere --passWithNoTests", "error", "tests: no test ran"),
    "only skipped": (
        {**VITEST, "test/a.test.ts": HEAD + 'test.skip("b", () => {});\n'},
        "vitest run",
        "error",
        "tests: no test ran, 1 were skipped",
    ),
    "an error outside of any test": (
        {**VITEST, "test/a.test.ts": VITEST["test/a.test.ts"] + "Promise.reject(new Error('late'));\n"},
        "vitest run",
        "error",
        "exit code and report disagree (exit code 1",
    ),
    "jest, passing": (JEST, "jest", "pass", None),
    "jest, failing": (
        {**JEST, "test/b.test.js": 'describe("g", () => { test("b", () => { expect(1).toBe(2); }); });\n'},
        "jest || true",
        "fail",
        "tests: 1 of 2 failed: test/b.test.js::g > b",
    ),
    "jest, no test": (JEST, "jest nowhere --passWithNoTests", "error", "tests: no test ran"),
}


@pytest.mark.parametrize("case", TESTS)
def test_tests(tmp_path: Path, case: str) -> None:
    files, command, status, reason = TESTS[case]
    result = Workshop.at(tmp_path, files, node=True).run("tests", command)
    assert (result.status, reason is None or reason in (result.reason or "")) == (status, True), result.reason


@pytest.mark.parametrize(
    ("reporter", "report"),
    [
        ("lcovonly", "coverage/lcov.info"),
        ("json-summary", "coverage/coverage-summary.json"),
        ("cobertura", "coverage/cobertura-coverage.xml"),
    ],
)
def test_coverage(tmp_path: Path, reporter: str, report: str) -> None:
    workshop = Workshop.at(tmp_path, VITEST, node=True)
    result = workshop.run("coverage", f"vitest run --coverage --coverage.reporter={reporter}", report=report)
    assert (result.status, result.counts["percent"]) == ("pass", 100.0), result.reason
