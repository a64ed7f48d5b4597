"""A change of some files that is looked at once more, with what stands elsewhere put in the place of its name.

Of what is found there counts what stands where something was put in, and, of a switch that conditions ask for, what is
in its file: what stands behind a condition may be far from it. What tests compare with is the business of
`common.wanted.carried`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from ralph.guardrails.model import Change, Hit
from ralph.record import record, replace

COMPARED = frozenset(
    {"test.weakened", "test.somewhat-weaker", "test.expected-changed", "test.expected-changed-with-code"}
)
GONE = frozenset({"check.removed", "check.removed-here"})
"""What these tell of stands in no line any more; one call for several is no news for the second of them."""


class Placed(NamedTuple):
    """The line of a file that is read somewhere else."""

    path: str
    line: int


NOTHING: Mapping[str, Placed] = MappingProxyType({})
NO_LINES: Mapping[str, Sequence[str]] = MappingProxyType({})


@record
class Spelled:
    """A change of just the files in which something was put in, and the lines in which it was."""

    change: Change
    lines: Mapping[str, frozenset[int]]
    switched: frozenset[str] = frozenset()
    """Files in which a switch stands in a condition, or something else that counts elsewhere."""
    others: Mapping[str, Placed] = NOTHING
    """Files that did not change, and what they read."""
    gone: frozenset[str] = GONE
    was: Mapping[str, Sequence[str]] = NO_LINES
    """The base's lines in which something was put in: a check that is gone counts if it stood in one of them."""
    rules: frozenset[str] = frozenset()
    """What this can find, if it is not about whatever there is."""

    def counting(self, hits: Iterable[Hit]) -> Iterator[Hit]:
        for hit in hits:
            if self.rules and hit.rule not in self.rules:
                continue
            if hit.path in self.switched or self._counts(hit):
                read = self.others.get(hit.path)
                yield hit if read is None else replace(hit, path=read.path, line=read.line, column=1)

    def _counts(self, hit: Hit) -> bool:
        if hit.rule in self.gone and not hit.line:
            words = (hit.detail or "").partition(" is gone")[0].split()
            return any(all(word in line for word in words) for line in self.was.get(hit.path, ()))
        return hit.rule not in COMPARED and hit.line in self.lines.get(hit.path, ())
