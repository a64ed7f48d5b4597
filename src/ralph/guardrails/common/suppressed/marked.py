"""Comments that silence a check in files that no grammar here reads (G01); `marks` has their tables.

Rules:

- a directive counts at the beginning of a comment and in the form its tool honours: not in a string, in the text of a
  YAML block or of a here document, or behind an instruction of a Dockerfile, where no comment can stand;
- looks of YAML (line length, indentation and the like) are style; everything else that yamllint says blocks;
- hits of both sides are compared as those of any language: what only moved, or shrank, is nothing new.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from ralph.guardrails import directives
from ralph.guardrails.common.suppressed.marks import FORMS, IMAGE, KIND_OF, LOOKS, SHARED_ROWS, TABLES, WORDS
from ralph.guardrails.compare import new_hits
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.source import Comment, Source
from ralph.record import replace
from ralph.system.patterns import later

YAML_BLOCK = later(r"(?:^|[\s:-])[|>][-+0-9]{0,2}$")
HEREDOC = later(r"<<[-~]?(\w+)$")


class Marked(Source):
    """A file of which only the comments are read."""

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        text = "\n".join(_without_texts(self.language, self.data.decode("latin-1").split("\n")))
        found = (match for match in FORMS[self.language].finditer(text) if match["comment"])
        return tuple(self._written(match, text) for match in found)

    @cached_property
    def unreadable(self) -> frozenset[int]:
        return frozenset()

    def _written(self, match: re.Match[str], text: str) -> Comment:
        start = match.start("comment")
        begin = text.rfind("\n", 0, start) + 1
        line = text.count("\n", 0, start) + 1
        written = match["comment"].encode("latin-1").decode("utf-8", "replace")
        return Comment(
            text=written,
            line=line,
            column=start - begin + 1,
            end_line=line + written.count("\n"),
            start_byte=start,
            alone=not text[begin:start].strip(),
        )


def _without_texts(kind: str, lines: list[str]) -> Iterator[str]:
    """The lines, those of YAML's blocks and of here documents as blanks."""
    end: str | int | None = None
    for line in lines:
        said = line.strip()
        if end is not None:
            over = said == end if isinstance(end, str) else bool(said) and _indent(line) <= end
            if not over or isinstance(end, str):
                end = None if over else end
                yield " " * len(line)
                continue
        begins = HEREDOC.search(said) if kind == "hcl" else YAML_BLOCK.search(said) if kind == "yaml" else None
        end = None if not begins else begins[1] if kind == "hcl" else _indent(line)
        yield line


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def kind_of(path: str) -> str | None:
    name = path.rpartition("/")[2].lower()
    return "docker" if IMAGE.fullmatch(name) else KIND_OF.get(name[name.rfind(".") :]) if "." in name else None


def silenced(change: Change) -> Iterable[Hit]:
    """The comments that one side of the change has and the other does not answer for."""
    asked = [(file, kind) for file in change.files if (kind := kind_of(file.path)) and _says_something(file)]
    if not asked:
        return ()
    before, after = (
        [hit for file, kind in asked for hit in _hits(file.path, kind, read(file.path))]
        for read in (change.blobs.before, change.blobs.after)
    )
    return new_hits(before, after, change.files)


def _says_something(file: FileChange) -> bool:
    lines = [line for hunk in file.hunks for line in (*hunk.removed, *hunk.added)]
    return bool(lines) and WORDS.matches(b"\n".join(lines))


def _hits(path: str, kind: str, data: bytes | None) -> Iterator[Hit]:
    if not data:
        return
    source = Marked(path, kind, data)
    for hit in directives.suppressions(source, (*TABLES[kind], *SHARED_ROWS), ()):
        looks = hit.key.startswith("yamllint") and hit.scope and hit.scope <= LOOKS
        yield replace(hit, rule="comment.format") if looks else hit


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (silenced,)
