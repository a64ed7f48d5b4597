"""Confessions to try things with: a good report, and what is changed in it."""

from __future__ import annotations

import copy
import json
from typing import Any

from ralph.hats.confession import CLEAN, ISSUES_FOUND, ConfessionReport, read

HONEST: dict[str, Any] = {
    "objectives": [
        {"objective": "an empty list gives 0", "met": False, "evidence": "total.py:3 divides by 0", "confidence": 95},
        {"objective": "totals are rounded", "met": True, "evidence": "test_rounding passes", "confidence": 90},
    ],
    "shortcuts": ["negative amounts are not handled"],
    "uncertainties": [],
    "easiest_issue": {
        "kind": "command",
        "command": "pytest -q tests/test_empty.py",
        "expect": "fail",
        "claim": "it fails",
    },
    "decision": "issues_found",
}
SPOTLESS: dict[str, Any] = {
    "objectives": [{"objective": "an empty list gives 0", "met": True, "evidence": "test_empty", "confidence": 95}],
    "easiest_issue": {"kind": "command", "command": "pytest -q tests/test_empty.py", "claim": "the test passes"},
    "decision": "clean",
}


def changed(report: dict[str, Any], **keys: Any) -> dict[str, Any]:
    """The report with keys set; `objectives__0__met=True` sets one inside. None removes a key."""
    made = copy.deepcopy(report)
    for path, value in keys.items():
        *outer, last = (int(part) if part.isdigit() else part for part in path.split("__"))
        inner: Any = made
        for part in outer:
            inner = inner[part]
        if value is None:
            del inner[last]
        else:
            inner[last] = value
    return made


def report(document: dict[str, Any], **keys: Any) -> ConfessionReport:
    made = changed(document, **keys)
    parsed = read(CLEAN if made["decision"] == "clean" else ISSUES_FOUND, json.dumps(made))
    assert isinstance(parsed, ConfessionReport), parsed
    return parsed
