"""A context gives facts. Rules are refused, wherever and however they are spelled."""

from __future__ import annotations

from pathlib import Path

import pytest

import ralph.adapters
from ralph.context import AppContext, parse_context, read_context
from ralph.context.sources import adapter_file
from ralph.errors import ConfigError, PolicyOverrideError

BUNDLED = Path(ralph.adapters.__path__[0])
GOOD = """
project: {name: shop, path: ., language: python}
commands: {lint: ruff check ., test: pytest}
paths: {source: [src/], coverage_report: coverage.json}
context: {test_framework: pytest}
autonomy_level: L2
"""


def test_a_context() -> None:
    context = parse_context(GOOD.encode(), "f")
    assert context.project.name == "shop"
    assert context.commands.for_step("tests") == "pytest"
    assert context.commands.for_step("coverage") is None
    assert context.context.for_step("coverage") == "pytest"


@pytest.mark.parametrize("name", ["karematch", "credentialmate"])
def test_bundled_adapters(name: str) -> None:
    context = AppContext.from_yaml(adapter_file(name, BUNDLED))
    assert context.project.name == name
    assert all(context.commands.for_step(step) for step in ("lint", "typecheck", "tests", "coverage"))


@pytest.mark.parametrize(
    "extra",
    [
        "guardrails: {}",
        "policy: v9",
        "policy_version: v9",
        "verdicts: {PASS: {meaning: whatever}}",
        "thresholds: {coverage_min: 10}",
        "thresholds.coverage_min: 10",
        "steps: {lint: {required: false}}",
        "steps.required: []",
        "StepOrder: [tests]",
        "COVERAGE-MIN: 5",
        "Guard_Rails: off",
        "deep: {a: [{b: {Verdicts: x}}]}",
        "contract: {lines_added: 9999}",
    ],
)
def test_rules_are_refused_at_any_depth_in_any_spelling(extra: str) -> None:
    with pytest.raises(PolicyOverrideError, match="governed by Ralph's policy"):
        parse_context(f"{GOOD}\n{extra}\n".encode(), "f")


def test_rules_inside_known_sections_are_refused() -> None:
    text = GOOD.replace("{lint: ruff check ., test: pytest}", "{lint: ruff check ., test: pytest, required: false}")
    with pytest.raises(PolicyOverrideError, match=r"commands\.required"):
        parse_context(text.encode(), "f")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("a: [", "f, line", id="broken YAML"),
        pytest.param("", "must hold a mapping", id="empty"),
        pytest.param("- a", "must hold a mapping", id="a list"),
        pytest.param(GOOD + "comands: {}", "unknown key 'comands'; did you mean 'commands'", id="misspelled"),
        pytest.param(GOOD.replace("lint:", "lnt:"), "did you mean 'lint'", id="misspelled inside"),
        pytest.param(GOOD.replace("project:", "projet:"), "projet", id="missing section"),
        pytest.param(GOOD.replace("python", "cobol"), "project.language", id="unknown language"),
        pytest.param(GOOD.replace("pytest}\npaths", "1}\npaths"), "commands.test", id="a number for a command"),
        pytest.param(GOOD + "autonomy_level: L1", "twice", id="a key twice"),
        pytest.param(GOOD.replace("coverage.json", "../c.json"), "inside the project", id="a report outside"),
        pytest.param(GOOD.replace("coverage.json", "/etc/c.json"), "inside the project", id="an absolute report"),
    ],
)
def test_bad_input_is_one_sentence(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_context(text.encode(), "f")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_not_utf8() -> None:
    with pytest.raises(ConfigError, match="UTF-8"):
        parse_context(b"\xff\xfe", "f")


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_context(tmp_path / "none.yaml")


def test_unknown_adapter_names_those_there_are() -> None:
    with pytest.raises(ConfigError, match="credentialmate, karematch"):
        adapter_file("nope", BUNDLED)
