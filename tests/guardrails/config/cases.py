"""What the comparison of two trees says, in the few words that the tables of these tests use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ralph.guardrails.config import weakened
from tests.guardrails.memory import change


class Case(NamedTuple):
    """`rules` are those found, in order of their place; empty for a change that takes nothing away."""

    name: str
    before: Mapping[str, str]
    after: Mapping[str, str]
    rules: tuple[str, ...] = ()


def one(
    name: str, path: str, before: str | None, after: str | None, *rules: str, tree: Mapping[str, str] | None = None
) -> Case:
    """A change of one file; `tree` stays as it is."""
    same = dict(tree or {})
    return Case(
        name,
        same if before is None else {**same, path: before},
        same if after is None else {**same, path: after},
        rules,
    )


def rules(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(sorted({hit.rule for hit in weakened(change(before, after))}))


def places(before: Mapping[str, str], after: Mapping[str, str]) -> list[tuple[str, str, int]]:
    return sorted((hit.rule, hit.path, hit.line) for hit in weakened(change(before, after)))
