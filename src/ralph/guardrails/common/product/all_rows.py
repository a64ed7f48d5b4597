"""Whether a table holds all that tests ask of a function, with answers that could be worked out (see `whole_inputs`).

Rules:

- Every call of the function in tests that gives it a constant gives it what an entry has. Where it is called with names
  only, as for the rows of a table of cases, each row beside one that an entry has is one of an entry, too.
- What most entries answer is spelled from their own key: `("Frankfurt", "DE", "Hessen")` gives `"frankfurt-hessen"`. A
  table of names for something, or of exceptions, says what nobody could work out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from ralph.guardrails.common.product.asked import TRIVIAL, anywhere
from ralph.system.patterns import later

Row = tuple[Sequence[str], str]
"""The parts of a key, and the answer."""
QUOTED = later(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`")
CONSTANT = later(r"[\"'`]|(?<![\w.])\d")
OPENS = later(r"\s*(?:[\[({]|\w[\w.]*[(\[{])")
"""A row of a table of cases."""
LONGEST = 300
FEWEST = 3
LETTERS = str.maketrans({"ß": "ss", "ø": "o", "ł": "l", "æ": "ae", "đ": "d", "ı": "i"})
NO_WORD = later(r"[^a-z0-9]+")


def holds_all(rows: Sequence[Row], function: str, tests: Sequence[str]) -> bool:
    called = re.compile(rf"(?<![\w.]){re.escape(function)}\s*\(")
    naming = [test for test in tests if function in test and called.search(test)]
    wanted = [[anywhere(each) for each in (*parts, value) if each not in TRIVIAL] for parts, value in rows]
    found = False
    for test in naming:
        lines = [line if len(line) <= LONGEST else "" for line in test.split("\n")]
        held = {number for number, line in enumerate(lines) if any(all(p.search(line) for p in one) for one in wanted)}
        if any(not _is_held(given, rows) for given in _calls(lines, called)):
            return False
        if any(number not in held for number in _beside(lines, held)):
            return False
        found = found or bool(held)
    return found


def are_spelled(rows: Sequence[Row]) -> bool:
    """Most answers are made of the letters of their keys."""
    return len(rows) >= FEWEST and 2 * sum(_is_spelled(parts, value) for parts, value in rows) > len(rows)


def _is_spelled(parts: Sequence[str], value: str) -> bool:
    """Of whole parts, one behind the other."""
    rest = _letters(value)
    if not rest or not QUOTED.fullmatch(value):
        return False
    for part in map(_letters, parts):
        rest = rest.removeprefix(part)
    return not rest


def _letters(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text.lower().translate(LETTERS))
    return NO_WORD.sub("", folded)


def _calls(lines: Sequence[str], called: re.Pattern[str]) -> list[str]:
    """What a call is given on its line, and on the next one where nothing is there; none that is given names only."""
    found = []
    for number, line in enumerate(lines):
        match = called.search(line)
        if match is None or re.match(r"\s*(?:def|func|function|fn|fun)\b", line):
            continue
        given = line[match.end() :] or "".join(lines[number + 1 : number + 2])
        of_call = given.partition(")")[0]
        if CONSTANT.search(of_call):
            found.append(of_call)
    return found


def _is_held(given: str, rows: Sequence[Row]) -> bool:
    return any(all(anywhere(part).search(given) for part in parts if part not in TRIVIAL) for parts, _ in rows)


def _beside(lines: Sequence[str], held: set[int]) -> set[int]:
    """The rows of the tables in which there are such lines."""
    found: set[int] = set()
    for number in held:
        if not OPENS.match(lines[number]):
            continue
        for step in (-1, 1):
            at = number + step
            while 0 <= at < len(lines) and at not in found and _is_row(lines[at], lines[number]):
                found.add(at)
                at += step
    return found


def _is_row(line: str, other: str) -> bool:
    depth = len(line) - len(line.lstrip())
    return depth == len(other) - len(other.lstrip()) and OPENS.match(line) is not None and bool(CONSTANT.search(line))
