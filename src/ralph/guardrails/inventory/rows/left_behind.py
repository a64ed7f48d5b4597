"""A table of parameters that moved to a place of its own, and lost rows on the way (policy set v2, class G05).

Rule, for all languages: rows that stood in the file of a test, which now goes through a table that the file does not
have, stand in a file of the change that the test names or lies beside. If that has at least half of them, each of the
others must be there, too, or in another file of the change: its constants in one line, or in a few lines together.
A row with the same inputs that wants something else is another value, and not lost. Texts that may be spelled in
several ways are not looked for.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import ROW
from ralph.guardrails.inventory.product_changes.context import Context
from ralph.guardrails.model import Change, Hit, hit_at
from ralph.guardrails.texts import cut
from ralph.record import record
from ralph.system.patterns import later

QUOTED = later(r"'([^'\\]*)'|\"([^\"\\]*)\"|`([^`]*)`")
SIMPLE = later(r"[\w.+:/-]+")
PLAIN = frozenset({"True", "False", "None", "true", "false", "null", "nil", "undefined"})
FEWEST_LETTERS = 6
"""Of so many letters and digits rows must be that are found again: `1` stands in any file."""
MOST_BYTES = 500_000
MOST_ROWS = 500
BETWEEN = 3
"""So many lines more than constants a row may have that is written in several."""
EVERYWHERE = ("conftest", "common", "mod")

Row = tuple[str, ...]


@record(kw_only=True)
class Left:
    """Rows that did not come along. `path` and `line`: where the others are."""

    path: str
    line: int
    rows: tuple[str, ...]
    edited: bool
    """Others have their place, which want something else."""


def left_behind(pair: Pair, context: Context, change: Change) -> Iterator[Hit]:
    left = _left(pair, change)
    if left is None:
        return
    if left.edited:
        rule = "test.expected-changed-with-code" if context.concerns(pair.new) else "test.expected-changed"
    else:
        rule = "test.somewhat-weaker" if context.names_gone(pair.old) else "test.fewer-cases"
    more = f" (and {len(left.rows) - 1} more)" if len(left.rows) > 1 else ""
    row = cut(left.rows[0].replace(ROW, ", "), 80)
    detail = f"{pair.new.name}: the table that moved here has no row {row}{more}"
    yield hit_at(rule, left.path, left.line, detail, "")


def _left(pair: Pair, change: Change) -> Left | None:
    before, after = pair.old.facts(), pair.new.facts()
    if not before.cases or after.cases or len(before.cases) > MOST_ROWS:
        return None
    if not any(check.times is None for check in after.checks):
        return None
    rows = {row: constants for row in before.cases if (constants := _constants(row))}
    if len(rows) < 2 or sum(map(_is_there, (pair.new.text,) * len(rows), rows.values())) == len(rows):
        return None
    tables = sorted(
        (_Table(path, text, rows) for path, text in _files(pair, change)), key=lambda each: -len(each.found)
    )
    if not tables or len(tables[0].found) * 2 < len(rows) or _letters(tables[0].found) < FEWEST_LETTERS:
        return None
    known = frozenset().union(*(each.found for each in tables))
    edited = frozenset().union(*(each.edited for each in tables))
    missed = [row for row in rows if row not in known]
    gone = tuple(row for row in missed if row not in edited)
    if not missed:
        return None
    return Left(path=tables[0].path, line=tables[0].line, rows=gone or tuple(missed), edited=not gone)


class _Table:
    """What a file has of the rows."""

    def __init__(self, path: str, text: str, rows: dict[str, Row]) -> None:
        self.path = path
        lines = text.split("\n")
        inside: dict[str, list[int]] = {row: list(_lines_with(lines, constants)) for row, constants in rows.items()}
        taken = {number for numbers in inside.values() for number in numbers}
        rest = ["" if number in taken else line for number, line in enumerate(lines)]
        for row, constants in rows.items():
            inside[row] = inside[row] or list(_together(rest, constants))
        self.found = frozenset(row for row, numbers in inside.items() if numbers)
        self.edited = frozenset(
            row
            for row, constants in rows.items()
            if row not in self.found and len(constants) > 1 and any(_lines_with(rest, constants[:-1]))
        )
        self.line = max((numbers[-1] + 1 for numbers in inside.values() if numbers), default=1)


def _files(pair: Pair, change: Change) -> Iterator[tuple[str, str]]:
    """Those of the change that may hold the table, the test's own included."""
    test = (change.blobs.after(pair.new.path) or b"").decode("utf-8", "replace").lower()
    for file in change.files:
        stem = posixpath.splitext(posixpath.basename(file.path))[0]
        beside = posixpath.dirname(file.path) == posixpath.dirname(pair.new.path)
        named = stem.lower() in test or stem in EVERYWHERE
        data = change.blobs.after(file.path) if (beside or named) and not file.binary else None
        if data is not None and len(data) <= MOST_BYTES:
            yield file.path, data.decode("utf-8", "replace")


def _constants(row: str) -> Row:
    """Empty where one of them may be spelled in another way."""
    found: list[str] = []
    for part in row.split(ROW):
        if "\\" in part or not part.isascii():
            return ()
        quoted = ["".join(match.groups("")) for match in QUOTED.finditer(part)]
        if quoted:
            found += quoted
        elif SIMPLE.fullmatch(part) and part not in PLAIN:
            found.append(part)
    return tuple(found) if found and all(each.strip() for each in found) else ()


def _is_there(text: str, constants: Row) -> bool:
    return all(_pattern(each).search(text) for each in constants)


def _lines_with(lines: Sequence[str], constants: Row) -> Iterator[int]:
    for number, line in enumerate(lines):
        if constants[0] in line and _holds(line, constants):
            yield number


def _together(lines: Sequence[str], constants: Row) -> Iterator[int]:
    """The last lines of few in which all of them stand."""
    size = len(constants) + BETWEEN
    for number, line in enumerate(lines):
        if any(each in line for each in constants) and _holds("\n".join(lines[number : number + size]), constants):
            yield min(number + size, len(lines)) - 1


def _holds(text: str, constants: Iterable[str]) -> bool:
    wanted = list(constants)
    return all(len(_pattern(each).findall(text)) >= wanted.count(each) for each in dict.fromkeys(wanted))


@cache
def _pattern(constant: str) -> re.Pattern[str]:
    before = r"(?<![\w.-])" if re.match(r"\w", constant) else ""
    after = r"(?![\w-]|\.\w)" if re.search(r"\w$", constant) else ""
    return re.compile(f"{before}{re.escape(constant)}{after}")


def _letters(rows: Iterable[str]) -> int:
    return sum(map(str.isalnum, "".join(rows)))
