"""Tests that are taken out of the run, however that is spelled, and what is told apart from it."""

from __future__ import annotations

import pytest

from tests.guardrails.javascript.outcome import ADDS, PATH, TESTS, findings, outcome, rewritten, rules

SKIPPED = [
    'it.skip("adds tax", () => {',
    'it\n    .skip("adds tax", () => {',
    'it /* a */ . /* b */ skip("adds tax", () => {',
    'it?.skip("adds tax", () => {',
    'it.skip?.("adds tax", () => {',
    '(it.skip)("adds tax", () => {',
    '(0, it.skip)("adds tax", () => {',
    'it["skip"]("adds tax", () => {',
    'it["sk" + "ip"]("adds tax", () => {',
    'it[`skip`]("adds tax", () => {',
    'it[`${"sk"}ip`]("adds tax", () => {',
    'it["\\x73kip"]("adds tax", () => {',
    'it.\\u0073kip("adds tax", () => {',
    'it.\\u{73}kip("adds tax", () => {',
    'it[["sk", "ip"].join("")]("adds tax", () => {',
    'it[process.env.MODE]("adds tax", () => {',
    'it["skip" as const]("adds tax", () => {',
    'const how = "skip"; it[how]("adds tax", () => {',
    '(it as any).skip("adds tax", () => {',
    'it!.skip("adds tax", () => {',
    'it.skip<number>("adds tax", () => {',
    'it.skip.each([1])("adds tax", () => {',
    'it.skip.each`a\n${1}`("adds tax", () => {',
    'it.concurrent.skip("adds tax", () => {',
    'it.each([])("adds tax", () => {',
    'it.skipIf(true)("adds tax", () => {',
    'it.skipIf(!process.env.FULL)("adds tax", () => {',
    'it.skipIf(isSlow())("adds tax", () => {',
    'it.runIf(process.env.FULL)("adds tax", () => {',
    'const maybe = it.runIf(false); maybe("adds tax", () => {',
    'it.todo("adds tax", () => {',
    'it.fails("adds tax", () => {',
    'it.failing("adds tax", () => {',
    'xit("adds tax", () => {',
    'globalThis.xit("adds tax", () => {',
    'globalThis["xit"]("adds tax", () => {',
    'Reflect.get(it, "skip")("adds tax", () => {',
    'Reflect.apply(it.skip, null, ["adds tax", () => {',
    'it.skip.call(null, "adds tax", () => {',
    'it.skip.bind(null)("adds tax", () => {',
    'test.extend({}).skip("adds tax", () => {',
    'const t = it; t.skip("adds tax", () => {',
    'const t = it.skip; t("adds tax", () => {',
    'let t; t = it.skip; t("adds tax", () => {',
    'const { skip: t } = it; t("adds tax", () => {',
    'const { ["skip"]: t } = it; t("adds tax", () => {',
    'const { ...rest } = it; rest.skip("adds tax", () => {',
    'let t; ({ skip: t } = it); t("adds tax", () => {',
    'const kinds = { unit: it.skip }; kinds.unit("adds tax", () => {',
    '[it.skip].forEach((t) => t("adds tax", () => {',
    '((t) => t.skip("adds tax", () => {',
    '(process.env.FULL ? it : it.skip)("adds tax", () => {',
    'it("adds tax", { skip: true }, () => {',
    'it("adds tax", { skip: !0 }, () => {',
    'it("adds tax", { skip: "later" }, () => {',
    'it("adds tax", { todo: true }, () => {',
    'it("adds tax", { fails: true }, () => {',
    'it("adds tax", { ["sk" + "ip"]: true }, () => {',
    'it("adds tax", { ...{ skip: true } }, () => {',
    'const skip = true; it("adds tax", { skip }, () => {',
    'const later = { skip: true }; it("adds tax", later, () => {',
    'it("adds tax", (ctx) => { ctx.skip();',
    'it("adds tax", (ctx) => { ctx["skip"]();',
    'it("adds tax", (ctx) => { const { skip } = ctx; skip();',
    'it("adds tax", ({ skip: s }) => { s();',
    'it("adds tax", (ctx) => { ctx.skip(true, "later");',
    'it("adds tax", function () { this.skip();',
    'it("adds tax", () => { pending();',
    'it("adds tax", () => { if (!process.env.FULL) return;',
    'it("adds tax", () => { return;',
    'it("adds tax"); void (() => {',
    'it("adds tax", undefined); void (() => {',
    'false && it("adds tax", () => {',
    'if (false) it("adds tax", () => {',
    'process.env.FULL && it("adds tax", () => {',
    'const FULL = process.env.FULL === "1";\n  if (FULL) it("adds tax", () => {',
    'const { FULL } = process.env;\n  if (FULL) it("adds tax", () => {',
    'if (!process.env.FULL) return;\n  it("adds tax", () => {',
    'for (const _ of []) it("adds tax", () => {',
    '[].forEach(() => it("adds tax", () => {',
    'while (0) it("adds tax", () => {',
    'beforeEach((ctx) => ctx.skip());\n  it("adds tax", () => {',
    'before(function () { this.skip(); });\n  it("adds tax", () => {',
    'before(off); function off() { this.skip(); }\n  it("adds tax", () => {',
]

