"""Rows of a table whose recorded results went with them, as product code only went (policy set v2, class G05).

Rule: the product's files lose lines, and get none for them; the table loses rows; and of each row a file beside the
tests is deleted that is called like it (`{name: "refers to a global"}`, `TestX-refers_to_a_global.golden`). What was
taken back in the product, a revert, takes such a case along: it is for a person. A row whose recording stays is missed.
"""

from __future__ import annotations

import posixpath
import re

from ralph.guardrails.inventory.model import ROW, Facts
from ralph.guardrails.inventory.readers import is_support
from ralph.guardrails.model import Change
from ralph.system.patterns import later

TEXT = later(r"(?P<quote>[\"'`])(?P<text>(?:(?!(?P=quote)).)+)(?P=quote)")
SHORTEST = 8
"""A name of fewer letters stands in others by chance."""


def went_with_recordings(before: Facts, after: Facts, change: Change) -> bool:
    if not before.cases or after.cases is None:
        return False
    kept = set(after.cases)
    lost = [row for row in before.cases if row not in kept]
    files = (file.path for file in change.files if file.status == "D" and _is_data(file.path))
    deleted = [_letters(posixpath.basename(path)) for path in files]
    return bool(lost and deleted) and all(any(_is_of(row, name) for name in deleted) for row in lost)


def _is_data(path: str) -> bool:
    return is_support(path) and re.search(r"\.(?:go|py|rs|rb|[jt]sx?|java|kt|cs)$", path) is None


def _is_of(row: str, name: str) -> bool:
    """The file's name has one of the row's texts."""
    texts = (_letters(found["text"]) for part in row.split(ROW) for found in TEXT.finditer(part))
    return any(len(text) >= SHORTEST and text in name for text in texts)


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())
