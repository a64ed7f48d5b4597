"""Of two assertions about the same thing the weaker one never takes the stronger one's place unseen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
import yaml

from ralph.policy import registry
from tests.guardrails.siblings.table import Row, outcome

POLICY = registry.load("v2")


def chains() -> Iterator[tuple[str, str, list[str]]]:
    for table in yaml.safe_load(Path(__file__).with_name("weaker.yaml").read_text()):
        for number, chain in enumerate(table["chains"]):
            texts = [table["test"].replace("%s", each) for each in chain]
            yield f"{table['framework']} {number}", table["path"], texts


@pytest.mark.parametrize(("name", "path", "texts"), [pytest.param(*each, id=each[0]) for each in chains()])
def test_what_demands_less_is_seen(name: str, path: str, texts: list[str]) -> None:
    for stronger, weaker in combinations(texts, 2):
        row = Row(name, path, {path: stronger}, {path: weaker}, "block")
        assert outcome(row, POLICY) != "clean", weaker
