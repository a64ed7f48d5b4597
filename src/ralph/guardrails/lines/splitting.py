"""Statements of tests that are read line by line, taken apart where nothing in brackets or quotes is in the way."""

from __future__ import annotations

import re

from ralph.guardrails.commas import CLOSING, OPENING, between_commas
from ralph.system.patterns import later

STRINGS = later(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`")


def first(text: str) -> str:
    """A condition without the message behind it."""
    return between_commas(text, STRINGS)[0] if text else ""


def apart(text: str, sign: re.Pattern[str]) -> list[str]:
    parts, start = [], 0
    for match in sign.finditer(masked(text)):
        parts.append(text[start : match.start()])
        start = match.end()
    return [*parts, text[start:]]


def bare(text: str) -> str:
    """Without brackets around the whole."""
    text = text.strip()
    while re.fullmatch(r"\(_*\)", masked(text)):
        text = text[1:-1].strip()
    return text


def masked(text: str) -> str:
    """As long as the text; what stands in brackets and strings is a line of dashes."""
    plain = STRINGS.sub(lambda match: "_" * len(match[0]), text)
    depth, found = 0, []
    for letter in plain:
        depth -= letter in CLOSING
        found.append("_" if depth > 0 else letter)
        depth += letter in OPENING
    return "".join(found)


def written(text: str) -> str:
    """Free of layout."""
    return re.sub(r"\s+", " ", text.strip()).replace("( ", "(").replace(" )", ")")
