"""Tables of cases as lines, read alike in all languages (see `given_up`).

A table is three lines or more of one form, each with constants, that tests go through: rows of an annotation, or a list
of a loop, of `each`, of parameters. So are assertions one below the other that ask one function of constants.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain

from ralph.guardrails.texts import depth
from ralph.record import record
from ralph.system.patterns import later

CONSTANT = later(
    r"\"(?P<double>(?:[^\"\\\n]|\\.)*)\"|'(?P<single>(?:[^'\\\n]|\\.)*)'|`(?P<back>[^`\n]*)`"
    r"|(?<![\w.])(?P<number>-?\d[\d_]*(?:\.\d+)?)(?:[mMfFdDlLuU]|[iuf]\d+)?(?![\w.])"
)
ANNOTATION = later(
    r"\s*(?:#?\[\s*(?:\w+(?:\.|::))*(?:InlineData|DataRow|TestCase|Arguments|test_case|case|TestWith)\b|@\w*TestCase\b"
    r"|@testWith\b)"
)
THROUGH = (
    r"(?:\b(?:for|foreach|range|each\w*|parametri[sz]e\w*|params|MemberData|TestCaseSource|DynamicData|MethodSource"
    r"|FieldSource|[dD]ataProvider|values|where|withData|forAll|ValueSource|CsvSource|TheoryData)\b"
)
OPENER = later(THROUGH + r")|\.(?:each|for|forEach|map|stream|iter)\b|\]struct\b")
CLOSER = later(r"\s*[\])}]*\s*\.(?:each|forEach|map|stream|iter|into_iter)\w*\b")
CSV = later(r"\bCsvSource\b")
WANTED = later(r"(?i)want|expect|actual|got")
ASSIGNED = later(r"(?:^|[\s*&(])(?P<name>[A-Za-z_]\w*)\s*(?:\(\s*\))?\s*(?::[^=\n]{1,80})?(?:=>|:?=(?!=)|\{|$)")
ASSERTS = later(r"(?i)\b(?:(?:assert\w*|expect\w*|should\w*|verify|refute\w*)[!.]?\w*\s*\(|assert\s|Assert\.|\.should)")
ASKS = later(
    r"(?:\bassert\s+[\w.]+\w|(?:assert|expect|refute)\w*!?[.(]?\w*\(?\s*[\w.:]+\w|\b(?:check|verify)\w*)\([\w, ]*$"
)
"""What stands before the first constant of an assertion that gives it to a function."""
FEWEST = 3
"""So many rows make a table."""
LONGEST = 300
"""Characters of a line that may be a row."""
SHORTEST = 3
"""So many characters a text has that is found again: `a` stands in any file."""
ABOVE = 8
"""Lines above a table in which it begins."""
MOST_ROWS = 500
BESIDE = 3
"""Lines above a table on which its annotation may stand."""

Row = tuple[str, ...]


@record(kw_only=True)
class Table:
    """Rows as written, and the constants of each; `own`: those that no other row of it has."""

    lines: tuple[str, ...]
    rows: tuple[Row, ...]
    own: tuple[frozenset[str], ...]
    asserted: bool = False
    """They are assertions, one below the other."""

    def texts(self, number: int) -> frozenset[str]:
        """What a row alone has that can be found again."""
        return frozenset(each for each in self.own[number] if is_text(each))


def tables(lines: Sequence[str], removed: AbstractSet[str]) -> Iterator[Table]:
    """Those that lost a line."""
    at = 0
    while at < len(lines):
        end = _run(lines, at)
        found = [line for line in lines[at:end] if line.strip()]
        if FEWEST <= len(found) <= MOST_ROWS and not removed.isdisjoint(found) and _is_gone_through(lines, at, end):
            apart = any(CSV.search(line) for line in lines[max(at - BESIDE, 0) : at])
            rows = tuple(_parts(line) if apart else constants_of(line) for line in found)
            often = Counter(chain.from_iterable(frozenset(row) for row in rows))
            own = tuple(frozenset(each for each in row if often[each] == 1) for row in rows)
            yield Table(lines=tuple(found), rows=rows, own=own, asserted=_is_asserted(lines[at]))
        at = max(end, at + 1)


def _run(lines: Sequence[str], at: int) -> int:
    """Where the lines end that have the form of this one."""
    form = _form(lines[at])
    end = at
    while form and end < len(lines) and end - at < MOST_ROWS and (_form(lines[end]) == form or not lines[end].strip()):
        end += 1
    return end


def _form(line: str) -> str:
    """How it is indented and what opens it; empty for what is no row."""
    first = CONSTANT.search(line) if len(line) <= LONGEST else None
    if first is None:
        return ""
    head = line[: first.start()]
    if ASSERTS.search(line) and not ASKS.search(head):
        return ""
    return f"{head}|{line.rstrip().removesuffix(',').removesuffix(';')[-1:] in ')]}'}"


def _is_asserted(line: str) -> bool:
    first = CONSTANT.search(line)
    return first is not None and ASKS.search(line[: first.start()]) is not None


def _is_gone_through(lines: Sequence[str], start: int, end: int) -> bool:
    if ANNOTATION.match(lines[start]) or _is_asserted(lines[start]):
        return True
    if end < len(lines) and CLOSER.match(lines[end]):
        return True
    indent = depth(lines[start])
    for number in range(start - 1, max(start - 1 - ABOVE, -1), -1):
        line = lines[number]
        if line.strip() in ("", "{", "[", "(") or depth(line) >= indent:
            continue
        if ASSERTS.search(line):
            return False
        if OPENER.search(CONSTANT.sub("", line)):
            return True
        named = ASSIGNED.search(line)
        if named is not None:
            return not WANTED.search(named["name"]) and _is_named(named["name"], [*lines[:start], *lines[end:]])
        indent = depth(line)
    return False


def _is_named(name: str, lines: Sequence[str]) -> bool:
    """Another line goes through what has that name."""
    through = re.compile(
        THROUGH
        + rf")[^\n]*\b{re.escape(name)}\b|\b{re.escape(name)}\b(?:\(\))?[.)\s]*\.?(?:each|forEach|map|iter|stream)\b"
    )
    return any(name in line and through.search(line) for line in lines)


def is_text(constant: str) -> bool:
    return len(constant) >= SHORTEST and re.fullmatch(r"-?[\d_]+(?:\.\d+)?", constant) is None


def constants_of(line: str) -> Row:
    """Texts without their quotes, numbers without how they are typed."""
    found = (
        match["double"] or match["single"] or match["back"] or match["number"] for match in CONSTANT.finditer(line)
    )
    return tuple(each.replace("_", "") if each[:1].isdigit() else each for each in found if each)


def _parts(line: str) -> Row:
    """The columns of a line of CSV in a text."""
    found = constants_of(line)
    if len(found) != 1:
        return found
    return tuple(part for each in re.split(r"[,|;]", found[0]) if (part := each.strip().strip("'")))
