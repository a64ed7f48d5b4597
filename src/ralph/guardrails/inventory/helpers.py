"""A helper that moved out of a file of tests: what calls it asks as much as before (policy set v2, class G05).

Rules:

- The call of a function that checks something is an assertion where the function stands in the same file. It is not
  missed where the test calls it as often as before, and a file of tests of the head has a helper of that name that
  demands as much: what became of the helper is judged by itself.
- Neither is it where the helper is now a function of a package for tests, in Go, that fails a test in as many places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.match import Matching, Pair
from ralph.guardrails.inventory.model import Check, Grade, Test
from ralph.guardrails.inventory.readers import after
from ralph.guardrails.model import Change
from ralph.system.patterns import later

FAILS = later(
    r"\b(?:assert|require)\.[A-Z]\w*\(|\b(?:t|tb)\.(?:Error|Fatal|Fail)\w*\("
    r"|(?<![.\w])(?:assert|check|verify|expect|require|must|ensure|should)\w*\("
)
FOR_TESTS = later(r"(?i)test")


class Helpers:
    """What became of the helpers of a change."""

    def __init__(self, matching: Matching, change: Change) -> None:
        pairs = (*matching.pairs, *matching.moved)
        before = (*(pair.old for pair in pairs), *matching.removed)
        self._before = {(test.path, test.parts[-1]): test for test in before if test.kind == "helper"}
        self._after = [test for test in (*(pair.new for pair in pairs), *matching.added) if test.kind == "helper"]
        self._change = change

    def still_ask(self, check: Check, pair: Pair) -> bool:
        """An assertion that is gone is the call of one, and the test still calls it."""
        name = check.relation
        old = self._before.get((pair.old.path, name))
        if old is None or not check.subject.partition("(")[0].endswith(name):
            return False
        calls = re.compile(rf"(?i)(?<!\w){re.escape(name)}\(")
        if len(calls.findall(pair.new.facts().body)) < len(calls.findall(pair.old.facts().body)):
            return False
        if any(test.parts[-1] == name and _demands(test) >= check.grade for test in self._after):
            return True
        return any(number >= len(old.facts().checks) for number in _failing(name, self._change))


def _demands(helper: Test) -> Grade:
    return max((check.grade for check in helper.facts().checks), default=Grade.NOTHING)


def _failing(name: str, change: Change) -> Iterator[int]:
    """In how many places functions of this name fail the test that they are handed."""
    side = after(change)
    head = re.compile(rf"(?mi)^func {re.escape(name)}\([^)\n]*\btesting\.TB?\b.*?^}}", re.DOTALL)
    for file in change.files:
        if file.path.endswith(".go") and not file.path.endswith("_test.go") and FOR_TESTS.search(file.path):
            for match in head.finditer((side.read(file.path) or b"").decode("utf-8", "replace")):
                yield len(FAILS.findall(match[0]))
