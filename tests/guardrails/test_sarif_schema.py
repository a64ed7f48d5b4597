"""SARIF that others take: the official schema of 2.1.0, and what GitHub's code scanning asks for beyond it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralph.guardrails.sarif import FINGERPRINT, sarif
from ralph.guardrails.scan import scan
from ralph.policy import registry
from ralph.verdict import Excuse, Finding
from tests.guardrails.memory import change

PACKAGE = Path(__file__).parents[1] / "node" / "node_modules" / "@microsoft" / "jest-sarif"
V2 = registry.load("v2")
needs_schema = pytest.mark.skipif(not PACKAGE.is_dir(), reason="the schema comes with tests/node: make test fetches it")


def document(*findings: Finding) -> dict[str, Any]:
    """As a reader of the file gets it."""
    found: dict[str, Any] = json.loads(json.dumps(sarif(findings, V2)))
    return found


def finding(rule: str, **fields: Any) -> Finding:
    given = {"reason": "r", "path": "a.py", "line": 1, "column": 1, "snippet": "x", **fields}
    return Finding(rule=rule, severity=V2.rules[rule].severity, **given)


def problems(log: dict[str, Any]) -> list[str]:
    (path,) = (PACKAGE / "lib" / "schemas").glob("sarif-2.1.0*.json")
    schema = json.loads(path.read_text())
    return [error.message for error in jsonschema.Draft4Validator(schema).iter_errors(log)]


texts = st.text(max_size=30) | st.sampled_from(["\udcff", "a b/ü.py", "%41", "\x1b[0m", "..\\x"])


@needs_schema
def test_every_rule_makes_a_valid_log() -> None:
    excuse = Excuse(holds=True, sentence="exception 1 by ann until tomorrow: why")
    log = document(*(finding(rule, exception=excuse if number % 2 else None) for number, rule in enumerate(V2.rules)))
    assert problems(log) == []
    assert problems(document()) == []
    assert problems({**log, "version": "2.0"}), "the schema does judge"


@needs_schema
@given(
    path=texts.filter(bool), snippet=texts, reason=texts.filter(bool), line=st.integers(0, 9), column=st.integers(0, 9)
)
def test_whatever_was_found(path: str, snippet: str, reason: str, line: int, column: int) -> None:
    log = document(finding("py.noqa", path=path, snippet=snippet, reason=reason, line=line, column=column))
    assert problems(log) == []


def test_what_code_scanning_shows_is_there() -> None:
    """The properties that GitHub documents as required or shown: of the run, of each rule, of each result."""
    log = document(finding("py.noqa", line=0), finding("py.cast-any"))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"]
    assert driver["semanticVersion"]
    assert run["automationDetails"]["id"].endswith("/")
    for rule in driver["rules"]:
        assert rule["id"]
        assert 0 < len(rule["shortDescription"]["text"]) <= 1024
        assert 0 < len(rule["fullDescription"]["text"]) <= 1024
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
        assert 0 < len(rule["properties"]["tags"]) <= 10
        assert rule["properties"]["precision"] in ("very-high", "high", "medium", "low")
        assert rule["properties"]["problem.severity"] in ("error", "warning", "recommendation")
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert 0 < len(result["message"]["text"]) <= 1024
        (location,) = result["locations"]
        place = location["physicalLocation"]
        assert not place["artifactLocation"]["uri"].startswith("/")
        assert place["region"]["startLine"] >= 1
        assert result["partialFingerprints"][FINGERPRINT]


def fingerprints(before: str, after: str) -> list[str]:
    log = document(*scan(change({"a.py": before}, {"a.py": after}), V2))
    return [each["partialFingerprints"][FINGERPRINT] for each in log["runs"][0]["results"]]


def test_a_fingerprint_stays_when_lines_move() -> None:
    base, bad = "import os\n", "import os  # noqa\n"
    found = fingerprints(base, bad)
    assert found
    assert fingerprints(base, f"x = 1\ny = 2\n\n{bad}") == found
    assert fingerprints(base, "import os   # noqa\n") != [], "layout does not hide it"
    assert fingerprints(base, "import re  # noqa\n") != found


def test_suppressed_results_say_by_what() -> None:
    held = finding("py.noqa", exception=Excuse(holds=True, sentence="exception 7 by ann"))
    lost = finding("py.noqa", line=2, exception=Excuse(holds=False, sentence="exception 8 does not count"))
    first, second, third = document(held, lost, finding("py.noqa", line=3))["runs"][0]["results"]
    assert first["suppressions"] == [{"kind": "external", "status": "accepted", "justification": "exception 7 by ann"}]
    assert second["suppressions"] == third["suppressions"] == []
