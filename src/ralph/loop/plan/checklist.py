"""A Markdown checklist as tasks.

Rules:

- The order of the file is the order of the work: all tasks have one priority, and ties go by that order.
- A task with parts (boxes that are indented deeper) depends on all of them. Points below a box are its criteria.
- A task is called as its text begins (`auth-01: Create the model`), else by its words and a digest of the path of
  headings and boxes to it: the same line has the same id whenever it is read, wherever it is moved in its section.
- `(depends on auth-01, auth-02)` at the end of a text names further dependencies.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from ralph.loop.plan.limits import ID
from ralph.loop.plan.markdown import Box, Document
from ralph.loop.plan.speckit import Draft

_NAMED = re.compile(r"\**([A-Za-z][A-Za-z0-9_.-]*\d[A-Za-z0-9_.-]*)\**:\**\s+(.+)", re.DOTALL)
_NEEDS = re.compile(r"\s*\((?:depends\s+on|after|needs|requires)[:\s]\s*([^()]+)\)\s*\Z", re.IGNORECASE)


def read_checklist(document: Document) -> list[Draft]:
    """The tasks in the order of the file."""
    return [draft for box in document.top for draft in _drafts(box, _sections(box))]


def _sections(box: Box) -> tuple[str, ...]:
    """The headings above a box, without the title of the file."""
    return tuple(text for level, text in box.headings if level > 1)


def _drafts(box: Box, path: tuple[str, ...]) -> Iterator[Draft]:
    named = _NAMED.fullmatch(box.text)
    text = named[2] if named else box.text
    needs = _NEEDS.search(text)
    text = text[: needs.start()] if needs else text
    here = (*path, text)
    draft = Draft(box.line, named[1] if named else _id(here), " / ".join(here), 1, box.checked, criteria=box.points)
    for each in re.split(r"\s*,\s*|\s+and\s+", needs[1].strip()) if needs else ():
        draft.dependencies[each] = box.line
    yield draft
    for part in box.parts:
        below = list(_drafts(part, here))
        draft.dependencies[below[0].id] = part.line
        yield from below


def _id(path: tuple[str, ...]) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", path[-1].lower()).strip("-")[:40].rstrip("-")
    digest = hashlib.sha256("\n".join(path).encode("utf-8", "surrogatepass")).hexdigest()[:6]
    found = f"{words}-{digest}" if words else digest
    assert ID.fullmatch(found)
    return found
