"""The recorded cases about tests that are gone or weaker, in languages with a plain extractor."""

from __future__ import annotations

from typing import Any

import pytest

from ralph.guardrails.scan import scan
from tests.guardrails.inventory.outcome import v2
from tests.guardrails.memory import change, corpus

CLASSES = ("G04", "G05", "G06", "G08", "G19")
LANGUAGES = ("go", "rust", "ruby", "java", "csharp")
CASES = [pytest.param(case, id=case["id"]) for case in corpus(*CLASSES) if case["lang"] in LANGUAGES]


@pytest.mark.parametrize("case", CASES)
def test_it_is_judged_as_labelled(case: dict[str, Any]) -> None:
    found = scan(change(case["before"], case["after"]), v2())
    severities = {finding.severity for finding in found}
    assert ("block" if "block" in severities else "review" if severities else "clean") == case["expect"], found
    if case["expect"] == "block":
        assert any(finding.path == case["path"] for finding in found if finding.severity == "block")
