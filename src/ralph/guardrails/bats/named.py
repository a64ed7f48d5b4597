"""Texts that a test of bats gives a name, and then asks for by it.

    local expected="one two"
    assert_output "$expected"        assert_output "one two"

Rule: the name stands for the text where the test gives it once, and where it is a word of its own in what asks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from ralph.system.patterns import later

GIVES = later(
    r"(?:(?:local|declare|readonly|typeset)[ \t]+(?:-r[ \t]+)?)?(?P<name>[A-Za-z_]\w*)="
    r"(?P<text>\$?'(?:[^'\\]|\\.)*'|\"[^\"$`]*\"|[\w.:/,-]+)"
)
ANY = later(r"(?:(?:local|declare|readonly|typeset|export)[ \t]+(?:-\w+[ \t]+)?)?(?P<name>[A-Za-z_]\w*)\+?=")
ASKS = later(r"(?:assert|\[\[?[ \t]|test[ \t])")
NAMED = later(
    r"(?<=[ \t])(?P<quote>\"?)\$(?:\{(?P<braced>[A-Za-z_]\w*)\}|(?P<plain>[A-Za-z_]\w*))(?P=quote)(?=[ \t]|$)"
)
FOUND = frozenset({"output", "status", "stderr", "lines"})
"""What `run` gives."""


def texts_of(statements: Sequence[str]) -> Mapping[str, str]:
    """Names, and the texts that they stand for, with their quotes."""
    given = Counter(match["name"] for each in statements if (match := ANY.match(each)))
    told = (match for each in statements if (match := GIVES.fullmatch(each)))
    return {match["name"]: match["text"] for match in told if given[match["name"]] == 1 and match["name"] not in FOUND}


def is_text(statement: str, texts: Mapping[str, str]) -> bool:
    """It gives one of these names its text."""
    match = GIVES.fullmatch(statement)
    return match is not None and match["name"] in texts


def put_in(statement: str, texts: Mapping[str, str]) -> str:
    if not texts or "$" not in statement or ASKS.match(statement) is None:
        return statement

    def told(match: re.Match[str]) -> str:
        return texts.get(match["braced"] or match["plain"], match[0])

    return NAMED.sub(told, statement)