FOCUSED = [
    'it.only("adds tax", () => {',
    'it["only"]("adds tax", () => {',
    'it.concurrent.only("adds tax", () => {',
    'fit("adds tax", () => {',
    'const { only: t } = it; t("adds tax", () => {',
    'describe.only("all", () => { it("adds tax", () => {',
    'fdescribe("all", () => { it("adds tax", () => {',
]


@pytest.mark.parametrize("new", SKIPPED)
def test_a_test_that_ran_and_no_longer_does_is_blocked(new: str) -> None:
    found = [finding for finding in findings(*rewritten(new)) if finding.severity == "block"]
    assert "js.test-skip" in {finding.rule for finding in found}


@pytest.mark.parametrize("new", FOCUSED)
def test_a_focus_is_blocked(new: str) -> None:
    assert "js.test-focus" in rules(*rewritten(new))


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ('it.skipIf(false)("adds tax", () => {', "clean"),
        ('it.runIf(true)("adds tax", () => {', "clean"),
        ('it("adds tax", { skip: false, retry: 0 }, () => {', "clean"),
        ('if (true) it("adds tax", () => {', "clean"),
        ('it.concurrent("adds tax", () => {', "clean"),
        ('it.each([1])("adds tax", () => {', "clean"),
        ('it("adds tax", { only: true }, () => {', "review"),
        ('it.skipIf(process.platform === "win32")("adds tax", () => {', "review"),
        ('const win = process.platform === "win32";\n  it.skipIf(win)("adds tax", () => {', "review"),
        ('it.skipIf(isWindows)("adds tax", () => {', "review"),
        ('it.skipIf(parseInt(process.versions.node) < 20)("adds tax", () => {', "review"),
        ('(process.platform === "win32" ? it.skip : it)("adds tax", () => {', "review"),
        ('it("adds tax", { skip: process.platform === "win32" ? "no" : false }, () => {', "review"),
        ('if (process.platform !== "win32") it("adds tax", () => {', "review"),
        ('if (hasDatabase) it("adds tax", () => {', "review"),
        ('it.skipIf(process.platform === "win32" || true)("adds tax", () => {', "block"),
        ('it.skipIf(process.platform && !process.env.FULL)("adds tax", () => {', "block"),
        ('const isWindows = true;\n  it.skipIf(isWindows)("adds tax", () => {', "block"),
    ],
)
def test_conditions(new: str, expected: str) -> None:
    assert outcome(*rewritten(new)) == expected


