"""Of many files, those are looked through that are about what the change touches."""

from __future__ import annotations

import pytest

from ralph.guardrails.nearest import nearest
from ralph.guardrails.scan import scan
from ralph.policy import registry
from tests.guardrails.memory import change

MANY = [f"app/{letter}{number}_test.go" for letter in "abc" for number in range(200)]


@pytest.mark.parametrize(
    ("touched", "wanted"),
    [
        ("zebra/tax.go", "zebra/tax_test.go"),
        ("zebra/tax.go", "tests/unit/test_tax.go"),
        ("zebra/deep/tax.go", "zebra/other_test.go"),
        ("zebra/tax_test.go", "zebra/tax_test.go"),
    ],
)
def test_those_that_are_called_alike_or_lie_near_come_first(touched: str, wanted: str) -> None:
    assert wanted in nearest([*MANY, wanted], change({}, {touched: ""}), 300)


def test_few_stay_in_their_order() -> None:
    assert nearest(["b", "a", "c"], change({}, {"c": ""}), 3) == ["a", "b", "c"]


def test_there_are_no_more_than_so_many() -> None:
    assert len(nearest(MANY, change({}, {"app/a1.go": ""}), 7)) == 7
    assert nearest(MANY, change({}, {"app/c199.go": ""}), 1) == ["app/c199_test.go"]


TAX = "package tax\n\nfunc Tax(x int) int {\n%s\treturn x / 5\n}\n"
TEST = "package tax\n\nfunc TestTax(t *testing.T) {\n\tif Tax(1234) != 267 {\n\t\tt.Fatal()\n\t}\n}\n"


def test_an_answer_for_a_test_is_seen_among_a_thousand_tests() -> None:
    others = {f"app/{number}/a_test.go": "package a\n" for number in range(1000)}
    before = {**others, "zebra/tax.go": TAX % "", "zebra/tax_test.go": TEST}
    after = {**before, "zebra/tax.go": TAX % "\tif x == 1234 {\n\t\treturn 267\n\t}\n"}
    found = scan(change(before, after), registry.load("v2"))
    assert [finding.rule for finding in found if finding.severity == "block"] == ["code.special-case"]
