"""Properties that a build of Gradle is called with: `./gradlew test -Pfast` and `if (project.hasProperty('fast'))`.

What a build does only with a property, or without, is left out where that does not hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.config.called.parameters.blocks import Filled
from ralph.guardrails.config.side import Side
from ralph.system.patterns import later

CALLS = later(r"\bgradlew?\b(?P<words>[^\n&|;]*)")
GIVEN = later(r"(?:^|\s)-P[ \t]?(?P<name>[\w.-]+)(?:=(?P<value>[^\s\"']*))?")
SET = later(r"(?m)^[ \t]*(?P<name>[\w.-]+)[ \t]*[=:][ \t]*(?P<value>[^\n]*)$")
ASKED = later(
    r"(?:\b(?:root)?[pP]roject\.)?(?P<has>hasProperty|(?:find)?[pP]roperty|providers\.gradleProperty)\([\"'](?P<name>[\w.-]+)[\"']\)(?:\.isPresent(?:\(\))?)?"
)
BRANCH = later(r"(?P<before>.*\}\s*else\s+|\s*)if\s*\(\s*(?P<no>!?)\s*(?P<truth>true|false)\s*\)\s*\{(?P<rest>.*)")
OTHERWISE = later(r"\s*\}\s*else\s*\{\s*")
NAMES = ("build.gradle", "build.gradle.kts")


def properties(caller: str, side: Side) -> Mapping[str, str]:
    """What calls of Gradle give, and what stands in the file of properties."""
    found = {each["name"]: each["value"].strip() for each in SET.finditer(side.text("gradle.properties") or "")}
    for call in CALLS.finditer(caller):
        found |= {each["name"]: each["value"] or "" for each in GIVEN.finditer(call["words"])}
    return found


def filled(lines: Sequence[str], given: Mapping[str, str]) -> dict[int, Filled]:
    """The lines in which a property is asked for, and those of branches that do not hold."""

    def value(found: re.Match[str]) -> str:
        there = found["name"] in given
        if found["has"] == "hasProperty" or found[0].endswith((".isPresent", ".isPresent()")):
            return str(there).lower()
        return f"'{given[found['name']]}'" if there else "null"

    texts = [ASKED.sub(value, line) if "roperty(" in line else line for line in lines]
    dead = set(_dead(texts))
    return {
        number: Filled("", ("" if number in dead else text,), "")
        for number, (line, text) in enumerate(zip(lines, texts, strict=True))
        if text != line or number in dead
    }


def _dead(lines: Sequence[str]) -> Iterator[int]:
    for number, line in enumerate(lines):
        branch = BRANCH.fullmatch(line)
        if branch is None:
            continue
        holds = (branch["truth"] == "true") is not bool(branch["no"])
        end = _end(lines, number)
        if branch["rest"].strip().endswith("}"):
            yield from () if holds else (number,)
            continue
        if not holds:
            yield from range(number + 1, end)
        elif end < len(lines) and OTHERWISE.fullmatch(lines[end]) is not None:
            yield from range(end + 1, _end(lines, end))


def _end(lines: Sequence[str], start: int) -> int:
    """The line with the brace that closes what a line opens last."""
    deep = 1
    for number in range(start + 1, len(lines)):
        for sign in lines[number]:
            deep += {"{": 1, "}": -1}.get(sign, 0)
            if deep == 0:
                return number
    return len(lines)
