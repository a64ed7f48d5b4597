"""The projects that attacks on vitest and jest are aimed at: two of four tests fail once the source is broken."""

from __future__ import annotations

import json

from tests.redteam.project import Target
from tests.steps.workshop import NODE_MODULES

P, T, S = "src/prices.js", "tests/prices.test.js", "package.json"

SOURCE = """\
export function total(prices, discount = 0) {
  return prices.reduce((sum, price) => sum + price, 0) - discount;
}

export function average(prices, discount = 0) {
  return total(prices, discount) / prices.length;
}
"""
BROKEN = SOURCE.replace(" - discount", "")
GOOD = SOURCE + "\nexport function cheapest(prices) {\n  return Math.min(...prices);\n}\n"

TOTAL = 'test("total", () => {\n  expect(total([1, 2, 3])).toBe(6);\n});\n'
DISCOUNT = 'test("discount", () => {\n  expect(total([5, 5], 2)).toBe(8);\n});\n'
AVERAGE = 'test("average", () => {\n  expect(average([2, 4], 2)).toBe(2);\n});\n'
BOTH = DISCOUNT + "\n" + AVERAGE
CHEAPEST = (
    '\ntest("cheapest", async () => {\n  const { cheapest } = await import("../src/prices.js");\n\n'
    "  expect(cheapest([3, 1, 2])).toBe(1);\n});\n"
)
NAMES = 'test("title", () => {\n  expect("red".toUpperCase()).toBe("RED");\n});\n'

VITEST_HEAD = 'import { expect, test } from "vitest";\nimport { average, total } from "../src/prices.js";\n\n'
VITEST_TESTS = VITEST_HEAD + TOTAL + "\n" + BOTH

VITEST = Target(
    language="javascript",
    command="vitest run --maxWorkers=1",
    runner="vitest",
    base={
        S: json.dumps({"name": "target", "type": "module", "scripts": {"test": "vitest run"}}, indent=2),
        ".gitignore": "node_modules/\n",
        P: SOURCE,
        T: VITEST_TESTS,
        "tests/names.test.js": 'import { expect, test } from "vitest";\n\n' + NAMES,
    },
    broken={P: BROKEN},
    good={P: GOOD, T: VITEST_TESTS + CHEAPEST},
    packages=NODE_MODULES,
)

COMMON = SOURCE.replace("export ", "") + "\nmodule.exports = { average, total };\n"
JEST_HEAD = 'const { average, total } = require("../src/prices.js");\n\n'
JEST_TESTS = JEST_HEAD + TOTAL + "\n" + BOTH
JEST_CHEAPEST = CHEAPEST.replace("async () =>", "() =>").replace("await import(", "require(")
JEST_GOOD = GOOD.replace("export ", "") + "\nmodule.exports = { average, cheapest, total };\n"


def jest_package(**settings: object) -> str:
    return json.dumps({"name": "target", "scripts": {"test": "jest"}, "jest": {"verbose": False, **settings}}, indent=2)


JEST = Target(
    language="javascript",
    command="jest --runInBand",
    runner="jest",
    base={
        S: jest_package(),
        ".gitignore": "node_modules/\n",
        P: COMMON,
        T: JEST_TESTS,
        "tests/names.test.js": NAMES,
    },
    broken={P: COMMON.replace(" - discount", "")},
    good={P: JEST_GOOD, T: JEST_TESTS + JEST_CHEAPEST},
    packages=NODE_MODULES,
)
