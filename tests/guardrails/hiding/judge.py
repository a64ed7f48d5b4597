"""What the rules about hiding say to a change."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ralph.guardrails.hiding.detectors import CHANGE_DETECTORS
from ralph.guardrails.model import Hit
from ralph.policy import registry
from ralph.policy.model import PolicySet
from tests.guardrails.memory import change


@cache
def v2() -> PolicySet:
    return registry.load("v2")


def hits(before: Mapping[str, str], after: Mapping[str, str]) -> list[Hit]:
    subject = change(before, after)
    return [hit for detector in CHANGE_DETECTORS for hit in detector(subject)]


def worst(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """`clean`, `review` or `block`."""
    severities = {v2().rules[hit.rule].severity for hit in hits(before, after)}
    return "block" if "block" in severities else "review" if severities else "clean"


def judge(path: str, after: str, before: str | None = None) -> str:
    """Of one file that is new, or was something else before."""
    return worst({} if before is None else {path: before}, {path: after})
