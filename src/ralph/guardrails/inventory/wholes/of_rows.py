"""Members of all elements of an answer beside a written list, where the answer is compared whole now (class G05).

    jobs.forEach((job, i) => expect(job.every).toBe(expected[i].every))       // [{ name: "ping", every: 30 }]
    assert.deepEqual(parse(text), [{ name: "ping", every: 30, command: "ping -c1 db" }])

Rules: such a question is not missed where the head says exactly what a whole list is, be it in a helper of its own:

- It has as many elements, and each has under the same name what the written list had for it. Rows that are made into
  records (`.map(([name, every]) => ({ name, every }))`, `[{"name": n} for n in rows]`) have it in any place, and the
  record names the member.
- It is the answer of a function that the base asked, or the list had three constants or more: fewer may stand there by
  chance. Where the written list was empty, an empty one is wanted: nothing was asked of any element.
- A subject that is made of the wanted values is another thing, and so is a list in any order, or one with others.
- Nor is it missed that there are as many elements as the list has, where all that was asked of them is held so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ralph.guardrails.commas import OPENING, between_commas, marks, step
from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.rows.sources import STRING
from ralph.guardrails.inventory.wanted.values import CONSTANT
from ralph.guardrails.inventory.wholes.of_answers import DOUBLE, ENTRY, WORDS
from ralph.system.patterns import later

_MEMBER = r"(?:\.(?P<name>\w+)|\[:?[\"']?(?P<key>\w+)[\"']?\])"
AT_A_PLACE = later(rf"(?P<list>.*)\[(?P<index>[a-z]\w*)\]{_MEMBER}", re.DOTALL)
OF_A_ROW = later(rf"(?P<row>[a-z]\w*){_MEMBER}")
COUNTED = later(r"len\((?P<of>.*)\)|(?P<list>.*)\.(?:length|size|count)(?:\(\))?", re.DOTALL)
TYPED = later(r"(?:vec!|\[\]\*?[\w.]+(?=\{)|(?:List|Arrays)\.(?:of|asList)|listOf|new\[\]\s*)?(?=[\[({])")
ROW = later(r"(?:&?[\w.]*|new\s+\w+)[\[({]")
FUNCTION = later(r"(?<!\w)(?:\w+[.:]+)*(?P<last>\w+)\(")
WORDY = frozenset(
    ("len", "zip", "enumerate", "range", "list", "sorted", "map", "filter", "readFileSync", "URL", "open")
)
FEWEST = 3


class _Asked(NamedTuple):
    """Of a written list, which member of each row was wanted."""

    rows: tuple[str, ...]
    member: str


def in_whole_rows(check: Check, before: Facts, after: Facts) -> bool:
    if (counted := COUNTED.fullmatch(check.wanted)) is not None:
        rows = _rows(counted["of"] or counted["list"])
        beside = [
            each for each in before.checks if rows is not None and (asked := _asked(each)) and asked.rows == rows[0]
        ]
        return bool(beside) and all(_is_held(each, before, after) for each in beside)
    return _is_held(check, before, after)


def _is_held(check: Check, before: Facts, after: Facts) -> bool:
    asked = _asked(check)
    values = [_value(row, asked.member) for row in asked.rows] if asked is not None else []
    if asked is None or any(each is None or not (CONSTANT.fullmatch(each) or each in WORDS) for each in values):
        return False
    constants = CONSTANT.findall(" ".join(asked.rows))
    functions = frozenset(_functions(before))
    for subject, whole in _wholes(before, after):
        rows, own = _rows(whole), frozenset(_called(subject))
        if rows is None or not own or len(rows[0]) != len(values) or any(each in subject for each in constants):
            continue
        told = all(_has(row, asked.member, value, rows[1]) for row, value in zip(rows[0], values, strict=True))
        if told and (not own.isdisjoint(functions) or not values or len(constants) >= FEWEST):
            return True
    return False


def _asked(check: Check) -> _Asked | None:
    if check.relation != "==" or check.grade < Grade.CLOSE:
        return None
    at = AT_A_PLACE.fullmatch(check.wanted)
    if at is not None:
        written = at["list"]
    else:
        at = OF_A_ROW.fullmatch(check.wanted)
        beside = [each for each in (*check.pairs, check.over.removesuffix(".entries()")) if TYPED.match(each)]
        if at is None or len(beside) != 1 or (check.pairs and len(check.pairs) != 2):
            return None
        written = beside[0]
    rows = _rows(written)
    return _Asked(rows[0], at["name"] or at["key"]) if rows is not None and not rows[1] else None


def _functions(facts: Facts) -> Iterator[str]:
    """What the base asked: the functions whose answers it looked at."""
    for check in facts.checks:
        for text in (check.subject, check.over, *check.pairs):
            yield from _called(text)


def _called(text: str) -> Iterator[str]:
    return (match["last"] for match in FUNCTION.finditer(text) if match["last"] not in WORDY)


def _wholes(before: Facts, after: Facts) -> Iterator[tuple[str, str]]:
    """What the head, and not the base, says that something is."""
    known = {each.key for each in before.checks}
    for each in after.checks:
        certain = each.relation == "==" and each.grade is Grade.EXACT and not each.perhaps and each.key not in known
        if not certain or DOUBLE.search(each.subject):
            continue
        if each.wanted:
            yield each.subject, each.wanted
        else:
            parts = between_commas(each.subject, STRING)
            if len(parts) == 2:
                yield parts[0], parts[1]
                yield parts[1], parts[0]


def _rows(written: str) -> tuple[tuple[str, ...], str] | None:
    """The elements of a list, and how each of them is made into what is compared, if it is."""
    made = ""
    if written.startswith("[") and (around := _comprehended(written)) is not None:
        made, written = around
    typed = TYPED.match(written)
    if typed is None:
        return None
    start, depth = typed.end(), 0
    for at, letter in marks(written, STRING, start):
        depth += step(letter)
        if not depth:
            rest = written[at + 1 :]
            if rest and not rest.startswith((".map(", ".map {")):
                return None
            inner = written[start + 1 : at]
            return tuple(each for each in between_commas(inner, STRING) if each), made + rest
    return None


def _comprehended(written: str) -> tuple[str, str] | None:
    """`[{"name": n} for n, e in ROWS]`: what is made, and the rows."""
    made, separated, rest = written[1:-1].partition(" for ")
    _, _, rows = rest.partition(" in ")
    return (made, rows) if separated and made.startswith(("{", *OPENING)) and TYPED.match(rows) else None


def _entries(row: str) -> list[str]:
    begin = ROW.match(row)
    return between_commas(row[begin.end() : -1], STRING) if begin is not None else [row]


def _value(row: str, member: str) -> str | None:
    """What a record has under a name."""
    for part in _entries(row):
        entry = ENTRY.fullmatch(part)
        if entry is not None and entry["name"] == member:
            return entry["value"]
    return None


def _has(row: str, member: str, value: str | None, made: str) -> bool:
    if made:
        names = (
            part.partition(":")[0].strip().strip("\"'").rpartition(" ")[2].lstrip("({") for part in made.split(",")
        )
        return member in {name.strip("\"' ") for name in names} and value in _entries(row)
    return _value(row, member) == value
