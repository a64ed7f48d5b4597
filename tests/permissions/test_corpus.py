"""Every line of the corpus gets the decision that its label says."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from ralph.permissions.decide import decide
from ralph.permissions.disk import here
from ralph.permissions.loader import load
from ralph.permissions.model import Permissions, RunCommand

CORPORA = Path(__file__).parent.parent / "corpora"
ROWS = [json.loads(line) for line in (CORPORA / "commands.jsonl").read_text().splitlines()]


@cache
def policy(name: str) -> Permissions:
    return load(CORPORA / "policies" / f"{name}.json")


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['policy']}: {row['cmd'][:60]!a}" for row in ROWS])
def test_the_decision_is_the_labelled_one(row: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    decision = decide(RunCommand(row["cmd"]), policy(row["policy"]), here(tmp_path))
    assert decision.outcome == row["expect"], f"{decision.rule}: {decision.reason} (label: {row['why']})"


@pytest.mark.parametrize("row", ROWS[::7], ids=[f"{row['policy']}: {row['cmd'][:60]!a}" for row in ROWS[::7]])
def test_a_denial_says_why_and_where(row: dict[str, str], tmp_path: Path) -> None:
    decision = decide(RunCommand(row["cmd"]), policy(row["policy"]), here(tmp_path))
    assert decision.rule
    assert decision.reason
    start, end = decision.span or (0, 0)
    assert 0 <= start <= end <= len(row["cmd"])
