"""Tests of a shell that are gone with their file, and stand in tests of another language (policy set v2, class G04).

A script that ran a program and compared what it printed becomes tests of pytest, with the same inputs and outputs.

Rule: the new tests ask, exactly, for every text and number that the old one wanted, have every input that it gave, and
are run for as many cases; where it asked how the program ended, they do, too. A test that neither gives nor wants a
text says too little to be known again. It is for a person: that each output still belongs to its input only reading
tells.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from ralph.guardrails.inventory.model import Check, Grade, Test
from ralph.guardrails.inventory.wanted.values import CONSTANT
from ralph.system.patterns import later

SHELLS = frozenset(("", ".sh", ".bash", ".zsh", ".ksh", ".bats", ".t"))
ENDED = later(r"^\$\?\(|\bstatus\b|\$\?")
ENDS = later(r"(?i)return_?code|exit_?(?:code|status)|\bstatus\b|\.code\b|\bcode\b|success\(|failure\(|exit_?code")
INPUT = later(r"\\[nt]|\d|[;,=|]")
"""A text with one of these is no title."""
SPACE = later(r"(?:\s|\\[nrt])+$|^(?:\s|\\[nrt])+")
SHORTEST = 3
MOST_LITERALS = 2_000


class Ported:
    """The new tests that demand something of their own, with their texts and numbers; read if any test asks."""

    def __init__(self, added: Iterable[Test]) -> None:
        self._added = [test for test in added if test.kind == "test" and not _is_shell(test)]

    @cached_property
    def _known(self) -> Sequence[tuple[Test, frozenset[str]]]:
        exact = (test for test in self._added if any(check.grade >= Grade.CLOSE for check in test.facts().checks))
        return [(test, frozenset(map(_bare, _literals(test)))) for test in exact]

    def has(self, test: Test) -> bool:
        if not self._added or not _is_shell(test):
            return False
        felt = [check for check in test.facts().checks if check.grade]
        asked = [check for check in felt if not ENDED.search(check.subject)]
        if any(check.grade > Grade.EXISTS and not check.known for check in asked):
            return False  # what it wants is computed: only running could tell
        told = _told(test, asked, "\n".join(check.subject for check in felt))
        new = self._telling([each for each in told if len(each) >= SHORTEST])
        known = frozenset(each for _, known in new for each in known)
        if not new or len(known) > MOST_LITERALS or not all(_stands(each, known) for each in told):
            return False
        enough = _cases([one for one, _ in new]) >= len({check.subject for check in asked})
        return enough and (asked == felt or all(_asks_end(one) for one, _ in new))

    def _telling(self, texts: Sequence[str]) -> Sequence[tuple[Test, frozenset[str]]]:
        """Those that have one of the texts, or a part of one."""
        return [
            (test, known)
            for test, known in self._known
            if any(len(each) >= SHORTEST and each in text for each in known for text in texts)
        ]


def _is_shell(test: Test) -> bool:
    return posixpath.splitext(test.path)[1] in SHELLS


def _told(test: Test, asked: Sequence[Check], given: str) -> frozenset[str]:
    """What it wants, and what it gives."""
    inputs = [each for each in test.facts().literals if len(each) >= SHORTEST and INPUT.search(each) and each in given]
    return frozenset(filter(None, map(_bare, (*(check.wanted for check in asked), *inputs))))


def _literals(test: Test) -> Iterator[str]:
    """Those that it writes, and those that stand behind names."""
    yield from test.facts().literals
    for check in test.facts().checks:
        yield from CONSTANT.findall(check.wanted)


def _cases(tests: Sequence[Test]) -> int:
    """For how many cases they are run: one, where nobody can tell."""
    times = [max(check.times or 1 for check in test.facts().checks if check.grade >= Grade.CLOSE) for test in tests]
    return sum(times)


def _asks_end(test: Test) -> bool:
    """It asks how the program ended."""
    return any(ENDS.search(f"{check.subject} {check.relation}") for check in test.facts().checks)


def _stands(wanted: str, known: frozenset[str]) -> bool:
    """As a whole, or in parts that are put together: `f"usage: {name}"`."""
    if wanted in known or not wanted:
        return True
    rest = wanted
    for part in sorted((each for each in known if len(each) >= SHORTEST), key=len, reverse=True):
        rest = rest.replace(part, "")
    return not re.search(r"\w", rest)


def _bare(literal: str) -> str:
    text = literal.strip("\"'`") if literal[:1] in "\"'`" else literal
    return SPACE.sub("", text)
