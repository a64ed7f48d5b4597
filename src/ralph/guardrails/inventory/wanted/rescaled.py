"""Numbers of a test that are given and wanted in another unit now, one of which is another one (class G05).

    expect(totals(line(9.99))).toEqual({ net: 9.99, vat: 1.9 });      // euros
    expect(totals(line(999))).toEqual({ net: 999, vat: 189 });        // cents: 190 was wanted

Rules:

- What a test gives the product is so many times what it was (10, 100, 1000 and so on, 60, 1024), wherever it is another
  one at all. What it wants is, too; a number that is near to that, and could be the very one, is another value: it is
  for a person, as one in the old unit is. What has fewer digits than the unit needs was rounded on the way.
- Where what is wanted is less by one of its last digits, the product truncates where it rounded, and a document goes on
  to demand that it rounds (`truncated`), the test was bent to the code: it blocks, in the old unit as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.findings import at, written
from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import ROW, Check
from ralph.guardrails.inventory.product_changes.context import Context
from ralph.guardrails.inventory.wanted.truncated import demanded_rounding
from ralph.guardrails.model import Change, Hit
from ralph.record import record
from ralph.system.patterns import later

NUMBER = later(r"(?<![\w.])-?\d[\d_]*(?:\.\d+)?")
UNITS = (*(10.0**power for power in range(1, 10)), 60.0, 3600.0, 86400.0, 24.0, 1024.0, 1024.0**2)
FACTORS = (1.0, *UNITS, *(1 / each for each in UNITS))
NEAR = 0.05
"""So far off is still the same number, but for how it was rounded."""
WANTS = frozenset({"==", "~", "snapshot =="})


@record
class Question:
    """What is given and wanted on both sides, number by number."""

    new: Check | None
    told: str
    given: Sequence[tuple[str, str]]
    wanted: Sequence[tuple[str, str]]


def rescaled(pair: Pair, context: Context, change: Change) -> Iterator[Hit]:
    questions = list(_questions(pair))
    given = [each for question in questions for each in question.given if _value(each[0]) != _value(each[1])]
    factor = _factor(given) if given else 1.0
    if factor is None or any(_is_another(*each, factor) for question in questions for each in question.wanted):
        return
    other = [
        (question, was, now)
        for question in questions
        for was, now in question.wanted
        if _value(was) != _value(now) and not _is_exactly(was, now, factor)
    ]
    if not other:
        return
    question, was, now = other[0]
    wanted = _value(was) * factor
    detail = f"{pair.new.name}: {question.told}: {was} became {now}, where {wanted:.12g} would be the same"
    if all(_is_cut(old, new, factor) for _, old, new in other) and (told := demanded_rounding(change, pair.new)):
        yield at(
            pair.new, "test.weakened", f"{pair.new.name} rounding", f"{detail}; {told} demands rounding", question.new
        )
    elif factor != 1.0:
        rule = "test.expected-changed-with-code" if context.concerns(pair.new) else "test.expected-changed"
        yield at(pair.new, rule, f"{pair.new.name} unit", detail, question.new)


def _questions(pair: Pair) -> Iterator[Question]:
    before, after = pair.old.facts(), pair.new.facts()
    if len(before.checks) == len(after.checks):
        for old, new in zip(before.checks, after.checks, strict=True):
            if old.key != new.key and old.relation in WANTS and new.relation in WANTS:
                yield from _asked(new, written(new), (old.subject, new.subject), (old.wanted, new.wanted))
    if before.cases and after.cases and len(before.cases) == len(after.cases):
        for was, row in zip(before.cases, after.cases, strict=True):
            if was != row:
                (given, _, wanted), (asked, _, expected) = was.rpartition(ROW), row.rpartition(ROW)
                yield from _asked(None, row.replace(ROW, ", "), (given, asked), (wanted, expected))


def _asked(new: Check | None, told: str, given: tuple[str, str], wanted: tuple[str, str]) -> Iterator[Question]:
    sides = [[NUMBER.findall(text) for text in texts] for texts in (given, wanted)]
    if all(len(old) == len(now) for old, now in sides):
        (old, now), (was, expected) = sides
        yield Question(new, told, list(zip(old, now, strict=True)), list(zip(was, expected, strict=True)))


def _value(number: str) -> float:
    return float(number.replace("_", ""))


def _factor(given: Sequence[tuple[str, str]]) -> float | None:
    """By how much all that is given differs; None if it does not differ by a unit."""
    one, other = map(_value, given[0])
    factor = next((each for each in FACTORS if one and math.isclose(other, one * each, rel_tol=1e-9)), None)
    if factor is None or not all(math.isclose(_value(now), _value(was) * factor, rel_tol=1e-9) for was, now in given):
        return None
    return factor


def _digit(number: str) -> float:
    """What its last digit counts."""
    return 10.0 ** -len(number.partition(".")[2])


def _is_exactly(was: str, now: str, factor: float) -> bool:
    """The same, or as near to it as so many digits tell."""
    wanted, digit = _value(was) * factor, _digit(now)
    whole = math.isclose(wanted / digit, round(wanted / digit), rel_tol=1e-9, abs_tol=1e-6)
    return math.isclose(_value(now), wanted, rel_tol=1e-9) or (not whole and abs(_value(now) - wanted) < digit)


def _is_another(was: str, now: str, factor: float) -> bool:
    """It is something else that is asked: neither what it was, nor near to the same in the new unit."""
    if _value(was) == _value(now):
        return False
    wanted = _value(was) * factor
    digit = min(_digit(now), _digit(was) if factor == 1.0 else math.inf)
    return abs(_value(now) - wanted) > max(abs(wanted) * NEAR if factor != 1.0 else 0.0, digit * 1.001)


def _is_cut(was: str, now: str, factor: float) -> bool:
    """It is less by one of its last digits, as what was cut off there is."""
    wanted = _value(was) * factor
    digit = min(_digit(now), _digit(was) if factor == 1.0 else math.inf)
    return 0 < abs(wanted) - abs(_value(now)) <= digit * 1.001
