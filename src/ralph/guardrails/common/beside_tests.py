"""Helpers beside tests that a change edits: where rules about helpers begin to look."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from ralph.guardrails.inventory.readers import is_beside_tests, language, reader_of
from ralph.guardrails.model import Change, FileChange
from ralph.guardrails.prefilter import is_in


def edited_helpers(
    change: Change, worth: re.Pattern[bytes], languages: Collection[str] | None = None
) -> Iterator[tuple[FileChange, str]]:
    """Files that were there, whose added lines hold what is looked for, and the languages they are in."""
    for file in change.files:
        if file.status != "M" or file.binary or not is_in(worth, file.added_text):
            continue
        spoken = language(file, change)
        if spoken is None or (languages is not None and spoken not in languages):
            continue
        if is_beside_tests(file.path, reader_of(spoken)):
            yield file, spoken
