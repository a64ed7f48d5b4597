"""A change of some files that is looked at once more, with what stands elsewhere put in the place of its name.

Of what is found there counts what stands where something was put in, and, of a switch that conditions ask for, what is
in its file: what stands behind a condition may be far from it. What tests compare with is the business of
`common.wanted.carried`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from ralph.guardrails.common.wanted.carriers import Carrier
from ralph.guardrails.model import Change, Hit
from ralph.record import record, replace

COMPARED = frozenset(
    {"test.weakened", "test.somewhat-weaker", "test.expected-changed", "test.expected-changed-with-code"}
)
NOTHING: Mapping[str, Carrier] = MappingProxyType({})


@record
class Spelled:
    """A change of just the files in which something was put in, and the lines in which it was."""

    change: Change
    lines: Mapping[str, frozenset[int]]
    switched: frozenset[str] = frozenset()
    """Files in which a switch stands in a condition."""
    others: Mapping[str, Carrier] = NOTHING
    """Files that did not change, and what they read."""

    def counting(self, hits: Iterable[Hit]) -> Iterator[Hit]:
        for hit in hits:
            if hit.path in self.switched or (hit.rule not in COMPARED and hit.line in self.lines.get(hit.path, ())):
                carrier = self.others.get(hit.path)
                yield hit if carrier is None else replace(hit, path=carrier.path, line=carrier.line, column=1)


def lines_of(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "replace").split("\n")
