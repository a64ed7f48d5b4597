"""Rows that went as a table of cases became another one (policy set v2, class G05): all languages.

Who counts the rows sees as many as before, or more: `[InlineData]` became `TheoryData`, `@CsvSource` became
`@MethodSource`, a loop became sub tests, and in passing one row was not taken along. So the rows are looked for by what
they say, whatever kind of table, list or loop holds them now.

Rules, for a file of tests of the base:

- A table is three lines or more of one form, each with constants, that tests go through: rows of an annotation, or a
  list of a loop, of `each`, of parameters.
- A row has gone if what it alone says of the table stands in no line of the file any more, nor in another file of the
  change. Half of the rows at least must still be there, as rows, or nobody can tell what became of the table.
- Constants that may be spelled in another way are not looked for: escapes, text beyond ASCII.
- Where a new row beside the others is like the one that went, or stands alone in its place, it may be that row in other
  words: no finding. So it is where only numbers tell rows apart.
- For a person is a row about what the product says no longer, or a document says of now, and one of a list of single
  words to which nothing came.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from difflib import SequenceMatcher
from functools import cache
from itertools import accumulate, chain, islice

from ralph.guardrails.common.rows.line_tables import (
    ABOVE,
    CONSTANT,
    LONGEST,
    MOST_ROWS,
    Row,
    Table,
    constants_of,
    tables,
)
from ralph.guardrails.inventory.readers import DOCUMENTS, language, stands_among_tests
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit, hit_at
from ralph.guardrails.texts import as_text, cut
from ralph.system.patterns import later

QUOTED = later(rb"[\"'`][^\"'`]")
WORD = later(r"[A-Za-z_]\w{3,}")
FEWEST_LEFT = 2
ALIKE, THE_SAME = 0.6, 0.85
MOST_FRESH = 2_000
ROOM = 8
"""So many lines a row may take, when it became a test of its own."""
BETWEEN = 3
"""So many lines more than constants a row may have that is written in several."""
MOST_BYTES = 500_000


def given_up(change: Change) -> Iterator[Hit]:
    for file in change.files:
        if file.status != "M" or file.binary or not any(QUOTED.search(line) for line in file.removed()):
            continue
        if _is_of_tests(file, change):
            yield from _of_file(file, change)


def _of_file(file: FileChange, change: Change) -> Iterator[Hit]:
    removed = {line.decode("utf-8", "replace") for line in file.removed() if len(line) <= LONGEST}
    if not any(map(constants_of, removed)):
        return
    old, text = (as_text(side(file.path)) for side in (change.blobs.before, change.blobs.after))
    if max(len(text), len(old)) > MOST_BYTES:
        return
    for table in tables(old.split("\n"), removed):
        gone = [number for number, line in enumerate(table.lines) if line in removed and _is_told(table.rows[number])]
        gone = [number for number in gone if _is_nowhere(table.texts(number), text)]
        if not gone or 2 * len(gone) > len(table.rows):
            continue
        places = _places(table, gone, text, file.added_numbers)
        if 2 * len(places) < len(table.rows) or not _are_alike(places, text.split("\n")):
            continue
        elsewhere = _elsewhere(file, change)
        beside = _rows_beside(places, text.split("\n"))
        new = [row for row in beside if not all(_stands(each, old) for each in row)]
        gone = [number for number in gone if _is_nowhere(table.texts(number), elsewhere)]
        gone = [number for number in gone if not _is_respelled(table.texts(number), file, old)]
        gone = [number for number in gone if not _is_reworded(number, table, places, old, new, text.split("\n"))]
        if gone:
            others = bool(new) or all(at + 1 in file.added_numbers for at in places.values())
            yield _hit(file, table, gone, min(places.values()) + 1, others, change)


def _hit(file: FileChange, table: Table, gone: Sequence[int], line: int, others: bool, change: Change) -> Hit:
    """A list of single words that only became shorter may be one of anything."""
    missed = [number for number in gone if not _went_with_product(number, table, change)]
    missed = [number for number in missed if others or len(table.rows[number]) > 1]
    if table.asserted and any(_is_product(each, change) for each in change.files):
        missed = []  # what is asked one by one may be asked in other words
    row = cut(table.lines[(missed or gone)[0]].strip(), 100)
    more = f" (and {len(gone) - 1} more)" if len(gone) > 1 else ""
    rule = "test.fewer-cases" if missed else "test.somewhat-weaker"
    return hit_at(rule, file.path, line, f"of a table of cases this row is gone: {row}{more}", "")


def _is_nowhere(texts: frozenset[str], text: str) -> bool:
    return bool(texts) and not any(_stands(each, text) for each in texts)


def _places(table: Table, gone: Sequence[int], text: str, added: AbstractSet[int]) -> dict[int, int]:
    """The lines of the head in which the other rows are, as they were or newly written, near one another."""
    lines, kept = text.split("\n"), frozenset(table.lines)
    ends = list(accumulate(len(line) + 1 for line in lines))
    found: list[tuple[int, int]] = []
    for number, row in enumerate(table.rows):
        if number in gone or not row:
            continue
        longest = sorted(table.own[number] or row, key=len)[-2:]
        for at in chain.from_iterable(_lines_with(each, text, ends) for each in longest):
            near = "\n".join(lines[at : at + len(row) + BETWEEN])
            new = at + 1 in added or lines[at] in kept
            if new and (_has(lines[at], row) or _has(near, row)):
                found.append((at, number))
    return _densest(sorted(found), ROOM * len(table.rows) + ABOVE)


def _lines_with(constant: str, text: str, ends: Sequence[int]) -> Iterator[int]:
    at, times = text.find(constant), 0
    while at >= 0 and times < MOST_ROWS:
        yield (line := bisect_right(ends, at))
        at, times = text.find(constant, ends[line]), times + 1


def _has(text: str, row: Row) -> bool:
    """All of it, or all but what the row may be called by."""
    missing = sum(each not in text or _apart(each).search(text) is None for each in row)
    return missing == 0 or (missing == 1 and len(row) > FEWEST_LEFT)


def _densest(found: Sequence[tuple[int, int]], room: int) -> dict[int, int]:
    """Of so many lines those in which most rows are, each with its line."""
    best: dict[int, int] = {}
    for start in range(len(found)):
        if len(found) - start <= len(best):
            break
        inside = (each for each in found[start:] if each[0] - found[start][0] <= room)
        rows: dict[int, int] = {}
        for at, number in inside:
            rows.setdefault(number, at)
        best = rows if len(rows) > len(best) else best
        if len(rows) == len({number for _, number in found}):
            break
    return best


def _are_alike(places: dict[int, int], lines: Sequence[str]) -> bool:
    """Half of the lines and two at least have one form, as rows have."""
    forms = Counter("".join(CONSTANT.sub("", lines[at]).split()) for at in set(places.values()))
    return bool(forms) and max(forms.values()) >= max(FEWEST_LEFT, (len(places) + 1) // 2)


def _rows_beside(places: dict[int, int], lines: Sequence[str]) -> list[Row]:
    first, last = max(min(places.values()) - BETWEEN, 0), max(places.values()) + 2 * BETWEEN
    return [row for line in lines[first:last] if (row := constants_of(line))]


def _is_reworded(
    number: int, table: Table, places: dict[int, int], old: str, new: Sequence[Row], lines: Sequence[str]
) -> bool:
    """A new row beside the others is like this one, or it is the only one in its place."""
    fresh = {each for row in new for each in row if not _stands(each, old)}
    if any(_ratio(one, other) >= ALIKE for one in table.texts(number) for other in fresh):
        return True
    if any(not table.own[number].isdisjoint(row) for row in new):
        return True
    above = max((places[each] for each in places if each < number), default=None)
    below = min((places[each] for each in places if each > number), default=None)
    if above is None or below is None or above >= below:
        return False
    between = [line for line in lines[above + 1 : below] if constants_of(line)]
    went = sum(1 for each in range(len(table.rows)) if each not in places and _between(each, number, places))
    return bool(between) and len(between) == went


def _is_respelled(texts: frozenset[str], file: FileChange, old: str) -> bool:
    """It stands somewhere in nearly the same words."""
    added = (line.decode("utf-8", "replace") for _, line in file.added() if len(line) <= LONGEST)
    fresh = islice((each for line in added for each in constants_of(line)), MOST_FRESH)
    near = ((one, other) for other in fresh for one in texts if abs(len(one) - len(other)) * 4 <= len(one))
    return any(_ratio(one, other) >= THE_SAME and not _stands(other, old) for one, other in near)


def _between(one: int, other: int, places: dict[int, int]) -> bool:
    """No row that stayed is between these two."""
    return not any(min(one, other) < each < max(one, other) for each in places)


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _is_told(row: Row) -> bool:
    """Nothing of it may be spelled in another way."""
    return all(each.isascii() and "\\" not in each for each in row)


def _elsewhere(file: FileChange, change: Change) -> str:
    """What the other files of tests of the change have."""
    others = (each for each in change.files if each.path != file.path and not each.binary and each.status != "D")
    tests = (each.path for each in others if _is_of_tests(each, change))
    return "\n".join(as_text(data) for path in tests if len(data := change.blobs.after(path) or b"") <= MOST_BYTES)


def _is_product(file: FileChange, change: Change) -> bool:
    return not DOCUMENTS.search(file.path) and not _is_of_tests(file, change)


def _is_of_tests(file: FileChange, change: Change) -> bool:
    return stands_among_tests(file.path, language(file, change))


def _went_with_product(number: int, table: Table, change: Change) -> bool:
    """A line of the product that went said what the row alone has, or a line of a document that came does."""
    others = set(WORD.findall("\n".join(line for at, line in enumerate(table.lines) if at != number)))
    words = {*WORD.findall(table.lines[number])} - others
    for file in change.files:
        if file.binary or _is_of_tests(file, change):
            continue
        document = DOCUMENTS.search(file.path) is not None
        text = as_text(file.added_text if document else b"\n".join(file.removed()))
        if any(each in text for each in table.texts(number)) or not words.isdisjoint(WORD.findall(text)):
            return True
    return False


def _stands(constant: str, text: str) -> bool:
    return constant in text and _whole(constant).search(text) is not None


@cache
def _whole(constant: str) -> re.Pattern[str]:
    before = r"(?<![\w.])" if re.match(r"\w", constant) else ""
    after = r"(?![a-zA-Z_]{3}|\d)" if re.search(r"\w$", constant) else ""
    return re.compile(f"{before}{re.escape(constant)}{after}")


@cache
def _apart(constant: str) -> re.Pattern[str]:
    """It is a constant of its own, with or without quotes."""
    before = r"(?<![^\s\"'`,|;(\[{=:>&$/])"
    after = r"(?![^\s\"'`,|;)\]}<mMfFdDlLuUi_.])"
    return re.compile(f"{before}{re.escape(constant)}{after}")


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (given_up,)
