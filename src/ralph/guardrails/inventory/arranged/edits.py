"""What a change did to the statements of one test, read as they are written: most languages write them alike.

For rules about what a test newly does between what it calls and what it asserts. The assertions that count are those
that the base had, word for word.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from ralph.guardrails.inventory.match import Pair
from ralph.system.patterns import later

ASSERTS = later(
    r"(?i)\b(?:expect(?:_\w+)?|(?:XCT)?assert\w*|require|should\w*|must\w*|verify|check\w*)\b|\bcmp\.(?:Diff|Equal)\(|\breflect\.DeepEqual\(|^\s*if\b.*(?:!=|!\w|==)"
)
TEXT = later(r"\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|`([^`\n]*)`")
NUMBER = later(r"(?<![\w.])-?\d[\w.]*")
WORD = later(r"[A-Za-z]+|\d+")
TRIVIAL = frozenset({"", "0", "0.0", "\\n"})
BLANK = later(r"\s*(?:[})\]][,;]?\s*)*(?:(?://|#).*)?")
LOOKS_UP = later(
    r"\b(?:get|query|find|locator|screen|within|waitFor|cy\.get|cy\.contains|String\(\)|Bytes\(\)|read\w*|Read\w*|getvalue)"
)
HEAD = later(r"\s*(?:\}\s*else\s+)?(?:if|for|switch)\b.*;.*\{\s*$")
TELLS = later(r"\s*(?:t|tb|b)\.(?:Fatal|Error|Fail|Log)\w*\(.*|\s*var\s+\w+\s+[\w.\[\]*]+|\s*return")
"""What stands in the branch of an assertion of Go, and what gets its value from the next statement."""
NOTE = later(r"(?m)[ \t]+(?:#|//)[ \t][^\n\"'`]*$")
NEAR = 30
"""Statements behind, in which assertions are looked for; so many new ones are no small edit."""
LONGEST = 12
"""Lines of one statement."""


class Edits:
    def __init__(self, pair: Pair) -> None:
        self.old = split(pair.old.lines)
        self.new = split(pair.new.lines)
        self.kept = {each.strip() for each in self.old}
        self.said, self.was_said = pair.new.lines, pair.old.lines
        self.test = pair.old
        self._wholes: dict[int, str] = {}

    @cached_property
    def gone(self) -> list[str]:
        there = {each.strip() for each in self.new}
        return [each for each in self.old if each.strip() not in there]

    @cached_property
    def fresh(self) -> list[int]:
        found = [number for number, each in enumerate(self.new) if each.strip() and each.strip() not in self.kept]
        if not 0 < len(found) <= NEAR:
            return []
        new = {number: _bare(self.whole(number)) for number in found}
        had = {_bare(whole(self.old, number)) for number in self._beginning(set(new.values()))}
        return [number for number in found if new[number] not in had]

    def _beginning(self, texts: AbstractSet[str]) -> Iterator[int]:
        """Old statements with which one of the texts, free of layout, may begin."""
        for number, each in enumerate(self.old):
            first = _bare(each).rstrip(",")
            if first and any(text.startswith(first) for text in texts):
                yield number

    def whole(self, number: int) -> str:
        """A statement with its other lines; every rule asks for the same few."""
        if number not in self._wholes:
            self._wholes[number] = whole(self.new, number)
        return self._wholes[number]

    def asserted(self, number: int) -> Iterator[tuple[int, str]]:
        """Assertions behind a statement that the base had, too."""
        first = bisect_right(self._assertions, number)
        for at in self._assertions[first : first + NEAR]:
            if at <= number + NEAR:
                yield at, self.whole(at)

    @cached_property
    def _assertions(self) -> list[int]:
        """All that the base had, too."""
        return [at for at, each in enumerate(self.new) if each.strip() in self.kept and ASSERTS.search(each)]

    def next_about(self, name: str, number: int) -> int | None:
        """The next statement with a name in it."""
        named = re.compile(rf"(?<![\w.$@]){re.escape(name)}(?![\w$])")
        behind = range(number + 1, min(number + 1 + NEAR, len(self.new)))
        return next((at for at in behind if named.search(self.new[at])), None)

    def is_at_once(self, number: int, at: int) -> bool:
        """Nothing of the base stands between but what looks, asserts or closes."""
        return all(
            BLANK.fullmatch(each)
            or each.strip() not in self.kept
            or ASSERTS.search(each)
            or LOOKS_UP.search(each)
            or TELLS.fullmatch(each)
            for each in self.new[number + 1 : at]
        )


def _bare(text: str) -> str:
    """Free of layout and of the style of its quotes, which formatters change."""
    return re.sub(r",(?=[)\]}])", "", "".join(text.split())).replace("'", '"')


def split(text: str) -> list[str]:
    """Statements, one a line or apart by a semicolon; the head of an `if` or a loop is one, whatever it has in it. A
    comment behind one is no part of it."""
    found: list[str] = []
    for line in NOTE.sub("", text).split("\n"):
        found += [line] if ";" in line and HEAD.match(line) else line.split(";")
    return found


def whole(statements: Sequence[str], number: int) -> str:
    said, opened = "", 0
    for each in statements[number : number + LONGEST]:
        plain = TEXT.sub("", each)
        opened += sum(map(plain.count, "([{")) - sum(map(plain.count, ")]}"))
        said += f" {each.strip()}"
        if opened <= 0:
            break
    return said.strip()


def constants(statement: str) -> frozenset[str]:
    """The numbers and texts of a statement that say something."""
    texts = {next((part for part in match if part), "") for match in TEXT.findall(statement)}
    return frozenset(texts | set(NUMBER.findall(TEXT.sub("", statement)))) - TRIVIAL


def holds_wanted(statement: str, assertion: str) -> bool:
    """It has a constant that the assertion wants, be it a part of a longer text, or made of several."""
    own, words = constants(statement), frozenset(WORD.findall(statement))
    inside = frozenset(word for each in own for word in WORD.findall(each))
    return any(
        each in own or (each in inside if each.isdigit() else _is_said(each, statement, words))
        for each in constants(assertion)
    )


def _is_said(text: str, statement: str, words: frozenset[str]) -> bool:
    return len(text) > 1 and (text.strip() in statement or words.issuperset(WORD.findall(text)))
