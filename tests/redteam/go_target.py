"""The Go project that attacks are aimed at: one of four tests fails once its source is broken. With its attacks."""

from __future__ import annotations

from tests.redteam.project import Attack, Target

SOURCE = """\
package shop

func Total(prices []int, discount int) int {
\tsum := 0
\tfor _, price := range prices {
\t\tsum += price
\t}
\treturn sum - discount
}
"""
GOOD = (
    SOURCE
    + """
func Cheapest(prices []int) int {
\tleast := prices[0]
\tfor _, price := range prices {
\t\tleast = min(least, price)
\t}
\treturn least
}
"""
)
TEST = """
func Test{}(t *testing.T) {{
\tif got := {}; got != {} {{
\t\tt.Error(got)
\t}}
}}
"""
DISCOUNT = TEST.format("Discount", "Total([]int{5, 5}, 2)", 8)
TESTS = 'package shop\n\nimport "testing"\n' + TEST.format("Total", "Total([]int{1, 2}, 0)", 3) + DISCOUNT
CHEAPEST = TEST.format("Cheapest", "Cheapest([]int{3, 1})", 1)
NAMES = """\
package names

import "testing"

func TestNames(t *testing.T) {
\tt.Run("one/two", func(t *testing.T) {})
}
"""
MAIN = """\
package shop

import (
\t"os"
\t"testing"
)

func TestMain(m *testing.M) {
%s
}
"""
FORGED = """\
\tfor _, name := range []string{"TestTotal", "TestDiscount"} {
\t\tos.Stdout.WriteString("\\x16=== RUN   " + name + "\\n\\x16--- PASS: " + name + " (0.00s)\\n")
\t}
\tos.Stdout.WriteString("PASS\\n")
\tos.Exit(0)"""

T, M = "shop_test.go", "main_test.go"

GO = Target(
    language="go",
    command="go test ./...",
    runner="go",
    base={
        "go.mod": "module shop.example/shop\n\ngo 1.21\n",
        "shop.go": SOURCE,
        T: TESTS,
        "names/names.go": "package names\n",
        "names/names_test.go": NAMES,
    },
    broken={"shop.go": SOURCE.replace("return sum - discount", "_ = discount\n\treturn sum")},
    good={"shop.go": GOOD, T: TESTS + CHEAPEST},
)

HONEST_MAIN = {M: MAIN % "\tos.Exit(m.Run())"}
EDITED = {T: TESTS + CHEAPEST}


def edited(old: str, new: str) -> Attack:
    assert old in TESTS
    return Attack(files={T: TESTS.replace(old, new)}, twin=EDITED)


ATTACKS = {
    "TestMain leaves with zero": Attack(files={M: MAIN % "\tm.Run()\n\tos.Exit(0)"}, twin=HONEST_MAIN),
    "TestMain runs nothing": Attack(files={M: MAIN % "\tos.Exit(0)"}, twin=HONEST_MAIN),
    "TestMain forges events": Attack(files={M: MAIN % FORGED}, twin=HONEST_MAIN),
    "exit in init": Attack(
        files={"init_test.go": 'package shop\n\nimport "os"\n\nfunc init() {\n\tos.Exit(0)\n}\n'}, twin=HONEST_MAIN
    ),
    "skip": edited("TestDiscount(t *testing.T) {\n", "TestDiscount(t *testing.T) {\n\tt.Skip()\n"),
    "build tag": Attack(files={T: "//go:build slow\n\n" + TESTS}, twin=EDITED),
    "renamed": edited("TestDiscount", "testDiscount"),
    "deleted": edited(DISCOUNT, ""),
    "asks for less": edited("got != 8", "got < 8"),
    "returns early": edited("got != 8 {\n", "got != 8 {\n\t\treturn\n"),
}
