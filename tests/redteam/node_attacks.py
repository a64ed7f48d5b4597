"""Known ways to make failing tests of a vitest or jest project look good, each with its honest twin."""

from __future__ import annotations

import json
from typing import Any

from tests.redteam.node_target import (
    BOTH,
    CHEAPEST,
    JEST_CHEAPEST,
    JEST_TESTS,
    VITEST_TESTS,
    S,
    T,
    jest_package,
)
from tests.redteam.project import Attack


def vitest(old: str, new: str, **more: Any) -> Attack:
    assert old in VITEST_TESTS
    return Attack(files={T: VITEST_TESTS.replace(old, new)}, twin={T: VITEST_TESTS + CHEAPEST}, **more)


def jest(old: str, new: str, **more: Any) -> Attack:
    assert old in JEST_TESTS
    return Attack(files={T: JEST_TESTS.replace(old, new)}, twin={T: JEST_TESTS + JEST_CHEAPEST}, **more)


def config(settings: str, twin: str, **more: Any) -> Attack:
    """A vitest configuration that did not exist before."""
    form = 'import {{ defineConfig }} from "vitest/config";\n\nexport default defineConfig({{ test: {{ {} }} }});\n'
    name = "vitest.config.js"
    files = {name: form.format(settings), **more.pop("beside", {})}
    return Attack(files=files, twin={name: form.format(twin), T: VITEST_TESTS + CHEAPEST}, **more)


KIND = """\
import { expect } from "vitest";

expect.extend({ toBe: () => ({ pass: true, message: () => "" }) });
"""
HARMLESS = 'import { beforeEach } from "vitest";\n\nbeforeEach(() => {\n  globalThis.seed = 7;\n});\n'

VITEST_ATTACKS = {
    "skip": vitest(BOTH, BOTH.replace("test(", "test.skip(")),
    "skip by another name": vitest(BOTH, BOTH.replace("test(", "test['sk' + 'ip'](")),
    "skip with an escape": vitest(BOTH, BOTH.replace("test(", "test.\\u0073kip(")),
    "skip on the next line": vitest(BOTH, BOTH.replace("test(", "test\n  .skip\n  (")),
    "skipIf": vitest(BOTH, BOTH.replace("test(", "test.skipIf(true)(")),
    "runIf": vitest(BOTH, BOTH.replace("test(", "test.runIf(false)(")),
    "skip as an option": vitest(BOTH, BOTH.replace(", () =>", ", { skip: true }, () =>")),
    "skip in the body": vitest(BOTH, BOTH.replace("() => {\n", "(context) => {\n  context.skip();\n")),
    "todo": vitest(BOTH, 'test.todo("discount");\ntest.todo("average");\n'),
    "fails": vitest(BOTH, BOTH.replace("test(", "test.fails("), seen_by="rules"),
    "only": vitest('test("total"', 'test.only("total"'),
    "deleted": vitest(BOTH, ""),
    "commented out": vitest(BOTH, "".join(f"// {line}\n" for line in BOTH.splitlines())),
    "no matcher": vitest(BOTH, BOTH.replace(".toBe(8)", "").replace(".toBe(2)", "")),
    "defined is enough": vitest(
        BOTH, BOTH.replace(".toBe(8)", ".toBeDefined()").replace(".toBe(2)", ".toBeTruthy()")),
    "anything is right": vitest(
        BOTH, BOTH.replace("toBe(8)", "toEqual(expect.anything())").replace("toBe(2)", "toEqual(expect.anything())")),
    "expects what is true": vitest(
        BOTH, BOTH.replace("total([5, 5], 2)", "8").replace("average([2, 4], 2)", "2")),
    "exit at the end": config(
        'globalSetup: ["./end.js"]', "testTimeout: 4000",
        beside={"end.js": "export default () => () => process.reallyExit(0);\n"},
    ),
    "exit in a reporter": config(
        'reporters: [{ onTestRunEnd: () => process.exit(0), onFinished: () => process.exit(0) }]',
        'reporters: ["default"]',
    ),
    "matchers made kinder": config('setupFiles: ["./kind.js"]', "testTimeout: 4000", beside={"kind.js": KIND}),
    "matchers made kinder in a setup that was there": Attack(
        base={
            "vitest.config.js": 'export default { test: { setupFiles: ["./tests/start.js"] } };\n',
            "tests/start.js": HARMLESS,
        },
        files={"tests/start.js": KIND},
        twin={"tests/start.js": HARMLESS.replace("7", "8"), T: VITEST_TESTS + CHEAPEST},
    ),
    "test made kinder": config(
        'setupFiles: ["./kind.js"], globals: true',
        "testTimeout: 4000",
        beside={
            "kind.js": "import { expect } from 'vitest';\n\nconst chai = Object.getPrototypeOf(expect(1));\n"
            "Object.defineProperty(chai, 'toBe', { value: () => {} });\n"
        },
    ),
    "file excluded": config(
        'exclude: ["tests/prices.test.js", "node_modules/**"]', 'exclude: ["docs/**", "node_modules/**"]'
    ),
    "fewer files included": config('include: ["tests/names.test.js"]', 'include: ["tests/**/*.test.js"]'),
    "tests by name": config('testNamePattern: "total|title"', 'reporters: ["default"]'),
    "errors ignored": config(
        'dangerouslyIgnoreUnhandledErrors: true, passWithNoTests: true, include: ["none"]', "passWithNoTests: false"
    ),
    "script that runs less": Attack(
        files={S: json.dumps({"name": "target", "type": "module", "scripts": {"test": "vitest run names"}}, indent=2)},
        twin={
            S: json.dumps({"name": "target", "type": "module", "scripts": {"test": "vitest run tests"}}, indent=2),
            T: VITEST_TESTS + CHEAPEST,
        },
        command="npm test",
    ),
}  # fmt: skip


