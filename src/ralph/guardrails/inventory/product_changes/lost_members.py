"""Members that the product no longer asks of what it is given (policy set v2, classes G04 and G05), in all languages.

A test hands over a double with a method, and asks whether it was called; or it fills a field that one branch alone
reads. No definition of the product goes with such a call or branch, and no name that the test imports. Rule: a file of
the product lost all that it said of a member (`event.persist?.()`, `pkg.Module`), and where it said it nothing came
that asks for another member or word. Then it is for a person that

- a test is gone which gives something a member of that name, and its file does not name it any more;
- an assertion is gone that a double of the member's name was called.

A member that has another name now, or that the file still asks for, is none that is gone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property

from ralph.guardrails.inventory.model import Check, Test
from ralph.guardrails.inventory.readers import TEST_PLACE, holds_tests, is_support, language
from ralph.guardrails.model import Change, FileChange, Hunk
from ralph.system.patterns import later

MEMBER = later(rb"(?<=\.)[A-Za-z_]\w{3,}")
WORD = later(rb"[A-Za-z_]\w*")
NOTE = later(rb"\s*(?:\*|//|#|/\*)")
NAME = later(r"[A-Za-z_]\w*")
GIVEN = r"(?<!\w){name}\s*(?::(?!:)|=(?![=>~]))|[{{,]\s*{name}\s*[,}}]"
"""A field that is filled, or a member that is handed over."""
CALLED = later(r"\.called|^(?:called|calls)")
LONGEST = 400_000


class LostMembers:
    def __init__(self, change: Change) -> None:
        self._change = change

    def were_asked_by(self, test: Test) -> bool:
        """A test of the base gives something of that name, and its file does not name it any more."""
        body = test.facts().body if self._names else ""
        own = [name for name in self._names & frozenset(NAME.findall(body)) if self._is_elsewhere(name, test.path)]
        left = self._in_head(test.path) if own else frozenset()
        return any(re.search(GIVEN.format(name=re.escape(name)), body) is not None for name in own if name not in left)

    def calls(self, checks: Iterable[Check]) -> Iterator[Check]:
        """The assertions that a double of such a name was called."""
        for check in checks:
            if CALLED.search(check.relation) and self._names.intersection(NAME.findall(check.snippet)):
                yield check

    def _in_head(self, path: str) -> frozenset[str]:
        return frozenset(word.decode() for word in WORD.findall(self._change.blobs.after(path) or b""))

    def _is_elsewhere(self, name: str, path: str) -> bool:
        """The product's file is not that of the test, whose own lines went with it."""
        return bool(self._places[name] - {path})

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self._places)

    @cached_property
    def _places(self) -> dict[str, set[str]]:
        """The files that lost each."""
        found: dict[str, set[str]] = defaultdict(set)
        for file in self._change.files:
            for name in self._lost(file):
                found[name.decode()].add(file.path)
        return found

    def _lost(self, file: FileChange) -> Iterator[bytes]:
        removed = [line for hunk in file.hunks for line in hunk.removed if b"." in line]
        if file.status != "M" or file.binary or not removed or is_support(file.path) or TEST_PLACE.search(file.path):
            return
        spoken = language(file, self._change)
        if spoken is None or holds_tests(file.path, spoken):
            return
        asked = {name for line in removed for name in MEMBER.findall(line)}
        after = self._change.blobs.after(file.path) or b""
        for name in asked.difference(WORD.findall(after)) if asked and len(after) <= LONGEST else ():
            if not any(_is_replaced(hunk, name) for hunk in file.hunks):
                yield name


def _is_replaced(hunk: Hunk, name: bytes) -> bool:
    """What came where the member was asked for names something that was not named there."""
    if not any(name in WORD.findall(line) for line in hunk.removed):
        return False
    old = {word for line in hunk.removed for word in WORD.findall(line)}
    new = {word for line in hunk.added if not NOTE.match(line) for word in WORD.findall(line)}
    return any(word.strip(b"_") not in old for word in new)
