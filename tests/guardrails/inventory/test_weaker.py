"""Of two assertions about the same thing the weaker one never takes the stronger one's place unseen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from ralph.policy import registry
from ralph.system.yaml import load_yaml
from tests.guardrails.tables.table import Row, outcome

POLICY = registry.load("v2")


UNSEEN_WITH_MORE = {
    ("ava", "t.is(f(1), 5);", "t.pass();"),
    ("minitest", 'assert F.f(1).start_with?("a")', 'assert F.f(1).include?("a")'),
    ("minitest", "assert_operator F.f(1), :>=, 5", "F.f(1)"),
    ("pytest", "for x in (1, 2, 3):\n        assert f(x) == 5", "for x in (1, 2):\n        assert f(x) == 5"),
    ("rspec", "expect(m).to have_received(:g)", "m.g(1)"),
    ("rspec", "expect(m).to have_received(:g).with(1)", "m.g(1)"),
}
"""What is not seen where the test asks something else besides: by framework, with what demands less."""


def chains() -> Iterator[tuple[str, str, str, list[str], str]]:
    weaker = Path(__file__).with_name("weaker.yaml")
    for table in load_yaml(weaker.read_text(), weaker.name):
        for number, chain in enumerate(table["chains"]):
            yield f"{table['framework']} {number}", table["path"], table["test"], chain, table["more"]


CHAINS = [pytest.param(*each, id=each[0]) for each in chains()]


@pytest.mark.parametrize(("name", "path", "test", "chain", "more"), CHAINS)
def test_what_demands_less_is_seen(name: str, path: str, test: str, chain: list[str], more: str) -> None:
    for stronger, weaker in combinations(chain, 2):
        assert _outcome(name, path, test, stronger, weaker) != "clean", weaker


@pytest.mark.parametrize(("name", "path", "test", "chain", "more"), CHAINS)
def test_what_demands_less_is_seen_beside_something_else(
    name: str, path: str, test: str, chain: list[str], more: str
) -> None:
    """An assertion about something else, added at the same time, makes nothing good."""
    indent = re.search(r"^(\s*)%s", test, re.MULTILINE)
    assert indent is not None
    unseen = set()
    for stronger, weaker in combinations(chain, 2):
        for both in (f"{weaker}\n{indent[1]}{more}", f"{more}\n{indent[1]}{weaker}"):
            if _outcome(name, path, test, stronger, both) == "clean":
                unseen.add((name.partition(" ")[0], stronger, weaker))
    assert unseen == {
        each for each in UNSEEN_WITH_MORE if each[0] == name.partition(" ")[0] and {*each[1:]} <= {*chain}
    }


def _outcome(name: str, path: str, test: str, before: str, after: str) -> str:
    row = Row(name, path, {path: test.replace("%s", before)}, {path: test.replace("%s", after)}, "block")
    return outcome(row, POLICY)
