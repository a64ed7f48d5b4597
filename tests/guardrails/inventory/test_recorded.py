"""Recorded results that change, with and without the product."""

from __future__ import annotations

import pytest

from tests.guardrails.python.judge import findings, worst

PRODUCT, FIXED = {"pricing.py": "A = 1\n"}, {"pricing.py": "A = 2\n"}
RECORDS = [
    "tests/golden/out.txt",
    "tests/expected/out.json",
    "tests/snapshots/out.yaml",
    "tests/__snapshots__/test_a.ambr",
    "tests/cassettes/get.yaml",
    "tests/approved/out.txt",
    "pkg/testdata/golden/a.txt",
    "tests/test_a.approved.txt",
    "goldens/a.json",
]


def judged(path: str, before: str, after: str, product: dict[str, str] = PRODUCT) -> str:
    old = {**PRODUCT, path: before} if before else PRODUCT
    return worst(findings(old, {**product, path: after}))


@pytest.mark.parametrize("path", RECORDS)
def test_a_record_that_changes_alone_is_blocked(path: str) -> None:
    assert judged(path, "30.0\n", "3.0\n") == "block"
    assert judged(path, "30.0\n", "3.0\n", FIXED) == "review"


@pytest.mark.parametrize("path", RECORDS)
def test_new_records_are_no_finding(path: str) -> None:
    assert judged(path, "", "3.0\n") == "clean"
    assert judged(path, "30.0\n", "30.0\n40.0\n") == "clean"


@pytest.mark.parametrize("path", ["data/out.txt", "docs/expected.md", "src/expected/values.py", "tests/data/input.txt"])
def test_other_files_are_no_records(path: str) -> None:
    assert judged(path, "30.0\n", "3.0\n") == "clean"


def test_a_value_inside_a_test_is_like_any_other() -> None:
    test = "from inline_snapshot import snapshot\n\n\ndef test_a():\n    assert total() == snapshot({})\n"
    old, new = ({**PRODUCT, "tests/test_a.py": test.format(value)} for value in ("33.0", "3.0"))
    assert worst(findings(old, new)) == "block"