def package(settings: dict[str, object], twin: dict[str, object], **files: str) -> Attack:
    """Settings of jest in package.json."""
    return Attack(
        files={S: jest_package(**settings), **{f"{name}.js": text for name, text in files.items()}},
        twin={S: jest_package(**twin), T: JEST_TESTS + JEST_CHEAPEST},
    )


JEST_KIND = "expect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n"
QUIET_REPORTER = """\
module.exports = class {
  onRunComplete() {
    process.exit(0);
  }
};
"""

JEST_ATTACKS = {
    "skip": jest(BOTH, BOTH.replace("test(", "test.skip(")),
    "xtest": jest(BOTH, BOTH.replace("test(", "xtest(")),
    "skip by another name": jest(BOTH, BOTH.replace("test(", "test['sk' + 'ip'](")),
    "only": jest('test("total"', 'test.only("total"'),
    "fit": jest('test("total"', 'fit("total"'),
    "todo": jest(BOTH, 'test.todo("discount");\ntest.todo("average");\n'),
    "failing": jest(BOTH, BOTH.replace("test(", "test.failing("), seen_by="rules"),
    "subject mocked": jest(
        BOTH,
        'jest.mock("../src/prices.js", () => ({ total: (p) => (p[0] > 4 ? 8 : 6), average: () => 2 }));\n\n' + BOTH),
    "asked too late": jest(
        BOTH,
        BOTH.replace("  expect(", "  setTimeout(() => expect(").replace("(8);", "(8), 9000).unref();")
        .replace("(2);", "(2), 9000).unref();")),
    "defined is enough": jest(
        BOTH, BOTH.replace(".toBe(8)", ".toBeDefined()").replace(".toBe(2)", ".toBeTruthy()")),
    "exit in a test": jest(BOTH, BOTH + '\ntest("zz last", () => {\n  process.exit(0);\n});\n'),
    "exit in a reporter": package(
        {"reporters": ["<rootDir>/quiet.js"]}, {"reporters": ["default"]}, quiet=QUIET_REPORTER
    ),
    "exit at the end": package(
        {"globalTeardown": "<rootDir>/end.js"}, {"bail": 0}, end="module.exports = () => process.exit(0);\n"
    ),
    "matchers made kinder": package(
        {"setupFilesAfterEnv": ["<rootDir>/kind.js"]}, {"testTimeout": 4000}, kind=JEST_KIND
    ),
    "file left out": package(
        {"testPathIgnorePatterns": ["prices"]}, {"testPathIgnorePatterns": ["/node_modules/", "/docs/"]}
    ),
    "fewer files match": package({"testMatch": ["**/names.test.js"]}, {"testMatch": ["**/tests/**/*.test.js"]}),
    "a runner of one's own": package(
        {"testRunner": "<rootDir>/runner.js"},
        {"verbose": True},
        runner="""\
module.exports = async (globalConfig, config, environment, runtime, testPath) => {
  const titles = testPath.includes("names") ? ["title"] : ["total", "discount", "average"];
  return {
    leaks: false, numFailingTests: 0, numPassingTests: titles.length, numPendingTests: 0, numTodoTests: 0,
    openHandles: [], perfStats: { start: 0, end: 0, runtime: 0, slow: false, loadTestEnvironmentEnd: 0,
      loadTestEnvironmentStart: 0, setupAfterEnvEnd: 0, setupAfterEnvStart: 0, setupFilesEnd: 0, setupFilesStart: 0 },
    skipped: false, snapshot: { added: 0, fileDeleted: false, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0,
      updated: 0 }, testFilePath: testPath, failureMessage: null,
    testResults: titles.map((title) => ({ ancestorTitles: [], duration: 1, failureDetails: [], failureMessages: [],
      fullName: title, invocations: 1, location: null, numPassingAsserts: 1, retryReasons: [], title, status: "passed",
    })),
  };
};
""",
    ),
}  # fmt: skip
