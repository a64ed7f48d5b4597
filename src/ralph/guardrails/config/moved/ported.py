"""Settings of a build script that stand in a new one now, in the block that they stood in (policy set v2, class G09).

Rule: what a new script of Gradle says takes nothing away where a script of the base said the same, as often, of the
same task or extension, no longer says it, and most of the words of its block stand in the new one: a script in Groovy
became one in Kotlin, or a part of a build became a convention plugin. That a plugin's failures were ignored is no
reason to ignore those of another one, and a block that is new is judged as a new one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ralph.guardrails.commas import step
from ralph.guardrails.config.node import canonical
from ralph.guardrails.config.rows import Loss
from ralph.guardrails.config.side import Side
from ralph.guardrails.config.tool import Unit
from ralph.system.patterns import later

SCRIPTS = (".gradle", ".gradle.kts")
MOSTLY = 0.6
"""So many of the words of a block make another one the same."""
WRAPPERS = later(r"(?:all|sub)projects|afterEvaluate|tasks|(?:project|configure)\b.*")
"""Blocks that say for which builds something holds, and not of what."""
NAMED = later(
    r".*\b(?:val|def)\s+(?P<variable>\w+)\s+by\b.*"
    r"|.*\b(?:named|register|getByName|create|withType)\s*(?:<[\w.]+>)?\s*\(\s*[\"']?(?P<named>\w+).*"
    r"|.*\bwithType\s*<(?P<kind>[\w.]+)>.*"
    r"|(?P<plain>[\w.]+).*",
    re.DOTALL,
)
BREAK = later(r"[\n;{}]")
WORD = later(r"\w+")


class Said(NamedTuple):
    setting: str
    value: str
    about: str
    """The task or extension."""


def is_ported(
    loss: Loss, now: Unit, old: Mapping[str, Unit], new: Mapping[str, Unit], before: Side, after: Side
) -> bool:
    """`now` is a script that the base did not have; `old` and `new` are the scripts of both sides."""
    setting = loss.key.partition(".")[0]
    said = list(_said(now, setting, after))
    if loss.node is None or not loss.node.path.endswith(SCRIPTS) or not said:
        return False
    for name, unit in old.items():
        left = Counter(each for each, _ in _said(new[name], setting, after)) if name in new else Counter()
        was = list(_said(unit, setting, before))
        gone = Counter(each for each, _ in was) - left
        if Counter(each for each, _ in said) <= gone and all(_stood_in(each, block, was) for each, block in said):
            return True
    return False


def _stood_in(said: Said, block: str, was: Sequence[tuple[Said, str]]) -> bool:
    words = Counter(WORD.findall(block))
    blocks = (Counter(WORD.findall(old)) for each, old in was if each == said)
    return any((words & each).total() >= MOSTLY * each.total() for each in blocks)


def _said(unit: Unit, setting: str, side: Side) -> Iterator[tuple[Said, str]]:
    """What a script says by that name, with the text of the block that says it."""
    for key, node in unit.settings.items():
        for each in node.items if key[0] == setting else ():
            about, block = _around(side.text(each.path) or "", each.line)
            yield Said(setting, canonical(each), about), block


def _around(text: str, line: int) -> tuple[str, str]:
    """What the outermost block around the end of a line is about that is about something, and its text."""
    lines = text.split("\n")
    place = len("\n".join(lines[: line - 1])) + len(lines[line - 1].rstrip("} \t")) if line else 0
    for start in _open(text, place):
        about = BREAK.split(text[:start])[-1].strip()
        if about and not WRAPPERS.fullmatch(about):
            return _name(about), text[start : _end(text, start)]
    return "", text


def about_line(text: str, line: int) -> str:
    """The head of the outermost block around a line that is about something."""
    lines = text.split("\n")
    heads = (BREAK.split(text[:start])[-1].strip() for start in _open(text, len("\n".join(lines[:line])) - 1))
    return next((head for head in heads if head and not WRAPPERS.fullmatch(head)), "")


def _open(text: str, place: int) -> list[int]:
    """Where the blocks begin that are open at a place, the outer ones first."""
    found: list[int] = []
    for index, letter in enumerate(text[: place + 1]):
        if letter == "{":
            found.append(index)
        elif letter == "}" and found:
            found.pop()
    return found


def _end(text: str, start: int) -> int:
    depth = 0
    for index in range(start, len(text)):
        depth += step(text[index])
        if not depth:
            return index
    return len(text)


def _name(head: str) -> str:
    named = NAMED.fullmatch(head)
    return head if named is None else next((each for each in named.groups() if each), head)
