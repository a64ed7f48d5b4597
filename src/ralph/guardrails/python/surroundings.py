"""What in a Python file decides what a test does, besides the test itself: that a test is the same says its whole text.

A statement that gives one name concerns the tests that name it, and those that name something that names it; any other
statement, a set-up and an automatic fixture concern all tests.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from ralph.system.patterns import later

WORD = later(r"[^\W\d]\w*")
NAMED = later(r"(?:@[^\n]*\n\s*)*(?:async\s+)?(?:def\s+(\w+)|(\w+)\s*(?::[^=\n]*)?=(?!=))")
FOR_ALL = later(r"(?i)autouse|setup|set_up|teardown|pytestmark|pytest_")


class Surroundings:
    def __init__(self, statements: Iterable[str]) -> None:
        self._by_name: dict[str, list[str]] = defaultdict(list)
        general: list[str] = []
        for statement in statements:
            match = NAMED.match(statement)
            name = (match[1] or match[2]) if match else ""
            if name and not FOR_ALL.search(statement):
                self._by_name[name].append(statement)
            else:
                general.append(statement)
        self._general = "\n".join(general)
        self._words = {name: set[str]().union(*map(WORD.findall, texts)) for name, texts in self._by_name.items()}
        self._for_all = set(WORD.findall(self._general))

    def of(self, text: str) -> str:
        """All that a test with this text depends on, in one order."""
        names = self._names(self._for_all.union(WORD.findall(text)))
        return "\n".join([self._general, *(each for name in sorted(names) for each in self._by_name[name])])

    def _names(self, words: set[str]) -> set[str]:
        waiting, found = [words], set[str]()
        while waiting:
            fresh = (self._by_name.keys() & waiting.pop()) - found
            found |= fresh
            waiting += [self._words[name] for name in fresh]
        return found
