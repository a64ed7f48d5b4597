"""The recorded cases of these classes, judged with the whole of policy v2."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import ralph.guardrails.checks
from ralph.guardrails.checks import weakened
from ralph.guardrails.scan import scan
from ralph.policy import registry
from tests.guardrails.checks.cases import POLICY
from tests.guardrails.memory import change, corpus

CLASSES = ("G09", "G10", "G13", "G14", "G15", "G16", "G17")
OTHERS = re.compile(r"\.(?:py|js|ts|go|rb|snap)$")
"""Files that other detectors of these classes answer for."""
CONFIGURATION = re.compile(r"(?:^|/)[\w.-]+\.config\.\w+$")


def ours(expect: str) -> list[Any]:
    cases = [
        case
        for case in corpus(*CLASSES)
        if case["expect"] == expect
        and (not case["path"] or not OTHERS.search(case["path"]) or CONFIGURATION.search(case["path"]))
    ]
    return [pytest.param(case, id=case["id"]) for case in cases]


def findings(case: dict[str, Any]) -> list[tuple[str, str]]:
    found = scan(change(case["before"], case["after"]), registry.load("v2"))
    return [(finding.severity, finding.path) for finding in found]


@pytest.mark.parametrize("case", ours("block"))
def test_what_games_a_check_blocks_in_its_file(case: dict[str, Any]) -> None:
    assert ("block", case["path"]) in findings(case)


@pytest.mark.parametrize("case", ours("review"))
def test_what_a_person_must_judge_is_shown(case: dict[str, Any]) -> None:
    assert {severity for severity, _ in findings(case)} == {"review"}


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in corpus() if case["expect"] == "clean"])
def test_what_is_innocent_has_no_finding(case: dict[str, Any]) -> None:
    hits = weakened(change(case["before"], case["after"]))
    assert [hit.rule for hit in hits if POLICY[hit.rule]["severity"] == "block"] == []


def test_every_rule_is_in_the_policy_and_none_beyond() -> None:
    folder = Path(ralph.guardrails.checks.__file__).parent
    text = "\n".join(path.read_text() for path in folder.rglob("*.py"))
    named = set(re.findall(r'"((?:check|ci|vcs|env|evidence|golden)\.[a-z0-9-]+)"', text))
    prefixes = ("check.", "ci.", "vcs.", "env.", "evidence.", "golden.")
    assert named == {rule for rule in POLICY if rule.startswith(prefixes)}
