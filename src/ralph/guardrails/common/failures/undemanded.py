"""Checks in the table of a script that lack the word by which others of it count (policy set v2, class G10).

Rule, for `advisory`: an entry of a table says of its command that it has to succeed (`gate: true`, `required=True`),
the script asks for that word elsewhere (`step.gate && code`, `step.get("required")`), and gives it to no entry by
itself. A command of the same table without the word is one whose failure is not heard.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.checks.programs.spelled_commands import Spelled, commands_in
from ralph.guardrails.common.brackets import around, closed, opened
from ralph.system.patterns import later

DEMANDED = (
    r"required|blocking|blocks|fatal|critical|mandatory|gat(?:e[sd]?|ing)|must_?(?:[Pp]ass|[Ss]ucceed)|counts|enforced?"
)
"""What an entry says of a command that has to succeed."""
DEMANDS = later(rf"\b(?P<word>{DEMANDED})[\"']?\s*(?:=>|[=:])\s*[Tt]rue\b")
SAYS_SO = later(DEMANDS.pattern.encode())
MOST_WORDS = 20
LONGEST = 12_000
"""Of a table."""


def undemanded(text: str) -> Iterator[Spelled]:
    seen: set[str] = set()
    for match in DEMANDS.finditer(text):
        word = match["word"]
        if word not in seen and len(seen) < MOST_WORDS:
            seen.add(word)
            if _is_asked(text, word) and not _is_usual(text, word):
                yield from _others(text, word, match.start())


def _others(text: str, word: str, at: int) -> Iterator[Spelled]:
    """The commands of the table around an entry whose own entries do not have the word."""
    entry = around(text, at)
    start = opened(text, entry[0] - 1, LONGEST) if entry is not None else None
    end = closed(text, start, LONGEST) if start is not None else None
    if entry is None or start is None or end is None:
        return
    has = re.compile(rf"\b{word}\b")
    for each in commands_in(text):
        if start < each.start and each.end < end and not has.search(text, each.start, each.end):
            outer = opened(text, each.start - 1, LONGEST)
            own = (
                (outer, closed(text, outer, LONGEST))
                if outer is not None and outer != start
                else (each.start, each.end)
            )
            if own[1] is not None and not has.search(text, own[0], own[1]):
                yield each


def _is_asked(text: str, word: str) -> bool:
    """Somewhere it is read, and not only given."""
    asked = (
        rf"\.{word}\b(?!\s*=[^=])|\[:?[\"']?{word}[\"']?\]|\bget\([\"']{word}[\"']|\bfetch\(:{word}\b"
        rf"|\b{word}\s*(?:&&|and\b)"
    )
    return re.search(asked, text) is not None


def _is_usual(text: str, word: str) -> bool:
    """An entry that does not say it has it all the same."""
    return (
        re.search(
            rf"\b{word}\s*:\s*\w+\s*=\s*True\b|\bdef\b[^\n]*\b{word}\s*[=:]\s*[Tt]rue\b|\b{word}\s*=\s*true\b"
            rf"|\b{word}[\"']?\]?\s*(?:!==?|is\s+not)\s*[Ff]alse\b|\b{word}\s*\?\?\s*true\b|[\"']{word}[\"']\s*,\s*(?:default\s*=\s*)?[Tt]rue\b"
            rf"|\bfetch\(:{word},\s*true\b",
            text,
        )
        is not None
    )
