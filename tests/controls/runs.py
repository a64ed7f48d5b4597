"""Reports of runs, and changes, in one line."""

from __future__ import annotations

from collections.abc import Mapping

from ralph.controls.changed_tests import ChangedTests, changed_tests
from ralph.controls.ids import Places
from ralph.steps.reports.tests import TestReport
from tests.guardrails.memory import change

PATH = "tests/test_a.py"


def run(*tests: str, path: str = PATH) -> TestReport:
    """`x` passed, `-x` failed, `!x` is broken, `~x` was skipped."""
    kinds: dict[str, list[str]] = {"": [], "-": [], "!": [], "~": []}
    for test in tests:
        mark = test[0] if test[0] in "-!~" else ""
        name = test[len(mark) :]
        kinds[mark].append(name if "::" in name else f"{path}::{name}")
    passed, failed, broken, skipped = (tuple(kinds[mark]) for mark in ("", "-", "!", "~"))
    return TestReport(passed=passed, failed=failed, broken=broken, skipped=skipped)


def known_tests(base: Mapping[str, str], head: Mapping[str, str]) -> tuple[ChangedTests, Places]:
    """What a change from the one files to the others did to the tests."""
    return changed_tests(change(dict(base), dict(head))), Places([*base, *head])
