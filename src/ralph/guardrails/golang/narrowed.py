"""A linter that was silenced in a whole function, and is now on single lines of it (policy set v2, class G01).

Rule: `//nolint` above or behind the head of a function is about all of it. Where fewer functions have such a comment
than before, those on lines in the function that lost it silence less. They name the same linters, or what took their
work over; one that named none answers for any.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails.directives import code_set
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.renamed import OF_GO, silences_no_more
from ralph.guardrails.texts import lines_of
from ralph.system.patterns import later

FUNCTION = later(r"func\s*(?:\([^()]*\)\s*)?(?P<name>\w+)[\[(]")
NOLINT = later(r"//[/ ]*nolint(?![\w-])(?::(?P<codes>[^/\n]*))?")
EVERYTHING = ("all", "*")


def without_narrowed(hits: Sequence[Hit], change: Change) -> Iterator[Hit]:
    texts: dict[str, tuple[list[str], list[str]]] = {}
    for hit in hits:
        if hit.rule in OF_GO and hit.scope and hit.column > 1:
            if hit.path not in texts:
                texts[hit.path] = lines_of(change.blobs.before(hit.path)), lines_of(change.blobs.after(hit.path))
            if _is_narrowed(hit, *texts[hit.path]):
                continue
        yield hit


def _is_narrowed(hit: Hit, before: Sequence[str], after: Sequence[str]) -> bool:
    at = next((row for row in range(hit.line - 1, -1, -1) if after[row].startswith(("func", "}"))), None)
    if at is None or at == hit.line - 1 or not FUNCTION.match(after[at]):
        return False
    head = _head(after[at])
    was = [row for row, line in enumerate(before) if line.startswith("func") and _head(line) == head]
    if len(was) != 1 or hit.scope is None:
        return False
    return any(
        _is_gone(codes, before, after) and (codes is None or silences_no_more(hit.scope, codes, hit.rule))
        for codes in _silenced(before, was[0])
    )


def _is_gone(codes: frozenset[str] | None, before: Sequence[str], after: Sequence[str]) -> bool:
    """Fewer functions are silenced so, whichever they are."""
    old, new = (
        sum(codes in set(_silenced(side, row)) for row, line in enumerate(side) if line.startswith("func"))
        for side in (before, after)
    )
    return new < old


def _head(line: str) -> str:
    """The receiver and the name of a function, without the receiver's own name."""
    match = FUNCTION.match(line)
    return re.sub(r"\(\s*\w+\s+", "(", match[0]) if match is not None else ""


def _silenced(lines: Sequence[str], at: int) -> Iterator[frozenset[str] | None]:
    """What each comment about a whole function silences; None for everything."""
    above = at
    while above and lines[above - 1].startswith("//"):
        above -= 1
    for line in lines[above : at + 1]:
        if (match := NOLINT.search(line)) is not None:
            yield code_set(match["codes"], EVERYTHING)
