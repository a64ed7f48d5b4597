"""Judges a change by policy set v2, through the one function that the engine uses."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ralph.guardrails.scan import scan
from ralph.policy.model import PolicySet
from ralph.policy.registry import load
from ralph.verdict import Finding
from tests.guardrails.memory import change


@cache
def v2() -> PolicySet:
    return load("v2")


def findings(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Finding, ...]:
    return scan(change(before, after), v2())


def added(path: str, text: str, before: str = "") -> list[str]:
    """`rule:line` of what is found when a file goes from `before` to `text`."""
    found = findings({path: before}, {path: text})
    return [f"{finding.rule}:{finding.line}" for finding in found]
