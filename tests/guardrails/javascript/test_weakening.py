"""Tests that demand less than before, and the same change where it demands as much (test inventory, class G05)."""

from __future__ import annotations

import pytest

from tests.guardrails.javascript.outcome import findings

PATH = "src/total.test.ts"
SUBJECT = {"src/total.ts": "export const total = (x: number[], r: number) => x.reduce((a, b) => a + b, 0) * r;\n"}
TESTS = """import { describe, expect, it, vi } from "vitest";
import { total } from "./total";

describe("total", () => {
  it("adds tax", () => {
    expect(total([10, 20], 0.1)).toBe(33);
  });

  it("handles none", () => {
    expect(total([], 0.1)).toBe(0);
  });
});
"""
WHOLE = "expect(total([10, 20], 0.1)).toBe(33);"

WEAKER = r"""
const v = () => { expect(total([10, 20], 0.1)).toBe(33); }; expect(typeof v).toBe("function");
const v = () => { expect(total([10, 20], 0.1)).toBe(33); }; expect(v).toBeDefined();
const v = () => { expect(total([10, 20], 0.1)).toBe(33); }; expect(v).toBeInstanceOf(Function);
const v = () => { expect(total([10, 20], 0.1)).toBe(33); }; void v;
const v = () => { expect(total([10, 20], 0.1)).toBe(33); }; v;
function v() { expect(total([10, 20], 0.1)).toBe(33); } expect(v.name).toBe("v");
let v; v = () => { expect(total([10, 20], 0.1)).toBe(33); }; expect(v).toBeTruthy();
const v = () => { expect(total([10, 20], 0.1)).toBe(33); }; const w = v; expect(w).toBeDefined();
const o = { v() { expect(total([10, 20], 0.1)).toBe(33); } }; expect(o).toHaveProperty("v");
const o = { v: () => { expect(total([10, 20], 0.1)).toBe(33); } }; expect(o.v).toBeDefined();
const o = [() => { expect(total([10, 20], 0.1)).toBe(33); }]; expect(o).toHaveLength(1);
const o = [() => { expect(total([10, 20], 0.1)).toBe(33); }]; expect(o.length).toBe(1);
const v = () => { expect(total([10, 20], 0.1)).toBe(33); }; console.log(v);
const v = () => { expect(total([10, 20], 0.1)).toBe(33); }; if (v) { expect(1).toBe(1); }
expect(total([10, 20], 0.1)).toBeDefined();
expect(total([10, 20], 0.1)).toBeTruthy();
expect(total([10, 20], 0.1)).toEqual(expect.any(Number));
expect(total([10, 20], 0.1)).toBeGreaterThan(0);
expect(total([10, 20], 0.1)).not.toBeNull();
expect(total([10, 20], 0.1)).not.toBeUndefined();
expect(typeof total([10, 20], 0.1)).toBe("number");
expect(true).toBe(true);
expect(1).toBe(1);
expect(33).toBe(33);
expect(total([10, 20], 0.1)).toBe(total([10, 20], 0.1));
const got = total([10, 20], 0.1); expect(got).toBe(got);
const got = total([10, 20], 0.1); expect(got).toEqual(total([10, 20], 0.1));
total([10, 20], 0.1);
void expect;
expect(total).toBeInstanceOf(Function);
expect(total([10, 20], 0.1)).toBeCloseTo(33, -2);
expect(Math.abs(total([10, 20], 0.1) - 33)).toBeLessThan(1000);
expect(Math.abs(total([10, 20], 0.1) - 33) < 1000).toBe(true);
expect(total([10, 20], 0.1) === 33 || true).toBe(true);
expect(total([10, 20], 0.1) !== 33).toBe(true);
expect(String(total([10, 20], 0.1))).toMatch(/.*/);
expect(String(total([10, 20], 0.1))).toMatch(/\\d/);
expect([3, 33, 30]).toContain(total([10, 20], 0.1));
expect(total([10, 20], 0.1)).toBeOneOf([3, 33]);
expect(() => expect(total([10, 20], 0.1)).toBe(33)).toThrow();
try { expect(total([10, 20], 0.1)).toBe(33); } catch (e) { console.log(e); }
try { expect(total([10, 20], 0.1)).toBe(33); } catch { return; }
try { expect(total([10, 20], 0.1)).toBe(33); } finally { return; }
if (false) { expect(total([10, 20], 0.1)).toBe(33); }
false && expect(total([10, 20], 0.1)).toBe(33);
for (const want of []) { expect(total([10, 20], 0.1)).toBe(want); }
[].forEach((want) => expect(total([10, 20], 0.1)).toBe(want));
setTimeout(() => expect(total([10, 20], 0.1)).toBe(33), 0);
Promise.resolve().then(() => { expect(total([10, 20], 0.1)).toBe(33); });
(async () => { expect(total([10, 20], 0.1)).toBe(33); })();
const check = () => expect(total([10, 20], 0.1)).toBe(33);
function later() { expect(total([10, 20], 0.1)).toBe(33); }
expect(Promise.resolve(total([10, 20], 0.1))).resolves.toBe(33);
expect(total([10, 20], 0.1)).toMatchSnapshot;
expect(total([10, 20], 0.1)).toBe;
expect(total([10, 20], 0.1)).not.toBe(3);
expect(total([10, 20], 0.1)).toBe(3);
expect(total([10, 20], 0.1)).toSatisfy(() => true);
expect(total([10, 20], 0.1)).not.toEqual(NaN);
expect(total([10, 20], 0.1)).toBe(expect.anything());
expect({ v: total([10, 20], 0.1) }).toMatchObject({});
expect([total([10, 20], 0.1)]).toHaveLength(1);
expect(total([10, 20], 0.1)).toBeLessThanOrEqual(Infinity);
expect(total([10, 20], 0.1)).toBeLessThan(Number.MAX_VALUE);
if (total([10, 20], 0.1) === 33) { expect(total([10, 20], 0.1)).toBe(33); }
const v = total([10, 20], 0.1); if (v !== 33) return; expect(v).toBe(33);
const v = total([10, 20], 0.1); expect(v || 33).toBe(33);
while (false) { expect(total([10, 20], 0.1)).toBe(33); }
throw_away: { break throw_away; expect(total([10, 20], 0.1)).toBe(33); }
expect(total([10, 20], 0.1)).toEqual({ asymmetricMatch: () => true });
return expect(1).toBe(1);
expect(total([10, 20], 0.1)).resolves;
expect.soft(total([10, 20], 0.1));
/* expect(total([10, 20], 0.1)).toBe(33); */
// expect(total([10, 20], 0.1)).toBe(33);
expect(total([10, 20], 33)).toBeDefined();
expect(isNaN(total([10, 20], 0.1))).toBe(false);
expect(total([10, 20], 0.1) >= 3).toBe(true);
expect(() => total([10, 20], 0.1)).not.toThrow();
expect(total([10, 20], 0.1)).toStrictEqual(expect.closeTo(33, -3));
expect(Number.isFinite(total([10, 20], 0.1))).toBe(true);
Promise.allSettled([expect(total([10, 20], 0.1)).toBe(33)]);
expect.assertions(0);
vi.fn()(total([10, 20], 0.1));
console.assert(total([10, 20], 0.1) === 33);
new Promise(() => { expect(total([10, 20], 0.1)).toBe(33); });
queueMicrotask(() => { expect(total([10, 20], 0.1)).toBe(33); });
switch (total([10, 20], 0.1)) { case 33: expect(total([10, 20], 0.1)).toBe(33); }
process.exit(0); expect(total([10, 20], 0.1)).toBe(33);
"""
AS_STRONG = r"""
const v = () => { expect(total([10, 20], 0.1)).toBe(33); }; v();
const v = () => { expect(total([10, 20], 0.1)).toBe(33); }; expect(v).not.toThrow();
const v = () => { expect(total([10, 20], 0.1)).toBe(33); }; [1].forEach(v);
const o = { v() { expect(total([10, 20], 0.1)).toBe(33); } }; o.v();
const o = { v: () => { expect(total([10, 20], 0.1)).toBe(33); } }; const { v } = o; v();
const o = [() => { expect(total([10, 20], 0.1)).toBe(33); }]; o.forEach((f) => f());
const o = [() => { expect(total([10, 20], 0.1)).toBe(33); }]; for (const f of o) f();
const o = [() => { expect(total([10, 20], 0.1)).toBe(33); }]; o[0]();
const v = () => { expect(total([10, 20], 0.1)).toBe(33); }; const w = v; w();
let v; v = () => { expect(total([10, 20], 0.1)).toBe(33); }; v();
const v = () => { expect(total([10, 20], 0.1)).toBe(33); }; v.call(null);
const o = { a: { v: () => { expect(total([10, 20], 0.1)).toBe(33); } } }; o.a.v();
const v = () => { expect(total([10, 20], 0.1)).toBe(33); }; expect(v).toBeDefined(); v();
expect(total([10, 20], 0.1)).toEqual(33);
expect(total([10, 20], 0.1)).toStrictEqual(33);
const got = total([10, 20], 0.1); expect(got).toBe(33);
const want = 33; expect(total([10, 20], 0.1)).toBe(want);
const items = [10, 20]; const rate = 0.1; expect(total(items, rate)).toBe(33);
const { total: t } = { total }; expect(total([10, 20], 0.1)).toBe(33);
expect( total( [10, 20], 0.1 ) ).toBe( 33 );
expect(total([10, 20], 0.1)).toBe(33); expect(total([1], 0)).toBe(1);
expect(total([10, 20], 0.1), "with tax").toBe(33);
expect((total([10, 20], 0.1))).toBe((33));
expect(total([10, 20], 0.1) === 33).toBe(true);
expect(total([10, 20], 0.1)).toBe(33.0);
expect(total([10, 20], .1)).toBe(33);
try { expect(total([10, 20], 0.1)).toBe(33); } finally { cleanup(); }
try { expect(total([10, 20], 0.1)).toBe(33); } catch (e) { console.log(e); throw e; }
for (const want of [33]) { expect(total([10, 20], 0.1)).toBe(want); }
[33].forEach((want) => { expect(total([10, 20], 0.1)).toBe(want); });
expect(total([10, 20], 0.1)).toMatchInlineSnapshot(`33`);
expect.soft(total([10, 20], 0.1)).toBe(33);
const check = () => expect(total([10, 20], 0.1)).toBe(33); check();
expect.assertions(1); expect(total([10, 20], 0.1)).toBe(33);
expect(total([10, 20], 0.1)).toBe(33); // now right
{ expect(total([10, 20], 0.1)).toBe(33); }
if (process.platform === "win32") { console.log("x"); } expect(total([10, 20], 0.1)).toBe(33);
"""


