"""The files of the product in which a rule about stubs looks for its words, and what it finds there is called."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.readers import holds_tests, is_support, language
from ralph.guardrails.model import Change, FileChange
from ralph.guardrails.prefilter import is_in

_RULES = {"python": "py.stubbed", **dict.fromkeys(("javascript", "typescript", "tsx"), "js.stub")}
_OTHERS = frozenset(("go", "rust", "java", "kotlin", "csharp", "ruby", "php"))


def products(change: Change, worth: re.Pattern[bytes]) -> Iterator[tuple[FileChange, str]]:
    """The added and edited ones whose added lines hold what is worth a look, each with the rule of its language."""
    for file in change.files:
        if file.status not in "AM" or file.binary or not is_in(worth, file.added_text):
            continue
        spoken = language(file, change)
        rule = "code.stubbed" if spoken in _OTHERS else _RULES.get(spoken or "", "")
        if rule and not is_support(file.path) and not holds_tests(file.path, spoken):
            yield file, rule
