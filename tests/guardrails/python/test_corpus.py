"""The recorded Python cases, each through the whole scan."""

from __future__ import annotations

from typing import Any

import pytest

from tests.guardrails.memory import corpus
from tests.guardrails.python.judge import findings, worst

OURS = frozenset({"G01", "G02", "G03", "G11"})
PYTHON = [case for case in corpus() if case["lang"] == "python"]


def cases(expect: str, classes: frozenset[str] | None = None) -> list[Any]:
    chosen = (case for case in PYTHON if case["expect"] == expect and (classes is None or case["class"] in classes))
    return [pytest.param(case, id=case["id"]) for case in chosen]


@pytest.mark.parametrize("case", cases("block", OURS))
def test_a_trick_is_found_where_it_stands(case: dict[str, Any]) -> None:
    found = findings(case["before"], case["after"])
    blocking = {(finding.path, finding.line) for finding in found if finding.severity == "block"}
    assert (case["path"], case["line"]) in blocking


@pytest.mark.parametrize("case", cases("review", OURS))
def test_a_matter_for_a_person_is_no_more_than_that(case: dict[str, Any]) -> None:
    assert worst(findings(case["before"], case["after"])) == "review"


@pytest.mark.parametrize("case", cases("clean"))
def test_the_same_words_where_they_are_innocent_say_nothing(case: dict[str, Any]) -> None:
    assert findings(case["before"], case["after"]) == ()
