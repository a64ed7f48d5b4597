"""A policy file says what it means exactly, or is refused with the place and the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from ralph.errors import ConfigError
from ralph.policy import registry
from ralph.policy.schema import parse

V2 = (registry.BUNDLED / "v2.yaml").read_text()
V1 = (registry.BUNDLED / "v1.yaml").read_text()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("min_percent: 80", "min_percent: 180", "steps.coverage.min_percent"),
        ("min_percent: 80", "min_percent: '80'", "steps.coverage.min_percent"),
        ("max_errors: 0", "max_errors: -1", "steps.lint.max_errors"),
        ("required: true", "required: yes please", "steps.lint.required"),
        ("max_lines_added: 100", "max_line_added: 100", "thresholds"),
        ("    typescript:\n", "    typescrypt:\n", "typescrypt"),
        (r"\\.skip\\s*\\(", r"(", "not a regular expression"),
        ('version: "v1"', 'version: "1.0"', "policy.version"),
        ("immutable: true  #", "immutable: true\n  status: draft  #", "policy.status"),
        ("  FAIL:", "  FAILED:", "verdicts.FAIL"),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, message: str) -> None:
    assert old in V1
    with pytest.raises(ConfigError, match=r"a\.yaml") as caught:
        parse(V1.replace(old, new, 1), "a.yaml")
    assert message in str(caught.value)


def test_a_set_matches_in_one_way_only() -> None:
    rules = "\nrules:\n  a.b: {class: G01, severity: block, reason: r, fix: f}\n"
    with pytest.raises(ConfigError, match="not both"):
        parse(V1 + rules, "a.yaml")


@pytest.mark.parametrize("severity", ["warn", "BLOCK", "none"])
def test_a_rule_blocks_or_is_for_review(severity: str) -> None:
    head = V2[: V2.index("rules:")]
    with pytest.raises(ConfigError, match=r"rules\.a\.b\.severity"):
        parse(f"{head}rules:\n  a.b: {{class: G01, severity: {severity}, reason: r, fix: f}}\n", "a.yaml")


def test_every_rule_tells_people_what_and_what_now() -> None:
    for version in registry.available():
        for rule in registry.load(version).rules.values():
            assert rule.reason.strip() == rule.reason
            assert not rule.reason.endswith(".")
            assert rule.fix.strip()


@pytest.mark.parametrize("text", ["", "[]", "x", "null"])
def test_a_file_that_is_no_mapping_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        parse(text, "a.yaml")
