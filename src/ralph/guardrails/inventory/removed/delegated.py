"""Functions of the product that only hand on now to another one, whose tests stand for theirs (class G04).

Rule: a function that both sides have, and that did its work at the base, only calls a function that the change brings,
and gives back what that gives: `func Bytes(s string) (int64, error) { return size.Parse(s) }`. New tests of that one
are about the same. Whether they demand as much is asked as always (see `replaced`), and a person sees it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from ralph.guardrails.inventory.model import Test
from ralph.guardrails.inventory.product_changes.defined import items
from ralph.guardrails.inventory.readers import is_support, language, reader_of
from ralph.guardrails.inventory.wanted.coarser import CALLED
from ralph.guardrails.model import Change
from ralph.system.patterns import later

HANDS_ON = later(
    r"(?m)^[ \t]*(?:(?:pub(?:\([^)\n]*\))?|export|default|async|public|private|protected|internal|static)[ \t]+)*"
    r"(?:(?:def|func|fn|fun|function)[ \t]+(?:\([^()\n]{0,80}\)[ \t]*)?|[\w<>\[\], ?.]{1,80}[ \t])(?:self\.)?"
    r"(?P<name>[A-Za-z_]\w*)[ \t]*\((?P<taken>[^()]{0,200})\)[^\n{=;]{0,80}(?:\{|:|=>?|$)\s*"
    r"(?:return[ \t]+)?(?:await[ \t]+)?(?:\w+(?:\.|::))*(?P<to>[A-Za-z_]\w*)\((?P<given>[^()\n]{0,200})\)[ \t]*;?"
    r"\s*(?:\}|end\b|$)"
)
NAME = later(r"\w+")
MOST = 40


class Delegated:
    """Read if any test asks."""

    def __init__(self, change: Change) -> None:
        self._change = change

    def names(self, test: Test) -> frozenset[str]:
        """The functions that do now what those did that the test asked."""
        if not test.facts().checks or not self._to:
            return frozenset()
        asked = {name for check in test.facts().checks for name in CALLED.findall(check.subject)}
        return frozenset(to for name, to in self._to if name in asked)

    @cached_property
    def _to(self) -> frozenset[tuple[str, str]]:
        sides = list(self._products())[:MOST]
        had = frozenset().union(*(items(old) for old, _ in sides))
        brought = frozenset().union(*(items(new) for _, new in sides)) - had
        if not brought:
            return frozenset()
        found = ((name, to) for _, new in sides for name, to in _handing_on(new.decode("utf-8", "replace")))
        return frozenset((name, to) for name, to in found if name in had and to in brought and name != to)

    def _products(self) -> Iterator[tuple[bytes, bytes]]:
        for file in self._change.files:
            reader = reader_of(language(file, self._change))
            if file.binary or is_support(file.path) or reader is None or reader.is_test_file(file.path):
                continue
            yield self._change.blobs.before(file.path) or b"", self._change.blobs.after(file.path) or b""


def _handing_on(text: str) -> Iterator[tuple[str, str]]:
    for match in HANDS_ON.finditer(text):
        taken, given = (set(NAME.findall(match[each])) for each in ("taken", "given"))
        if given and given <= taken | {"self"} and re.search(r"\w", match["given"]):
            yield match["name"], match["to"]
