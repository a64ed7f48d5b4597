"""What policy set v2 says about a change of JavaScript files, through the real scan."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ralph.guardrails.scan import scan
from ralph.policy.model import PolicySet
from ralph.policy.registry import load
from ralph.verdict import Finding
from tests.guardrails.memory import change

TESTS = """import { describe, expect, it, test } from "vitest";

describe("total", () => {
  it("adds tax", () => {
    expect(1).toBe(2);
  });

  it("handles none", () => {
    expect(0).toBe(0);
  });
});
"""
ADDS = 'it("adds tax", () => {'
PATH = "src/total.test.ts"


@cache
def v2() -> PolicySet:
    return load("v2")


def findings(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Finding, ...]:
    return scan(change(before, after), v2())


def outcome(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """`block`, `review` or `clean`, as `ralph scan` would exit."""
    severities = {finding.severity for finding in findings(before, after)}
    return "block" if "block" in severities else "review" if severities else "clean"


def rules(before: Mapping[str, str], after: Mapping[str, str]) -> set[str]:
    return {finding.rule for finding in findings(before, after)}


def rewritten(new: str, old: str = ADDS, text: str = TESTS) -> tuple[dict[str, str], dict[str, str]]:
    """A change of one test file in which `new` stands for `old`."""
    assert old in text
    return {PATH: text}, {PATH: text.replace(old, new, 1)}
