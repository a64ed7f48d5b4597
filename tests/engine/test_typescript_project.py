"""The engine on a TypeScript project with real eslint, tsc, vitest and its LCOV; and with jest in vitest's place."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from tests.engine.matrix import Case, assert_blocked, check, common, run
from tests.engine.projects import JEST, VITEST
from tests.steps.workshop import needs_node

pytestmark = needs_node

CASES = {
    **common(VITEST),
    "tools without scripts": Case(
        commands={
            "lint": "node_modules/.bin/eslint src tests",
            "typecheck": "tsc --noEmit",
            "coverage": "npx --no-install vitest run --coverage",
        },
        only=["lint", "typecheck", "coverage"],
        kind="PASS",
    ),
    **{
        f"a script that no longer runs {tool}": Case(
            append={VITEST.source: VITEST.ill_typed.format(name="half")},
            edit={"package.json": (f'"{tool}', f'"{instead}')},
            only=[step],
            policy="v1",
            kind="FAIL",
            step=step,
            reason=f"could not verify: {step}: its script in package.json runs {tool.split()[0]} in the base",
        )
        for step, tool, instead in (
            ("typecheck", "tsc --noEmit", "node --version"),
            ("typecheck", "tsc", "eslint"),
            ("tests", "vitest run", "echo 2 passed; :"),
            ("coverage", "vitest run --coverage", "cp saved.info coverage/lcov.info; :"),
        )
    },
    "a script that is missing": Case(
        commands={"lint": "npm run lintt"}, only=["lint"], kind="FAIL", step="lint", reason="could not verify: lint"
    ),
    "a test that throws after its end": Case(
        append={VITEST.tests: '\ntest("late", () => {\n  void Promise.reject(new Error("late"));\n});\n'},
        only=["tests"],
        kind="FAIL",
        step="tests",
        reason="could not verify: tests: exit code and report disagree",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_verdicts(tmp_path: Path, name: str) -> None:
    check(VITEST, VITEST.base(tmp_path / "karematch"), CASES[name])


_JEST = common(JEST)
ON_JEST = {
    "clean change": dataclasses.replace(_JEST["clean change"], only=["tests"]),
    "zero tests": _JEST["zero tests"],
    "a failure hidden by the shell": _JEST["a failure hidden by the shell"],
}


@pytest.mark.parametrize("name", ON_JEST)
def test_verdicts_with_jest(tmp_path: Path, name: str) -> None:
    check(JEST, JEST.base(tmp_path / "karematch"), ON_JEST[name])


SOURCE, TESTS = VITEST.source, VITEST.tests


def _mean(instead: str) -> Case:
    """The test of the mean, written otherwise."""
    return Case(
        edit={TESTS: ('test("mean", () => {\n  expect(mean([1, 2, 3])).toBe(2);\n});', instead)}, kind="BLOCKED"
    )


GUARDRAILS = {
    "@ts-ignore": (Case(append={SOURCE: "\n// @ts-ignore\nmean();\n"}, kind="BLOCKED"), "TypeScript suppressions"),
    "@ts-nocheck": (Case(files={"src/new.ts": "// @ts-nocheck\nmean();\n"}, kind="BLOCKED"), "TypeScript suppressions"),
    "@ts-expect-error": (
        Case(append={SOURCE: "\n// @ts-expect-error\nmean();\n"}, kind="BLOCKED"),
        "TypeScript suppressions",
    ),
    "eslint-disable": (
        Case(append={SOURCE: "\n/* eslint-disable */\nconst unused = 1;\n"}, kind="BLOCKED"),
        "ESLint suppressions",
    ),
    "eslint-disable-next-line": (
        Case(append={SOURCE: "\n// eslint-disable-next-line no-var\nvar x = 1;\n"}, kind="BLOCKED"),
        "ESLint suppressions",
    ),
    ".skip(": (_mean('test.skip("mean", () => {\n  expect(mean([1])).toBe(2);\n});'), "Skipped tests"),
    ".only(": (_mean('test.only("mean", () => {\n  expect(mean([1])).toBe(1);\n});'), "Focused tests"),
    "test.todo": (_mean('test.todo("mean");'), "TODO tests"),
    "threshold of vitest": (
        Case(edit={"vitest.config.ts": ("lines: 80", "lines: 79")}, kind="BLOCKED"),
        "threshold",
    ),
    "strict off": (Case(edit={"tsconfig.json": ('"strict": true', '"strict": false')}, kind="BLOCKED"), "strict"),
    "strict gone": (Case(edit={"tsconfig.json": ('"strict": true,', "")}, kind="BLOCKED"), "strict"),
}


@pytest.mark.parametrize("policy", ["v1", "v2"])
@pytest.mark.parametrize("name", GUARDRAILS)
def test_what_the_policies_forbid(tmp_path: Path, name: str, policy: str) -> None:
    case, reason = GUARDRAILS[name]
    assert_blocked(VITEST.base(tmp_path / "karematch"), case, policy, reason)


@pytest.mark.parametrize("policy", ["v1", "v2"])
def test_the_threshold_of_jest_in_package_json(tmp_path: Path, policy: str) -> None:
    case = Case(edit={"package.json": ('"lines": 80', '"lines": 79')}, kind="BLOCKED")
    assert_blocked(JEST.base(tmp_path / "karematch"), case, policy, "threshold")


def test_the_base_of_a_workspace_has_its_own_packages(tmp_path: Path) -> None:
    """`node_modules/@k/b` leads into the working copy; the base must be measured with the base's package."""
    tests = """\
import { one } from "@k/b";
import { expect, test } from "vitest";

test("fresh", () => expect(one).toBe(2));
test("mended", () => expect(one).toBe(1));
test("old", () => expect(one).toBe(3));
"""
    package = {"packages/b/package.json": '{"name": "@k/b", "type": "module", "main": "index.ts"}'}
    wrong = {"packages/b/index.ts": "export const one = 2;\n", TESTS: tests}
    root = VITEST.base(tmp_path / "karematch", {**package, **wrong})
    installed = root / "node_modules"
    (installed / "@k").mkdir()
    (installed / "@k" / "b").symlink_to("../../packages/b")
    verdict = run(root, Case(files={"packages/b/index.ts": "export const one = 1;\n"}, only=["tests"], kind="FAIL"))
    assert (verdict.type, verdict.failed_step) == ("FAIL", "tests")
    assert verdict.regressions == ("tests: tests/mean.test.ts::fresh",)
    assert verdict.pre_existing == ("tests: tests/mean.test.ts::old",)
    assert verdict.fixed == ("tests: tests/mean.test.ts::mended",)
