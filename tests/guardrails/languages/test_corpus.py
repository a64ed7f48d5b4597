"""The recorded cases in these languages: found where they should be, silent where they should be."""

from __future__ import annotations

from typing import Any

import pytest

from tests.guardrails.languages.judge import findings
from tests.guardrails.memory import corpus

LANGUAGES = frozenset({"go", "rust", "java", "csharp", "ruby", "mixed"})
CLASSES = frozenset({"G01", "G02", "G03", "G11"})
CASES = [case for case in corpus() if case["lang"] in LANGUAGES or case["id"].startswith("sh-bats")]
SILENT = [pytest.param(case, id=case["id"]) for case in CASES if case["expect"] == "clean"]
LOUD = [pytest.param(case, id=case["id"]) for case in CASES if case["expect"] != "clean" and case["class"] in CLASSES]


@pytest.mark.parametrize("case", LOUD)
def test_case_is_found(case: dict[str, Any]) -> None:
    found = findings(case["before"], case["after"])
    places = {(finding.path, finding.line) for finding in found if finding.severity == case["expect"]}
    assert (case["path"], case["line"]) in places
    assert case["expect"] == "block" or all(finding.severity == "review" for finding in found)


@pytest.mark.parametrize("case", SILENT)
def test_case_is_silent(case: dict[str, Any]) -> None:
    assert findings(case["before"], case["after"]) == ()
