"""Real code that uses the words of test frameworks and tools for something else: no finding."""

from __future__ import annotations

import pytest

from tests.guardrails.javascript.outcome import findings

INNOCENT = {
    "rxjs": 'import { skip, take } from "rxjs/operators";\nexport const a = src$.pipe(skip(1), take(2));\n',
    "rxjs-method": "export const b = src$.skip(3).only();\n",
    "lodash": 'const _ = require("lodash");\n_.chain(xs).drop(1).skip(2).value();\n_.skip("x", () => {});\n',
    "d3": 'import * as d3 from "d3";\nd3.select("x").each(function () { this.skip(); });\n',
    "jquery": '$("#a").not(".skip").each(function () { $(this).only(); });\njQuery.fn.skip = function () {};\n',
    "knex": 'export const q = knex("t").skip(10).only("id").todo;\n',
    "prisma": "export const r = await prisma.user.findMany({ skip: 10, take: 5, where: { todo: true, only: 1 } });\n",
    "mongo": 'export const list = (db, skip) => db.collection("x").find().skip(skip).toArray();\n',
    "express": 'app.get("/x", (req, res) => {\n  const { skip, only } = req.query;\n'
    "  if (process.env.FULL) res.skip(skip);\n});\n",
    "apollo": "const { data } = useQuery(Q, { skip: !id });\nuseQuery(Q, { skip: true });\n",
    "joi": 'export const s = Joi.object().describe("only ids").test("x", () => true).skip("y", () => 1);\n',
    "yup": 'export const s = yup.string().test("x", "msg", (v) => v === process.env.X).only("a", () => {});\n',
    "regex": "export const ok = (s) => /it\\.skip\\(/.test(s) || RE.test('x');\n",
    "statistics": 'import { fit } from "./stats";\nfit("linear", () => 1);\nawait model.fit(x, y);\n',
    "class": "export class It { skip(n) { this.n += n; } only() { this.skip(2); } test(x, f) { f(); } }\n",
    "own-runner": "export function describe(name, fn) { fn(); }\ndescribe.skip = () => {};\n"
    "export const it = (n, f) => f();\nit.skip = function () {};\nif (process.env.FULL) run();\n",
    "definition": "test.only = (name, fn) => run(name, fn);\nsuite.skip = () => {};\nif (test.fails) count++;\n",
    "benchmark": 'export const suite = new Suite(); suite.only("x", () => {}); suite.add("a", () => {}).skip("b");\n',
    "telemetry": 'import { context } from "@opentelemetry/api";\ncontext.with(x, () => { context.skip("a"); });\n',
    "strings": 'export const t = `it.skip("x", () => {})\n// @ts-ignore\n/* eslint-disable */`;\n'
    'export const u = "it.only(";\n',
    "words": "// todo: skip this, see it.only\n// the @ts-ignore docs; c8 ignore rules\n"
    "/* eslint-enable */\nexport const a = 1;\n",
    "negation": 'export const a = (x) => !x && !y !== z; const s = "hi!"; if (!a) { b(!c); }\n',
    "own-test-function": 'import { test } from "./regex";\nexport const ok = test("abc"); test.skip(2);\n',
    "deno-server": "Deno.serve({ port: 1, ignore: true }); if (Deno.env.get('X')) run();\n",
    "rule-tester": 'new RuleTester().run("x", rule, { valid: [{ code: "it.skip()", only: false, skip: false }] });\n',
    "plain-object": "export const o = { it: 1, describe: { skip: 3 } };\no.describe.skip;\n",
}
IN_TESTS = {
    "testing-library": 'it("x", () => { const { skip } = render(null); skip(); });\n',
    "own-helper": 'const skip = (n) => n;\nit("x", () => { expect(skip(3)).toBe(3); run("q", { skip: true }); });\n',
    "rows": 'it.each([{ skip: 1, only: 1 }])("x %s", (row) => { row.skip(); expect(row.only).toBe(1); });\n'
    'it.each(rows)("y", ({ skip, todo }) => { skip(); todo(); });\n',
    "loop": "for (const c of cases) {\n  it(c.name, () => { expect(f(c)).toBe(1); });\n}\n"
    'if (cases.length > 2) { it("more", g); }\n',
    "guard": 'it("x", () => { if (!value) return; expect(value).toBe(1); });\n',
    "looked-at": 'it("has skip", () => { expect(it.skip).toBeDefined(); expect(typeof it.only).toBe("function"); });\n',
    "title": 'it("it.skip and .only", () => { expect(parse("it.only(\'x\', () => {})")).toBe(1); });\n',
    "stream": 'it("reads", () => { const s = open(); s.skip(4); vi.spyOn(s, "skip"); });\n',
    "timeouts": 'describe("x", function () { this.timeout(5); it("y", function (done) { done(); }); });\n',
}


@pytest.mark.parametrize("text", INNOCENT.values(), ids=INNOCENT)
@pytest.mark.parametrize("path", ["src/latest/inspector.js", "src/spec/model.ts", "src/view.tsx"])
def test_product_code_with_the_words(path: str, text: str) -> None:
    assert findings({}, {path: text}) == ()


@pytest.mark.parametrize("text", IN_TESTS.values(), ids=IN_TESTS)
def test_test_code_with_the_words(text: str) -> None:
    assert findings({}, {"a.test.ts": 'import { describe, expect, it, vi } from "vitest";\n' + text}) == ()


def test_text_of_jsx_is_no_comment() -> None:
    text = 'export const V = () => <p>it.skip("x") // @ts-ignore {" /* eslint-disable */ "} @ts-nocheck</p>;\n'
    assert findings({}, {"a.tsx": text}) == ()
    assert findings({}, {"a.jsx": text}) == ()
