"""The recorded cases: what a change of configuration must be called, by the severities of policy v2."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import ralph.guardrails.config
import ralph.policy
from ralph.guardrails.config import weakened
from ralph.system.yaml import load_yaml
from tests.guardrails.memory import change, corpus

POLICY = load_yaml((Path(ralph.policy.__file__).parent / "v2.yaml").read_text(), "v2.yaml")["rules"]
OURS = {"G03", "G11", "G12"}
LANGUAGES = {"config", "ci"}
FILES = re.compile(
    r"(^|/)([^/]*\.(ya?ml|json|toml|ini|cfg|props|csproj|xml|sh)|Makefile|\.(coveragerc|flake8|editorconfig)"
    r"|[^/]*\.config\.\w+|cov\d*\.rb)$"
)
"""Files of configuration; suppressions in source code are other detectors' matter."""
NEAR = 1


def configured(expect: str) -> list[Any]:
    cases = [case for case in corpus(*OURS) if case["expect"] == expect and case["path"] and FILES.search(case["path"])]
    return [pytest.param(case, id=case["id"]) for case in cases]


def severities(case: dict[str, Any]) -> dict[str, str]:
    return {hit.rule: POLICY[hit.rule]["severity"] for hit in weakened(change(case["before"], case["after"]))}


@pytest.mark.parametrize("case", configured("block"))
def test_a_weakened_setting_blocks_where_it_stands(case: dict[str, Any]) -> None:
    hits = list(weakened(change(case["before"], case["after"])))
    found = [hit for hit in hits if POLICY[hit.rule]["severity"] == "block" and hit.path == case["path"]]
    assert any(case["line"] is None or abs(hit.line - case["line"]) <= NEAR for hit in found), hits


@pytest.mark.parametrize("case", configured("review"))
def test_a_debatable_setting_is_for_review(case: dict[str, Any]) -> None:
    assert set(severities(case).values()) == {"review"}


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in corpus() if case["expect"] == "clean"])
def test_what_is_innocent_has_no_finding(case: dict[str, Any]) -> None:
    assert severities(case) == {}


def test_every_rule_of_the_tables_is_in_the_policy_and_none_beyond() -> None:
    folder = Path(ralph.guardrails.config.__file__).parent
    text = "\n".join(path.read_text() for path in folder.rglob("*.py"))
    named = set(re.findall(r'"(cfg\.[a-z0-9.-]+)"', text))
    for rule in re.findall(r'f"cfg\.\{tool\}\.([a-z-]+)"', text):
        named |= {f"cfg.{tool}.{rule}" for tool in ("ruff", "flake8")}
    assert named == {rule for rule in POLICY if rule.startswith("cfg.")}
