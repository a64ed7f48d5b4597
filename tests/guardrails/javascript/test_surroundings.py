"""A test is touched by what it depends on in its file, and by nothing else there."""

from __future__ import annotations

import pytest

from ralph.guardrails.inventory.model import Inventory
from ralph.guardrails.inventory.readers import Side
from ralph.guardrails.javascript.inventory import collect
from ralph.guardrails.source import Source

FILE = """import { expect, test, beforeEach } from "vitest";
import { price, tax } from "./shop";

// What things cost.
const RATE = 20;
const { low, high: top } = { low: 1, high: 9 };
let shop: string;
let open = true;
function close() { open = false; }
function gross(net: number) { return withTax(net); }
function withTax(net: number) { return net * (1 + RATE / 100); }
export class Till { total = 0; }
beforeEach(() => { shop = "corner"; });

test("prices", () => { expect(price(1)).toBe(3); });
test("gross", () => { expect(price(2)).toBe(gross(5)); });
test("top", () => { expect(tax(top)).toBe(low); });
test("till", () => { expect(new Till().total).toBe(0); });
test("open", () => { expect(open).toBe(true); });
describe("suite", () => {
  const own = 4;
  test("own", () => { expect(own).toBe(4); });
});
"""

ALL = {"prices", "gross", "top", "till", "open", "own"}


def _texts(text: str) -> dict[str, str]:
    def nowhere(path: str) -> bytes | None:
        return None

    found: Inventory = collect(
        Source("shop.test.ts", "typescript", text.encode()), Side(nowhere, lambda: frozenset({"shop.test.ts"}))
    )
    return {test.parts[-1]: test.text for test in found.tests if test.kind == "test"}


@pytest.mark.parametrize(
    ("old", "new", "touched"),
    [
        ("// What things cost.", "// Prices.", set()),
        ("const RATE = 20;", "const RATE = 0;", {"gross"}),
        ("return net * (1 + RATE / 100);", "return net;", {"gross"}),
        ("high: 9", "high: 1", {"top"}),
        ("total = 0", "total = 1", {"till"}),
        ("{ open = false; }", "{ open = true; }", {"open"}),
        ("let open = true;", "let open = false;", {"open"}),
        ('from "./shop"', 'from "./other"', {"prices", "gross", "top"}),
        ("{ price, tax }", "{ price, tax, vat }", set()),
        ("{ price, tax }", "{ tax, price }", set()),
        ("{ price, tax }", "{ price, vat as tax }", {"top"}),
        ("const own = 4;", "const own = 4; // as many as that", set()),
        ('shop = "corner";', "", ALL),
        ("const own = 4;", "const own = 5;", ALL),
        ("beforeEach(() => {", "test.each; beforeEach(() => {", ALL),
        ("toBe(3)", "toBe(4)", {"prices"}),
        ('test("till"', 'test("more", () => { expect(1).toBe(1); });\ntest("till"', set()),
        ("let shop: string;", "let shop: string;\nconst unused = 5;", set()),
    ],
)
def test_what_touches_a_test(old: str, new: str, touched: set[str]) -> None:
    assert FILE.count(old) == 1
    before, after = _texts(FILE), _texts(FILE.replace(old, new))
    assert before.keys() == ALL
    assert {name for name in before if before[name] != after[name]} == touched
