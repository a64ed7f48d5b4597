"""A weaker limit is found whatever carries it to the assertion, and whatever is asked with it, in every language."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ralph.guardrails.scan import scan
from ralph.policy.model import PolicySet
from ralph.policy.registry import load
from ralph.system.yaml import load_yaml
from tests.guardrails.memory import change

LANGUAGES = load_yaml((Path(__file__).parent / "languages.yaml").read_text(), "languages.yaml")
WEAKER = {
    "eq": ("5", "7"),
    "tol": ("0.001", "10.0"),
    "max": ("5", "5000"),
    "min": ("40", "1"),
    "sub": ('"total: 5"', '"t"'),
    "pat": ('"^total: 5$"', '".*"'),
}
"""By what is asked (equality, a tolerance, a bound, a part, a pattern), the limit and a weaker one."""
BOUNDS = ("tol", "max", "min")

ROWS = [
    pytest.param(language, carrier, asked, id=f"{name}, {asked}, by {by}")
    for name, language in LANGUAGES.items()
    for by, carrier in language["carriers"].items()
    for asked in language["asserts"]
    if by != "a parameter"  # the only row of a table is what the test is about, and that is for a person
]


@cache
def v2() -> PolicySet:
    return load("v2")


def files(language: dict[str, Any], carrier: dict[str, Any], asked: str, limit: str) -> dict[str, str]:
    named = carrier["name"].replace("{V}", limit)
    assertion = re.sub(r"\bV\b", lambda _: named, language["asserts"][asked])
    told = {language["path"]: carrier["text"].replace("{A}", assertion)}
    if "other" in carrier:
        told[carrier["other"]["path"]] = carrier["other"]["text"]
    return {path: text.replace("{V}", limit) for path, text in told.items()}


def severities(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {finding.severity for finding in scan(change(before, after), v2())}


@pytest.mark.parametrize(("language", "carrier", "asked"), ROWS)
def test_a_weaker_limit_is_found(language: dict[str, Any], carrier: dict[str, Any], asked: str) -> None:
    strict, weak = (files(language, carrier, asked, limit) for limit in WEAKER[asked])
    assert "block" in severities(strict, weak), weak


@pytest.mark.parametrize(("language", "carrier", "asked"), [row for row in ROWS if row.values[2] in BOUNDS])
def test_a_stricter_one_is_welcome(language: dict[str, Any], carrier: dict[str, Any], asked: str) -> None:
    strict, weak = (files(language, carrier, asked, limit) for limit in WEAKER[asked])
    assert "block" not in severities(weak, strict), strict