def outcome(new: str) -> set[str]:
    before, after = {PATH: TESTS, **SUBJECT}, {PATH: TESTS.replace(WHOLE, new, 1), **SUBJECT}
    return {finding.severity for finding in findings(before, after)}


@pytest.mark.parametrize("new", WEAKER.strip().splitlines())
def test_an_assertion_that_demands_less_is_blocked(new: str) -> None:
    assert "block" in outcome(new)


@pytest.mark.parametrize("new", AS_STRONG.strip().splitlines())
def test_an_assertion_that_demands_as_much_has_no_finding(new: str) -> None:
    assert outcome(new) == set()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('const assert = require("node:assert");', 'import assert from "node:assert/strict";'),
        ("assert.strictEqual(f(2), 4);", "assert.equal(f(2), 4);"),
        ("assert.strictEqual(f(2), 4);", "assert(f(2) === 4);"),
        ("assert.strictEqual(f(2), 4);", "assert.deepStrictEqual(f(2), 4);"),
        ("assert.strictEqual(f(2), 4);", "if (f(2) !== 4) throw new Error();"),
    ],
)
def test_assertions_of_node_in_other_words(old: str, new: str) -> None:
    tests = """const assert = require("node:assert");
const { test } = require("node:test");
const { f } = require("./f");

test("doubles", (t) => {
  assert.strictEqual(f(2), 4);
});
"""
    assert old in tests
    found = findings({"f.test.js": tests}, {"f.test.js": tests.replace(old, new, 1)})
    assert not [finding for finding in found if finding.severity == "block"]


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("a.test.js", "assert.strictEqual(f(2), 4);", "assert.ok(f(2));"),
        ("a.test.js", "assert.strictEqual(f(2), 4);", "assert(true);"),
        ("a.test.js", "assert.strictEqual(f(2), 4);", "assert.notStrictEqual(f(2), 5);"),
        ("a.test.js", "assert.strictEqual(f(2), 4);", "assert.doesNotThrow(() => f(2));"),
        ("a.test.js", "assert.strictEqual(f(2), 4);", "assert.throws(() => assert.strictEqual(f(2), 4));"),
        ("a.test.js", "assert.strictEqual(f(2), 4);", "f(2) === 4;"),
        ("a.test.js", "t.equal(g(2), 4);", "t.pass();"),
        ("a.test.js", "t.equal(g(2), 4);", "t.ok(g(2));"),
        ("a.test.js", "expect(h(2)).to.equal(4);", "expect(h(2)).to.be.a('number');"),
        ("a.test.js", "expect(h(2)).to.equal(4);", "expect(h(2)).to.exist;"),
        ("a.test.js", "expect(h(2)).to.equal(4);", "expect(h(2)).to.not.equal(5);"),
        ("a.test.js", "expect(h(2)).to.equal(4);", "expect(h(2)).to.be.closeTo(4, 10);"),
        ("a.test.js", "k(2).should.equal(4);", "k(2).should.be.ok;"),
        ("a.test.js", ".expect(200)", ""),
        ("a.test.js", 'cy.get("p").should("have.text", "4");', 'cy.get("p").should("exist");'),
    ],
)
def test_other_libraries(path: str, old: str, new: str) -> None:
    tests = """const assert = require("assert");
const { expect } = require("chai");
test("assert", () => {
  assert.strictEqual(f(2), 4);
});
test("context", (t) => {
  t.equal(g(2), 4);
});
test("chai", () => {
  expect(h(2)).to.equal(4);
});
test("should", () => {
  k(2).should.equal(4);
});
test("supertest", () => {
  return request(app).get("/").expect(200);
});
test("cypress", () => {
  cy.get("p").should("have.text", "4");
});
"""
    assert old in tests
    found = findings({path: tests}, {path: tests.replace(old, new, 1)})
    assert [finding for finding in found if finding.severity == "block"], found


