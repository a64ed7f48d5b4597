"""The tampering rules of policy v1: a coverage threshold that falls to under 80, TypeScript's `strict` off."""

from __future__ import annotations

import pytest

from ralph.guardrails.config import v1_tampering
from tests.guardrails.memory import change

THRESHOLD = "v1.config_tampering.coverage_threshold"
STRICT = "v1.config_tampering.typescript_strict"
TSCONFIG = '{\n  "compilerOptions": {\n    "strict": true\n  }\n}\n'


def tampering(path: str, before: str, after: str | None) -> list[tuple[str, str, int]]:
    tree = {"src/a.ts": "", "src/a.py": ""}
    head = tree if after is None else {**tree, path: after}
    return [(hit.rule, hit.path, hit.line) for hit in v1_tampering(change({**tree, path: before}, head))]


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        pytest.param("90", "85", [], id="still enough"),
        pytest.param("90", "80", [], id="just enough"),
        pytest.param("85", "79.9", [(THRESHOLD, ".coveragerc", 2)], id="under 80"),
        pytest.param("70", "60", [(THRESHOLD, ".coveragerc", 2)], id="under 80 before"),
        pytest.param("60", "70", [], id="rises"),
    ],
)
def test_a_threshold_that_falls(before: str, after: str, found: list[tuple[str, str, int]]) -> None:
    form = "[report]\nfail_under = {}\n"
    assert tampering(".coveragerc", form.format(before), form.format(after)) == found


def test_a_threshold_that_is_gone() -> None:
    assert tampering("jest.config.js", "module.exports = {coverageThreshold: {global: {lines: 80}}}", "") == [
        (THRESHOLD, "jest.config.js", 0)
    ]


@pytest.mark.parametrize(
    ("after", "line"),
    [
        pytest.param(TSCONFIG.replace("true", "false"), 3, id="off"),
        pytest.param('{"compilerOptions": {}}', 0, id="gone"),
        pytest.param(None, 0, id="file deleted"),
    ],
)
def test_strict_off(after: str | None, line: int) -> None:
    assert tampering("tsconfig.json", TSCONFIG, after) == [(STRICT, "tsconfig.json", line)]


def test_other_settings_are_no_matter_of_v1() -> None:
    assert tampering("ruff.toml", "lint.select = ['E', 'F']\n", "lint.select = ['E']\n") == []
    assert tampering("tsconfig.json", TSCONFIG, TSCONFIG.replace("true", 'true, "noUnusedLocals": false')) == []
