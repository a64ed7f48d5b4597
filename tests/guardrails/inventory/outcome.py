"""What policy set v2 says about a change, through the real scan."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ralph.guardrails.scan import scan
from ralph.policy.model import PolicySet
from ralph.policy.registry import load
from tests.guardrails.memory import change


@cache
def v2() -> PolicySet:
    return load("v2")


def outcome(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    severities = {finding.severity for finding in scan(change(before, after), v2())}
    return "block" if "block" in severities else "review" if severities else "clean"


def rules(before: Mapping[str, str], after: Mapping[str, str]) -> set[str]:
    return {finding.rule for finding in scan(change(before, after), v2())}


def edited(path: str, text: str, old: str, new: str) -> str:
    """The outcome of putting `new` in the place of `old`."""
    assert old in text
    return outcome({path: text}, {path: text.replace(old, new, 1)})
