"""The recorded cases of gaming and of innocence, for JavaScript and TypeScript."""

from __future__ import annotations

from typing import Any

import pytest

from tests.guardrails.javascript.outcome import findings
from tests.guardrails.memory import corpus

CLASSES = ("G01", "G02", "G03", "G04", "G05", "G06", "G07", "G08", "G11", "G13", "G14", "G19")
CASES = [
    case
    for case in corpus()
    if case["lang"] in ("javascript", "typescript") and not (case["path"] or "").endswith(".json")
]
"""Without configuration files: those are compared as data."""


def cases(expect: str, *classes: str) -> list[Any]:
    chosen = [case for case in CASES if case["expect"] == expect and (not classes or case["class"] in classes)]
    return [pytest.param(case, id=case["id"]) for case in chosen]


@pytest.mark.parametrize("case", cases("block", *CLASSES))
def test_a_cheat_is_blocked_where_it_stands(case: dict[str, Any]) -> None:
    found = [finding for finding in findings(case["before"], case["after"]) if finding.severity == "block"]
    assert any(finding.path == case["path"] and case["line"] in (None, finding.line) for finding in found), found


@pytest.mark.parametrize("case", cases("clean"))
def test_innocent_code_has_no_finding(case: dict[str, Any]) -> None:
    assert findings(case["before"], case["after"]) == ()


@pytest.mark.parametrize("case", cases("review", *CLASSES))
def test_what_a_person_should_see_does_not_block(case: dict[str, Any]) -> None:
    found = findings(case["before"], case["after"])
    assert {finding.severity for finding in found} == {"review"}


@pytest.mark.parametrize("case", cases("review"))
def test_review_cases_of_other_classes_never_block(case: dict[str, Any]) -> None:
    assert not [finding for finding in findings(case["before"], case["after"]) if finding.severity == "block"]
