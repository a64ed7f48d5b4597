"""Rows of a table about something that the product no longer has (policy set v2, class G05).

Rule: a table of a test loses rows, and each of them has a constant of one word (`"xml"`, `Format.XML`) that the product
no longer defines, nor has as a text: these cases went with what they were about, and are for a person.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.inventory.model import ROW, Facts
from ralph.system.patterns import later

CONSTANT = later(r"(?P<quote>[\"'`])(?P<text>[\w-]{2,60})(?P=quote)|(?:\w{1,60}(?:\.|::))*(?P<name>[A-Za-z_]\w{1,60})")

NESTED = later(r"[(\[{]")
QUOTED = later(r"(?<![\w\"'`])(?P<quote>[\"'`])(?P<text>[\w-]{2,60})(?P=quote)")


def only_of_gone(before: Facts, after: Facts, gone: frozenset[str], *, inside: bool = False) -> bool:
    """All rows that `after` no longer has are about something that is gone; `inside`: be it in a list or a call."""
    if not gone or not before.cases or after.cases is None:
        return False
    kept = set(after.cases)
    lost = [row for row in before.cases if row not in kept]
    return bool(lost) and all(not gone.isdisjoint(_words(row, inside)) for row in lost)


def _words(row: str, inside: bool) -> Iterator[str]:
    """Constants of one word; of what is made of several, its texts (`Expect([]string{"--old", "status"})`)."""
    for constant in row.split(ROW):
        match = CONSTANT.fullmatch(constant.strip())
        if match is not None:
            yield match["text"] or match["name"]
        elif inside and NESTED.search(constant):
            yield from (match["text"] for match in QUOTED.finditer(constant))
