"""Every comment of a Python file that switches a check off.

A directive counts in a comment and nowhere else; what one is, say the modules per tool. Regions that nothing
closes are a second hit: taking the closing mark away is a finding, adding one is none. Only lines with a word that
matters are looked up in the tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ralph.guardrails import directives
from ralph.guardrails.model import Hit
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.python.suppressed import checkers, linters, mild, noqa, pragmas
from ralph.guardrails.python.suppressed.directive import Note, Said, note
from ralph.guardrails.source import Comment, Source
from ralph.system.patterns import later

READERS = (noqa.read, checkers.read, linters.read)
WORDS = (
    r"#.*(?:noqa|nopep8|nosec|pyre|fixme|pragma|trufflehog|ggignore|skipcq|lint-ignore|\w\s*:.*(?:ignore|disable|enable|skip))",
    r"#.*(?:mypy:|pyright:|fmt:|isort:|yapf:|autopep8:|docformatter:)",
)
"""What a comment says that is worth reading."""

SHARED = tuple(row for row in directives.COMMON if row.rule not in ("comment.format", "comment.coverage"))
"""Directives of tools that look at many languages, with the rules that those languages share."""

_LINE = later("|".join(WORDS).encode(), re.IGNORECASE)


def suppressions(source: Source) -> Iterator[Hit]:
    notes = [note(source, comment) for comment in comments(source)]
    for index, one in enumerate(notes):
        for said in (said for read in READERS for said in read(one)):
            yield source.hit(mild.rule_of(said, source.path), one.comment, said.key, said.scope)
            if unclosed := _unclosed(one, said, notes[index + 1 :]):
                yield source.hit(unclosed, one.comment, f"{said.key} unclosed", said.codes)
    yield from pragmas.hits(source, notes)
    if prefilter(directives.COMMON_WORDS).matches(source.data):
        yield from directives.suppressions(source, SHARED, ("#",))


def comments(source: Source) -> list[Comment]:
    """The comments with a word that matters; all of them where the file cannot be read as Python."""
    if source.tree.root_node.has_error:
        return directives.comments(source, ("#",))
    found: list[Comment] = []
    if not prefilter(WORDS).matches(source.data):
        return found
    start, last = 0, -1
    for match in _LINE.finditer(source.data):
        start = source.data.rfind(b"\n", 0, match.start()) + 1
        if start == last:
            continue
        last = start
        end = source.data.find(b"\n", match.end())
        found += _on_line(source, start, len(source.data) if end < 0 else end)
    return found


def _on_line(source: Source, start: int, end: int) -> Iterator[Comment]:
    """The comment on a line, if it has one: the first mark that is no part of a string."""
    for mark in re.finditer(b"#", source.data[start:end]):
        place = start + mark.start()
        node = source.tree.root_node.descendant_for_byte_range(place, place + 1)
        if node is not None and node.type == "comment":
            yield Comment(
                text=source.text(node),
                line=node.start_point.row + source.first_line,
                column=node.start_point.column + 1,
                end_line=node.end_point.row + source.first_line,
                start_byte=node.start_byte,
                alone=not source.data[start : node.start_byte].strip(),
            )
            return


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
