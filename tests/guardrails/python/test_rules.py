"""The rules that detectors name and the rules of the policy set are the same."""

from __future__ import annotations

import re
from pathlib import Path

from ralph.guardrails import python
from ralph.guardrails.python.suppressed import comments
from tests.guardrails.python.judge import v2


def test_every_rule_is_known_and_used() -> None:
    folder = Path(python.__file__).parent
    named = {name for file in folder.rglob("*.py") for name in re.findall(r'"(py\.[\w-]+)"', file.read_text())}
    assert named == {rule for rule in v2().rules if rule.startswith("py.")}


def test_shared_rules_are_known() -> None:
    assert {row.rule for row in comments.SHARED} <= set(v2().rules)
