"""A helper that moved out of a file of tests: what calls it asks as much as before (policy set v2, class G05).

Rules:

- The call of a function that checks something is an assertion where the function stands in the same file. It is not
  missed where the test calls it as often as before, and a file of tests of the head has a helper of that name that
  demands as much: what became of the helper is judged by itself.
- Neither is it where the helper is now a function of a package for tests, in Go, that fails a test in as many places.
- Nor where the helper throws under the opposite condition (`throwing`).
- Nor is it, in Python, where the helper starts a program whose failure is only raised in another spelling.
- An assertion about a type, in Go, is not missed where the test calls a generic helper with that type, and the helper
  asserts the same of the type that it is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.lending.throwing import throws_instead
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
GENERIC = later(r"func (?P<name>\w+)\[(?P<types>\w+(?:, *\w+)* [^\n]*?)\]\(")
"""The head of a generic function."""
TYPE_NAME = later(r"(?:^|,) *(\w+)(?= *,| +[^\s,])")


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
        if pair.new.path.endswith(".go") and self._ask_of_type(check, pair):
            return True
        if pair.new.path.endswith(".py") and _is_checked(check, pair):
            return True
        if self._throws(check, pair):
            return True
        name = check.through or check.relation
        old = self._before.get((pair.old.path, name))
        if old is None or not (check.through or check.subject.partition("(")[0].endswith(name)):
            return False
        calls = re.compile(rf"(?i)(?<!\w){re.escape(name)}\(")
        if len(calls.findall(pair.new.facts().body)) < len(calls.findall(pair.old.facts().body)):
            return False
        if any(test.parts[-1] == name and _demands(test) >= check.grade for test in self._after):
            return True
        return any(number >= len(old.facts().checks) for number in _failing(name, self._change))

    def _throws(self, check: Check, pair: Pair) -> bool:
        """A helper that the test calls as often as before threw what it asserted."""
        before, after = pair.old.facts().body, pair.new.facts().body
        text = ""
        for (path, name), old in self._before.items():
            calls = re.compile(rf"(?<![\w.]){re.escape(name)}\(")
            if path != pair.old.path or not 0 < len(calls.findall(before)) <= len(calls.findall(after)):
                continue
            text = text or (self._change.blobs.after(pair.new.path) or b"").decode("utf-8", "replace")
            if throws_instead(check, name, old, text):
                return True
        return False

    def _ask_of_type(self, check: Check, pair: Pair) -> bool:
        body = pair.new.facts().body
        for helper in (each for each in self._after if each.path == pair.new.path):
            head = GENERIC.match(helper.text)
            for given in _types_given(head["name"], body) if head is not None else ():
                types = dict(zip(TYPE_NAME.findall(head["types"] if head is not None else ""), given, strict=False))
                same = (each for each in helper.facts().checks if _of_types(each, types) == check.key)
                if any(each.grade >= check.grade for each in same):
                    return True
        return False


def _is_checked(check: Check, pair: Pair) -> bool:
    from ralph.guardrails.python.failures.run_checked import still_checked

    return still_checked(check, pair)


def _types_given(name: str, text: str) -> Iterator[list[str]]:
    """The types with which a test calls a generic function."""
    for match in re.finditer(rf"(?<![\w.]){re.escape(name)}\[((?:[^\[\]\n]|\[[^\[\]\n]*\])+)\]\(", text):
        yield [part.strip() for part in match[1].split(",")]


def _of_types(check: Check, types: dict[str, str]) -> tuple[str, str, str]:
    """What a generic function asserts where it is called with these types."""
    subject, wanted = (
        re.sub(r"(?<![\w.])\w+", lambda match: types.get(match[0], match[0]), text)
        for text in (check.subject, check.wanted)
    )
    return subject, check.relation, wanted


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