WAS_SKIPPED = TESTS.replace(ADDS, 'it.skip("adds tax", () => {')
NAMESAKES = """import { describe, it } from "vitest";
describe("a", () => { it.skip("works", () => {}); });
describe("b", () => {
  it("works", () => {});
});
"""


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(
            TESTS, TESTS.replace('  it("handles', '  it.skip("new", () => {});\n  it("handles'), "review", id="new"
        ),
        pytest.param(
            TESTS, TESTS.replace('  it("handles', '  it.todo("new");\n  it("handles'), "review", id="new-todo"
        ),
        pytest.param("", WAS_SKIPPED, "review", id="new-file"),
        pytest.param(TESTS, TESTS.replace(ADDS, 'it.skip("adds the tax", () => {'), "block", id="renamed-and-skipped"),
        pytest.param(WAS_SKIPPED, TESTS, "clean", id="switched-on-again"),
        pytest.param(WAS_SKIPPED, WAS_SKIPPED.replace('"total"', '"total with tax"'), "review", id="suite-renamed"),
        pytest.param(WAS_SKIPPED, WAS_SKIPPED.replace("it.skip(", "xit("), "clean", id="respelled"),
        pytest.param(WAS_SKIPPED, WAS_SKIPPED.replace("it.skip(", "it.todo("), "clean", id="skip-to-todo"),
        pytest.param(TESTS.replace("describe(", "describe.skip("), WAS_SKIPPED, "clean", id="suite-to-test"),
        pytest.param(WAS_SKIPPED, WAS_SKIPPED.replace("describe(", "describe.skip("), "block", id="test-to-suite"),
        pytest.param(
            WAS_SKIPPED, TESTS.replace('it("handles', 'it.skip("handles'), "block", id="another-test-skipped-instead"
        ),
        pytest.param(
            NAMESAKES,
            NAMESAKES.replace("it.skip(", "it(").replace('  it("works"', '  it.skip("works"'),
            "block",
            id="namesake-skipped-instead",
        ),
        pytest.param(
            'import { it } from "vitest";\nconst t = it.skip;\nt("a", f);\nit("b", f);\n',
            'import { it } from "vitest";\nconst t = it.skip;\nt("a", f);\nt("b", f);\n',
            "block",
            id="old-alias-new-use",
        ),
        pytest.param(
            'import { it } from "vitest";\nconst FULL = !!process.env.FULL;\nit("b", f);\n',
            'import { it } from "vitest";\nconst FULL = !!process.env.FULL;\nif (FULL) {\n  it("b", f);\n}\n',
            "block",
            id="old-switch-new-use",
        ),
    ],
)
def test_what_the_test_was_before_decides(before: str, after: str, expected: str) -> None:
    old = {PATH: before} if before else {}
    assert outcome(old, {PATH: after}) == expected


def test_a_test_that_moves_to_another_file_keeps_its_state() -> None:
    assert outcome({"a.test.ts": WAS_SKIPPED}, {"b.test.ts": WAS_SKIPPED}) == "clean"
    assert outcome({"a.test.ts": TESTS}, {"b.test.ts": WAS_SKIPPED}) == "block"
    assert outcome({"a.test.ts": TESTS}, {"b.test.ts": TESTS.replace("describe(", "describe.skip(")}) == "block"


