"""Tests inside of `proptest! { ... }`, as tests of the file: to a grammar a macro's words are no functions.

The macro's own marks, its configuration and the strategies (`n in 0..10`) become blanks, so that every line and column
stays where it is. What the strategies try is told elsewhere (`strategies`).
"""

from __future__ import annotations

import re

from ralph.guardrails.commas import marks, step
from ralph.guardrails.rust.built import STRING
from ralph.guardrails.rust.unfolded import unfolded
from ralph.guardrails.source import Source
from ralph.system.patterns import later

MACRO = later(r"(?m)^[ \t]*(?:proptest::)?proptest!\s*[{(]")
CONFIGURED = later(r"#!\[proptest_config\([^\n]*\)\]")
SIGNATURE = later(r"\bfn\s+\w+\s*\(")
STRATEGY = later(r"\bin\b|:\s*\w")
VISIBLE = later(r"[^\n]")
LONGEST = 400_000


def opened(source: Source) -> Source:
    """The source with such tests to be seen, and with the macros that a test defines for itself written out."""
    source = unfolded(source)
    if b"proptest!" not in source.data or len(source.data) > LONGEST:
        return source
    try:
        text = source.data.decode("ascii")
    except UnicodeDecodeError:
        return source  # blanks would not be as long as what they stand for
    for match in reversed(list(MACRO.finditer(text))):
        end = _closed(text, match.end() - 1)
        if end is not None:
            inner = _without_strategies(CONFIGURED.sub(_blank, text[match.end() : end]))
            text = f"{text[: match.start()]}{_blank(match)}{inner} {text[end + 1 :]}"
    return Source(source.path, source.language, text.encode(), source.first_line)


def _without_strategies(text: str) -> str:
    for match in reversed(list(SIGNATURE.finditer(text))):
        end = _closed(text, match.end() - 1)
        if end is not None and STRATEGY.search(given := text[match.end() : end]):
            text = text[: match.end()] + VISIBLE.sub(" ", given) + text[end:]
    return text


def _closed(text: str, start: int) -> int | None:
    """Where the bracket at `start` ends."""
    depth = 0
    for at, letter in marks(text, STRING, start):
        depth += step(letter)
        if not depth:
            return at
    return None


def _blank(match: re.Match[str]) -> str:
    return VISIBLE.sub(" ", match[0])
