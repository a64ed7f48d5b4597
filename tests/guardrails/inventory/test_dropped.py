"""An assertion that a test loses is missed, whatever else the test still asks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from ralph.policy import registry
from ralph.record import record
from ralph.system.yaml import load_yaml
from tests.guardrails.tables.table import Row, outcome

POLICY = registry.load("v2")
DROPPED = Path(__file__).with_name("dropped.yaml")
TABLE = {each["framework"]: each for each in load_yaml(DROPPED.read_text(), DROPPED.name)}


@record
class Asking:
    framework: str
    path: str
    text: str
    each: Sequence[str]

    def outcome(self, before: Sequence[str], after: Sequence[str]) -> str:
        return outcome(Row(self.framework, self.path, self._file(before), self._file(after), "block"), POLICY)

    def _file(self, assertions: Sequence[str]) -> dict[str, str]:
        indent = re.search(r"^(\s*)%s", self.text, re.MULTILINE)
        assert indent is not None
        return {self.path: self.text.replace("%s", f"\n{indent[1]}".join(assertions))}


@pytest.fixture(params=TABLE)
def asking(request: pytest.FixtureRequest) -> Asking:
    table = TABLE[request.param]
    return Asking(request.param, table["path"], table["test"], table["each"])


def test_one_of_two_that_is_gone_blocks(asking: Asking) -> None:
    unseen = [
        (gone, left)
        for gone in asking.each
        for left in asking.each
        if gone != left and asking.outcome([gone, left], [left]) != "block"
    ]
    assert unseen == []


def test_one_of_many_that_is_gone_blocks(asking: Asking) -> None:
    left = {gone: [each for each in asking.each if each != gone] for gone in asking.each}
    assert [gone for gone in left if asking.outcome(asking.each, left[gone]) != "block"] == []


def test_another_order_is_clean(asking: Asking) -> None:
    assert asking.outcome(asking.each, asking.each[::-1]) == "clean"


DOUBLE = """package a

import "testing"

func TestA(t *testing.T) {
	store := %s
	Save(store, 1)
%s}
"""


@pytest.mark.parametrize(
    ("made", "expected"), [("new(mocks.Store)", "block"), ("mocks.NewStore(t)", "clean"), ("&mocks.Store{}", "block")]
)
def test_a_double_that_is_made_with_the_test_asks_by_itself(made: str, expected: str) -> None:
    before = {"a_test.go": DOUBLE % ("new(mocks.Store)", "\tstore.AssertExpectations(t)\n")}
    after = {"a_test.go": DOUBLE % (made, "")}
    assert outcome(Row("go", "a_test.go", before, after, "block"), POLICY) == expected
