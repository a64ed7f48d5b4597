"""Both sides of every changed JavaScript file, for rules that compare them (spec: governance engine 1.4).

Decoded and cut into lines as for the detectors of one side. A side that cannot be read is left out here: the scan
reports it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from ralph.guardrails.javascript.syntax.components import scripts_of
from ralph.guardrails.languages import language_of, wants_first_line
from ralph.guardrails.model import Blobs, Change, FileChange, Hit
from ralph.guardrails.prefilter import prefilter
from ralph.guardrails.source import Source
from ralph.guardrails.texts import UnreadableError, decoded, in_git_lines, one_line_end
from ralph.record import record
from ralph.system.patterns import later

HEADER_LINES, HEADER_BYTES = 40, 4_000
_PRAGMA = later(rb"@flow|@ts-check", re.IGNORECASE)
LANGUAGES = frozenset({"javascript", "typescript", "tsx", "vue"})


@record
class Side:
    """One side of a path. A component has a source for each script; a side that is absent has none."""

    sources: tuple[Source, ...] = ()
    text: bytes = b""
    normal: bytes = b""
    """The text with one kind of line end."""

    def in_git_lines(self, hit: Hit) -> Hit:
        return in_git_lines(hit, self.text, self.normal)


@record
class Sides:
    """One changed path."""

    path: str
    before: Side
    after: Side


@record(slots=False)
class Touched:
    """One changed path, not read yet."""

    file: FileChange
    language: str
    blobs: Blobs

    def holds(self, words: tuple[str, ...]) -> bool:
        """Its changed lines or those near them hold one of `words`, or they may switch a pragma off."""
        return self.file.binary or prefilter(words).matches(self._near) or self._touches_header

    @cached_property
    def _near(self) -> bytes:
        return self.file.near(self.blobs.after(self.file.path) or b"")

    @cached_property
    def sides(self) -> Sides:
        path = self.file.path
        before, after = (_side(path, self.language, read(path)) for read in (self.blobs.before, self.blobs.after))
        return Sides(path, before, after)

    @cached_property
    def _touches_header(self) -> bool:
        """Code put above a pragma switches it off without touching it."""
        if self.file.status != "M" or not any(hunk.old_start <= HEADER_LINES for hunk in self.file.hunks):
            return False
        return _PRAGMA.search((self.blobs.before(self.file.path) or b"")[:HEADER_BYTES]) is not None


def touched(change: Change) -> list[Touched]:
    languages = ((file, _language(file, change.blobs) or "") for file in change.files)
    return [Touched(file, language, change.blobs) for file, language in languages if language in LANGUAGES]


def holding(files: Iterable[Touched], words: tuple[str, ...]) -> list[Sides]:
    return [each.sides for each in files if each.holds(words)]


def sources_of(path: str, language: str, data: bytes) -> list[Source]:
    return scripts_of(path, data) if language == "vue" else [Source(path, language, data)]


def _language(file: FileChange, blobs: Blobs) -> str | None:
    if not wants_first_line(file.path):
        return language_of(file.path)
    content = blobs.after(file.path) or blobs.before(file.path) or b""
    return language_of(file.path, content.partition(b"\n")[0])


def _side(path: str, language: str, data: bytes | None) -> Side:
    if data is None:
        return Side()
    try:
        text = decoded(language, data)
    except UnreadableError:
        return Side()
    normal = one_line_end(language, text)
    return Side(tuple(sources_of(path, language, normal)), text, normal)
