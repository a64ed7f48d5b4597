"""What in a file decides what a test does, besides the test itself: that a test is the same says its whole text.

A statement that does nothing but give names concerns the tests that name one of them, and those that name something
that names it; any other statement (a set-up, a hook, an automatic fixture) concerns all tests of the file. An extractor
says which are which.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from ralph.system.patterns import later

WORD = later(r"[^\W\d][\w$]*")


class Surroundings:
    def __init__(self, statements: Iterable[tuple[Iterable[str], str]]) -> None:
        """Each statement with the names that it gives; without any it concerns all tests."""
        self._by_name: dict[str, list[str]] = defaultdict(list)
        general: list[str] = []
        for names, text in statements:
            listed = tuple(names)
            for name in listed:
                self._by_name[name].append(text)
            if not listed:
                general.append(text)
        self._general = "\n".join(general)
        self._words = {name: set[str]().union(*map(WORD.findall, texts)) for name, texts in self._by_name.items()}
        self._for_all = set(WORD.findall(self._general))

    def of(self, text: str) -> str:
        """All that a test with this text depends on, in one order."""
        names = self._names(self._for_all.union(WORD.findall(text)))
        told = dict.fromkeys(each for name in sorted(names) for each in self._by_name[name])
        return "\n".join([self._general, *told])

    def _names(self, words: set[str]) -> set[str]:
        waiting, found = [words], set[str]()
        while waiting:
            fresh = (self._by_name.keys() & waiting.pop()) - found
            found |= fresh
            waiting += [self._words[name] for name in fresh]
        return found
