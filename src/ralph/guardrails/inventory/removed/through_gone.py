"""Tests of what a function did through another one that is gone (policy set v2, class G04).

A private helper is tested through what calls it, and no test names it. Rule: the test calls a function of the product
which called the helper, one of the same file, at the base, is still there and does not call it now, as nothing of that
name is defined any more; and the test, by its name or in its body, says each word of the helper's name, of which there
are several telling ones. That the product lost it, and not only the test, is for a person to see. A helper whose lines
stand elsewhere now is none that is gone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from ralph.guardrails.inventory.model import Test
from ralph.guardrails.inventory.product_changes.context import Context
from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.inventory.wholes.orders import words_of
from ralph.guardrails.model import Change, FileChange
from ralph.guardrails.texts import bare, depth
from ralph.system.patterns import later

DEFINES = later(
    r"^\s*(?:export\s+)?(?:pub(?:\([\w ]+\))?\s+)?(?:async\s+)?(?:def|func|function|fn|fun)\s+"
    r"(?:\([^()]*\)\s*)?(?:self\.)?(?P<name>\w+[!?]?)"
)
NAME = later(r"[A-Za-z_]\w*[!?]?")
FEWEST, SHORTEST = 2, 4
"""So many words of the name say something, of so many letters."""
LONGEST = 20_000
TELLING_LINE = 12
"""Characters of a line that is no other one's by chance."""


class ThroughGone:
    def __init__(self, change: Change, context: Context) -> None:
        self._change, self._context = change, context

    def was_asked_by(self, test: Test) -> bool:
        if not self._context.gone or not self._helpers:
            return False
        body = test.facts().body[:LONGEST]
        named = set(NAME.findall(body))
        words = {word for name in (*named, test.parts[-1]) for word in words_of(name)}
        return any(callers & named and helper <= words for helper, callers in self._helpers.items())

    @cached_property
    def _helpers(self) -> dict[frozenset[str], set[str]]:
        """By the words of a helper that is gone, the functions that did something through it and do not now."""
        telling = {name: found for name in self._context.gone if (found := _telling(name))}
        helpers: dict[frozenset[str], set[str]] = defaultdict(set)
        for file in self._change.files if telling else ():
            if file.status == "M" and not is_support(file.path):
                for name, caller in self._callers(file, set(telling)):
                    helpers[telling[name]].add(caller)
        return helpers

    @cached_property
    def _arrived(self) -> frozenset[str]:
        """The lines that the change brings anywhere."""
        lines = (line for file in self._change.files for hunk in file.hunks for line in hunk.added)
        return frozenset(bare(line.decode("utf-8", "replace")) for line in lines)

    def _callers(self, file: FileChange, gone: set[str]) -> Iterator[tuple[str, str]]:
        before = (self._change.blobs.before(file.path) or b"").decode("utf-8", "replace").split("\n")
        after = (self._change.blobs.after(file.path) or b"").decode("utf-8", "replace")
        for hunk in file.hunks:
            for at, line in enumerate(hunk.removed, hunk.old_start - 1):
                text = line.decode("utf-8", "replace")
                if DEFINES.match(text):
                    continue
                for name in gone.intersection(NAME.findall(text)):
                    caller = _around(before, at)
                    if not _is_function(before, name) or self._arrived & frozenset(_body(before, name)):
                        continue
                    if caller and caller != name and re.search(rf"\b{re.escape(caller)}(?![\w])", after):
                        yield name, caller


def _telling(name: str) -> frozenset[str]:
    words = frozenset(words_of(name))
    return words if sum(len(word) >= SHORTEST for word in words) >= FEWEST else frozenset()


def _is_function(lines: list[str], name: str) -> bool:
    return any(found is not None and found["name"] == name for found in map(DEFINES.match, lines))


def _body(lines: list[str], name: str) -> Iterator[str]:
    """The telling lines of a function."""
    defined = (DEFINES.match(line) for line in lines)
    start = next((at for at, found in enumerate(defined) if found is not None and found["name"] == name), None)
    for line in lines[start + 1 :] if start is not None else ():
        if line.strip() and depth(line) <= depth(lines[start or 0]):
            return
        if len(bare(line)) >= TELLING_LINE:
            yield bare(line)


def _around(lines: list[str], at: int) -> str:
    """The function that a line stands in."""
    level = depth(lines[at]) if at < len(lines) else 0
    for line in reversed(lines[:at]):
        if line.strip() and depth(line) < level:
            level = depth(line)
            if (match := DEFINES.match(line)) is not None:
                return match["name"]
    return ""