@pytest.mark.parametrize(
    ("old", "new", "severity"),
    [
        ("toEqual({ net: 4, tax: 1 })", "toEqual({ net: expect.anything(), tax: expect.anything() })", "block"),
        ("toEqual({ net: 4, tax: 1 })", "toStrictEqual({ net: expect.any(Number), tax: expect.anything() })", "block"),
        ("toEqual({ net: 4, tax: 1 })", "toMatchObject({ net: expect.any(Number) })", "block"),
        ("toEqual({ net: 4 })", "toEqual(expect.objectContaining({ net: expect.anything() }))", "block"),
        ("toEqual([{ net: 4 }, 7])", "toEqual([{ net: expect.any(Number) }, expect.anything()])", "block"),
        ("toEqual({ net: 4, tax: 1 })", "toEqual({ net: any, tax: any })", "block"),
        ("toEqual({ net: 4, tax: 1 })", "toEqual({ net: expect.toBeNumber(), tax: expect.toBeNumber() })", "block"),
        ("toEqual({ net: 4, tax: 1 })", "to.deep.equal({ net: sinon.match.any, tax: sinon.match.number })", "block"),
        ("toEqual({ net: 4, tax: 1 })", "toEqual({ net: jasmine.any(Number), tax: jasmine.anything() })", "block"),
        ("toEqual({ net: 4, tax: 1 })", "to.have.all.keys('net', 'tax')", "block"),
        ("toEqual({ net: 4, tax: 1 })", "toHaveProperty('net', expect.any(Number))", "block"),
        ("toEqual({ id: 4, tax: 1 })", "toEqual({ id: expect.any(Number), tax: expect.any(Number) })", "block"),
        ("toContainEqual({ net: 4, tax: 1 })", "toContainEqual(expect.anything())", "block"),
        ("toHaveBeenCalledWith({ a: 1 }, 2)", "toHaveBeenCalledWith({ a: expect.anything() }, any)", "block"),
        ("toEqual({ id: 4, tax: 1 })", "toEqual({ id: expect.any(Number), tax: 1 })", "review"),
        ("toEqual({ id: 4, madeAt: 1 })", "toEqual({ id: expect.any(Number), madeAt: expect.any(Date) })", "review"),
        ("toEqual([{ net: 4 }])", "toEqual([expect.objectContaining({ net: 4 })])", "review"),
        ("toHaveBeenCalledWith({ a: 1 }, 2)", "toHaveBeenCalledWith({ a: 1 }, any)", "review"),
        ("toEqual({ net: any })", "toEqual({ net: any, tax: any })", ""),
        ("toBe('red')", "toMatch(/^(red|blue)$/)", "block"),
        ("toBe('red')", "toMatch(/^(?:blue|red)$/i)", "block"),
        ("toBe('red')", "toMatch(/^r(ed|ose)$/)", "block"),
        ("toBe('red')", "toMatch(/^(red|\\w+)$/)", "block"),
        ("toBe('red')", "toMatch(/^re[dx]$/)", "block"),
        ("toBe('red')", "to.match(/^(red|blue)$/)", "block"),
        ("toBe('red')", "toMatch(new RegExp('^(red|blue)$'))", "block"),
        ("toBe('red')", "toEqual(expect.stringMatching(/^(red|blue)$/))", "block"),
        ("toBe('red')", "toMatch(/^red$/)", "review"),
        ("toBe('red')", "toMatch(/^(red)$/)", "review"),
    ],
)
def test_what_is_left_open_of_a_value(old: str, new: str, severity: str) -> None:
    head = 'import { expect, test } from "vitest";\nimport { tell } from "./tell";\nconst any = expect.anything();\n'
    body = 'test("tells", () => {{\n  expect(tell(2)).{};\n}});\n'
    product = {"src/tell.ts": "export const tell = (of: number) => made(of);\n"}
    before, after = ({**product, PATH: head + body.format(each)} for each in (old, new))
    severities = {finding.severity for finding in findings(before, after)}
    assert severities == ({severity} if severity else set()), findings(before, after)


def test_names_are_less_than_what_is_called_so() -> None:
    assert "block" in outcome("expect(Object.keys(total([10, 20], 0.1))).toEqual(['a']);")
