"""What policy set v2 says to a change of Python files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ralph.guardrails.scan import scan
from ralph.policy import registry
from ralph.policy.model import PolicySet
from ralph.verdict import Finding
from tests.guardrails.memory import change


@cache
def v2() -> PolicySet:
    return registry.load("v2")


def findings(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Finding, ...]:
    return scan(change(before, after), v2())


def judge(before: str, after: str, path: str = "tests/test_a.py") -> str:
    """`clean`, `review` or `block`: the worst that is said to one file that changed."""
    return worst(findings({path: before}, {path: after}))


def rules(before: str, after: str, path: str = "tests/test_a.py") -> set[str]:
    return {finding.rule for finding in findings({path: before}, {path: after})}


def worst(found: tuple[Finding, ...]) -> str:
    if any(finding.severity == "block" for finding in found):
        return "block"
    return "review" if found else "clean"
