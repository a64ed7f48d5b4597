"""Every comment of a Python file that switches a check off.

A directive counts in a comment and nowhere else; what one is, say the modules per tool. Regions that nothing
closes are a second hit: taking the closing mark away is a finding, adding one is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails import directives
from ralph.guardrails.model import Hit
from ralph.guardrails.python import checkers, linters, noqa, pragmas
from ralph.guardrails.python.directive import Note, Said, note
from ralph.guardrails.source import Source

READERS = (noqa.read, checkers.read, linters.read)
SHARED = tuple(row for row in directives.COMMON if row.rule not in ("comment.format", "comment.coverage"))
"""Directives of tools that look at many languages, with the rules that those languages share."""


def suppressions(source: Source) -> Iterator[Hit]:
    notes = [note(source, comment) for comment in directives.comments(source, ("#",))]
    for index, one in enumerate(notes):
        for said in (said for read in READERS for said in read(one)):
            yield source.hit(said.rule, one.comment, said.key, said.codes)
            if unclosed := _unclosed(one, said, notes[index + 1 :]):
                yield source.hit(unclosed, one.comment, f"{said.key} unclosed", said.codes)
    yield from pragmas.hits(source, notes)
    yield from directives.suppressions(source, SHARED, ("#",))


def _unclosed(one: Note, said: Said, later: Sequence[Note]) -> str | None:
    """The rule for a region that lasts to the end of the file, None for anything else."""
    if said.rule == "py.noqa-range":
        left = set(said.codes or ()).difference(*map(noqa.ended, later))
        return "py.noqa-file" if left else None
    if said.rule == "py.pylint" and one.alone and one.comment.column == 1 and "disable-next" not in one.text:
        switched_on: set[str] = set().union(*map(linters.pylint_on, later))
        missing = (said.codes or frozenset({"all"})) - switched_on
        return "py.pylint-file" if missing and "all" not in switched_on else None
    return None
