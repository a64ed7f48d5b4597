"""What checks and configuration together say about a change of two dictionaries, by the severities of policy v2."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

import ralph.policy
from ralph.guardrails import checks, config
from ralph.guardrails.model import Hit
from ralph.system.yaml import load_yaml
from tests.guardrails.memory import change

POLICY = load_yaml((Path(ralph.policy.__file__).parent / "v2.yaml").read_text(), "v2.yaml")["rules"]

Outcome = Literal["block", "review", "clean"]


class Case(NamedTuple):
    name: str
    before: Mapping[str, str]
    after: Mapping[str, str]
    path: str | None = None


def found(before: Mapping[str, str], after: Mapping[str, str]) -> list[Hit]:
    made = change(before, after)
    return [*checks.weakened(made), *config.weakened(made)]


def outcome(case: Case) -> Outcome:
    """A block counts only in the file that the case names."""
    hits = found(case.before, case.after)
    severities = {POLICY[hit.rule]["severity"] for hit in hits}
    if "block" in severities:
        paths = {hit.path for hit in hits if POLICY[hit.rule]["severity"] == "block"}
        return "block" if case.path is None or case.path in paths else "review"
    return "review" if severities else "clean"


def one(path: str, before: str | None, after: str | None, name: str = "", **tree: str) -> Case:
    """A change of one file."""
    same = dict(tree)
    return Case(
        name or f"{path}: {after!r}"[:100],
        same if before is None else {**same, path: before},
        same if after is None else {**same, path: after},
        path,
    )