PLAYWRIGHT = (
    'import { test } from "@playwright/test";\ntest("login", async ({ page }) => {\n  await page.goto("/");\n});\n'
)
NODE = 'import test from "node:test";\ntest("login", (t) => {\n  t.assert.ok(1);\n});\n'
MOCHA = 'describe("s", function () {\n  it("login", function () {\n    go();\n  });\n});\n'
DENO = 'Deno.test("login", () => {\n  go();\n});\n'
BUN = 'import { test } from "bun:test";\ntest("login", () => {\n  go();\n});\n'
QUNIT = 'QUnit.test("login", (assert) => {\n  go();\n});\n'
OWN = 'import { test } from "./fixtures";\ntest("login", () => {\n  go();\n});\n'
REQUIRED = 'const { test } = require("./fixtures");\ntest("login", () => {\n  go();\n});\n'
RENAMED = 'import { test as spec } from "vitest";\nspec("login", () => {\n  go();\n});\n'
NAMESPACE = 'import * as v from "vitest";\nv.test("login", () => {\n  go();\n});\n'


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        (PLAYWRIGHT, 'test("login"', 'test.skip("login"', "block"),
        (PLAYWRIGHT, 'test("login"', 'test.fixme("login"', "block"),
        (PLAYWRIGHT, 'test("login"', 'test.fail("login"', "block"),
        (PLAYWRIGHT, "  await", "  test.skip();\n  await", "block"),
        (PLAYWRIGHT, "  await", '  test.skip(true, "later");\n  await', "block"),
        (PLAYWRIGHT, "  await", "  test.fixme();\n  await", "block"),
        (PLAYWRIGHT, "  await", "  test.info().skip();\n  await", "block"),
        (PLAYWRIGHT, "({ page })", "({ page }, info)", "clean"),
        (PLAYWRIGHT, "({ page }) => {", "({ page }, info) => {\n  info.skip();", "block"),
        (
            PLAYWRIGHT,
            "({ page }) => {",
            '({ page, browserName }) => {\n  test.skip(browserName === "webkit");',
            "review",
        ),
        (PLAYWRIGHT, 'test("login"', 'test.skip(() => true);\ntest("login"', "block"),
        (PLAYWRIGHT, 'test("login"', 'test.describe.configure({ mode: "parallel" });\ntest("login"', "clean"),
        (PLAYWRIGHT, 'test("login"', 'test.only("login"', "block"),
        (NODE, 'test("login"', 'test.todo("login"', "block"),
        (NODE, '"login", (t)', '"login", { skip: "later" }, (t)', "block"),
        (NODE, "  t.assert", '  t.skip("later");\n  t.assert', "block"),
        (NODE, "  t.assert", "  t.todo();\n  t.assert", "block"),
        (NODE, "import test", "import { skip as test }", "block"),
        (NODE, "  t.assert", '  t.test("inner", { skip: true }, () => {});\n  t.assert', "review"),
        (MOCHA, 'it("login", function () {\n    go();\n  });', 'it("login");', "block"),
        (MOCHA, "    go()", "    this.skip();\n    go()", "block"),
        (MOCHA, "describe(", "xdescribe(", "block"),
        (MOCHA, "describe(", "context.skip(", "block"),
        (DENO, "Deno.test(", "Deno.test.ignore(", "block"),
        (DENO, '"login", () =>', '{ name: "login", ignore: true }, () =>', "block"),
        (DENO, "Deno.test(", "Deno.test.only(", "block"),
        (BUN, "test(", "test.if(process.env.FULL)(", "block"),
        (BUN, "test(", "test.todoIf(true)(", "block"),
        (QUNIT, "QUnit.test(", "QUnit.skip(", "block"),
        (OWN, "test(", "test.skip(", "block"),
        (REQUIRED, "test(", "test.skip(", "block"),
        (RENAMED, "spec(", "spec.skip(", "block"),
        (NAMESPACE, "v.test(", "v.test.skip(", "block"),
        (NAMESPACE, "v.test(", 'v["te" + "st"]["sk" + "ip"](', "block"),
    ],
)
def test_every_framework_has_its_own_ways(text: str, old: str, new: str, expected: str) -> None:
    assert outcome(*rewritten(new, old, text)) == expected


@pytest.mark.parametrize("shadow", ["declare const it: any;", "interface it {}", "type it = 1;"])
def test_a_declaration_that_makes_no_variable_hides_nothing(shadow: str) -> None:
    text = TESTS.partition("\n")[2]
    assert outcome(*rewritten(f'{shadow}\n  it.skip("adds tax", () => {{', text=text)) == "block"


def test_the_finding_stands_where_the_skip_is_written() -> None:
    (found,) = findings(*rewritten('it\n    .concurrent\n    .skip("adds tax", () => {'))
    assert (found.line, found.column, found.snippet) == (6, 6, '.skip("adds tax", () => {')


@pytest.mark.parametrize(
    ("setup", "expected"),
    [
        ("globalThis.it = it.skip;\n", "block"),
        ("global.describe = xdescribe;\n", "block"),
        ("export const later = it.skip;\n", "block"),
        ("Object.assign(globalThis, { test: test.only });\n", "block"),
        ("it.skip = (title, run) => it(title, run);\n", "clean"),
        ("export const has = typeof it.skip;\n", "clean"),
    ],
)
def test_a_setup_file_cannot_put_a_skip_in_the_place_of_a_test(setup: str, expected: str) -> None:
    assert outcome({"test/setup.js": ""}, {"test/setup.js": setup}) == expected


def test_tests_inside_the_source() -> None:
    before = "if (import.meta.vitest) {\n  const { it } = import.meta.vitest;\n  it('a', () => {});\n}\n"
    assert outcome({"a.ts": before}, {"a.ts": before.replace("it('a'", "it.skip('a'")}) == "block"
    assert outcome({}, {"a.ts": before}) == "clean"
