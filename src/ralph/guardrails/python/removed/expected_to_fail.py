"""Tests that may fail as well as pass: to take one away is for a person (policy set v2, class G04).

Rule: one of the base's marks is a `pytest.mark.xfail` without a condition, that is not strict, neither by itself nor by
the project's configuration, and names no error: whatever the test does, the run goes well. A strict one fails where the
test passes, and one with `raises` where it fails otherwise.
"""

from __future__ import annotations

import ast

from ralph.guardrails.inventory.model import Test
from ralph.guardrails.model import Change
from ralph.guardrails.python.claims import source_of
from ralph.guardrails.python.removed.floors import functions_at
from ralph.guardrails.python.skipped.detect import CONFIGURATION
from ralph.guardrails.texts import UnreadableError, decoded
from ralph.system.patterns import later

MARK = later(r"(?:pytest\.)?mark\.xfail")
STRICT = later(rb"(?m)^\s*(?:xfail_strict|strict_xfail)\s*=\s*[\"']?(?:true|1|on|yes)\b")
SAYS_WHY = frozenset(("reason", "run"))


def may_fail(test: Test, change: Change) -> bool:
    written = change.blobs.before(test.path) or b"" if test.path.endswith(".py") else b""
    if b"xfail" not in written or any(STRICT.search(change.blobs.before(path) or b"") for path in CONFIGURATION):
        return False
    try:
        tree = ast.parse(decoded("python", written))
    except (SyntaxError, ValueError, RecursionError, UnreadableError):
        return False
    found = list(functions_at(tree, test.parts))
    return len(found) == 1 and any(map(_lets_fail, found[0].decorator_list))


def _lets_fail(mark: ast.expr) -> bool:
    if not isinstance(mark, ast.Call):
        return MARK.fullmatch(source_of(mark)) is not None
    lenient = (
        each.arg in SAYS_WHY
        or (each.arg == "strict" and isinstance(each.value, ast.Constant) and each.value.value is False)
        for each in mark.keywords
    )
    return MARK.fullmatch(source_of(mark.func)) is not None and not mark.args and all(lenient)
