"""A text that was wanted, and that the product's own constant of it stands for now (policy set v2, class G05).

Rule: `err.Error() == "closed"` became `err.Error() == ErrClosed.Error()`. Before the change a file of the product that
it touches defined that name as just this text, on one line, and defines it as a text still: how the product words it
has changed, and not what is asked. It is for a person. What the product works out is no such name, nor is one that came
with the change.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ralph.guardrails.inventory.model import Check
from ralph.system.patterns import later

NAMED = later(r"(?:\w+(?:\.|::))*(?P<name>[A-Za-z]\w*)(?:\.(?:Error\(\)|message|to_s))?")
TEXT = later(r"\"(?P<double>(?:[^\"\\]|\\.)+)\"|'(?P<single>(?:[^'\\]|\\.)+)'")
MADE = r"(?:[\w.:]*[eE]rror\w*(?:\.New)?|errors\.New|new \w*Error)"
"""What makes an error of a text."""


def is_sentinel(old: Check, new: Check, products: Sequence[tuple[str, bytes, bytes]]) -> bool:
    """`products`: the path of each changed file of the product, and its text on both sides."""
    same = old.subject == new.subject and old.relation == new.relation == "==" and not new.perhaps and not new.why
    text, named = TEXT.fullmatch(old.wanted), NAMED.fullmatch(new.wanted)
    if not same or new.grade < old.grade or text is None or named is None:
        return False
    said = text["double"] or text["single"]
    quoted = rf"[\"'`]{re.escape(said)}[\"'`]"
    was = re.compile(_defines(named["name"], quoted).encode())
    now = re.compile(_defines(named["name"], r"(?:\"[^\"\n]+\"|'[^'\n]+')").encode())
    return any(was.search(before) and now.search(after) for _, before, after in products)


def _defines(name: str, text: str) -> str:
    return rf"(?m)(?<![\w.]){name}\s*(?::?\s*[\w&]+\s*)?=\s*(?:{MADE}\(\s*{text}\s*\)|{text})\s*;?\s*(?://.*|#.*)?$"
