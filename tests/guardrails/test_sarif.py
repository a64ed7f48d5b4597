"""The SARIF form: complete, stable, and readable by strict JSON readers."""

from __future__ import annotations

import dataclasses
import json

from ralph.guardrails.sarif import sarif
from ralph.policy import registry
from ralph.verdict import Finding

V1 = registry.load("v1")
ONE = Finding(
    rule="v1.python.noqa",
    severity="block",
    reason="r",
    path="src/a b.py",
    line=3,
    column=7,
    snippet="x = 1  # noqa",
)


def results(*findings: Finding) -> list[dict[str, object]]:
    found: list[dict[str, object]] = sarif(findings, V1)["runs"][0]["results"]
    return found


def test_a_result_points_at_its_rule_and_place() -> None:
    run = sarif([ONE], V1)["runs"][0]
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "v1.python.noqa"
    assert result["level"] == "error"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "src/a%20b.py"}
    assert (place["region"]["startLine"], place["region"]["startColumn"]) == (3, 7)


def test_a_finding_without_a_line_is_told_at_the_first() -> None:
    (result,) = results(dataclasses.replace(ONE, line=0, column=0))
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}  # type: ignore[index]


def test_a_review_is_a_warning() -> None:
    (result,) = results(dataclasses.replace(ONE, rule="tree.symlink-replaces-file", severity="review"))
    assert result["level"] == "warning"


def test_a_fingerprint_does_not_depend_on_the_line() -> None:
    assert (
        results(ONE)[0]["partialFingerprints"] == results(dataclasses.replace(ONE, line=90))[0]["partialFingerprints"]
    )


def test_equal_findings_have_fingerprints_of_their_own() -> None:
    found = results(ONE, dataclasses.replace(ONE, line=4), dataclasses.replace(ONE, path="b.py"))
    assert len({json.dumps(each["partialFingerprints"]) for each in found}) == 3


def test_undecodable_names_make_valid_json() -> None:
    odd = dataclasses.replace(ONE, path="a\udcff.py", snippet="\udcfe")
    text = json.dumps(sarif([odd], V1), ensure_ascii=False)
    assert "a%FF.py" in text
    text.encode()


def test_no_findings_make_an_empty_run() -> None:
    run = sarif([], V1)["runs"][0]
    assert run["results"] == []
    assert run["tool"]["driver"]["rules"] == []


def test_the_same_findings_give_the_same_document() -> None:
    assert sarif([ONE], V1) == sarif([ONE], V1)
