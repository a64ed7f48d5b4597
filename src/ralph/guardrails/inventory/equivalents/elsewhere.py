"""What an edited test no longer asks, and a new test asks (policy set v2, class G05).

Rules: an assertion that is gone is for a person where a test that the change adds, about the same things,

- asks the same function the same, as a row of its table says;
- wants the same telling constant in the same way, of whatever it is that gives it now (a test that was split);
- looks for the same text in the same way, which the old one no longer speaks of (a test that was split, too); or, as
  the product changed with it,
- asks the very same of the product, and wants another answer; or
- wants one certain value of a function that the old one asked for less.

What was asked of something deprecated may go with the warning (`deprecated`), and what was asked of an element that a
shorter list has no longer with the element (`beyond`). A loop may be written out (`written_out`).

Each of them answers for one only, and is no weaker. Where the product changed and one is answered for, that something
was there for it is not missed, either. Nor is one missed that asks for what the product no longer has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from ralph.guardrails.inventory.equivalents.ledger import Ledger
from ralph.guardrails.inventory.equivalents.units import Units
from ralph.guardrails.inventory.equivalents.written_out import is_written_out
from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import ROW, Check, Grade, Test
from ralph.guardrails.inventory.product_changes.context import Context
from ralph.guardrails.inventory.product_changes.deprecated import of_deprecated
from ralph.guardrails.inventory.rows.sources import parts_of_list
from ralph.guardrails.inventory.wanted.coarser import CALLED
from ralph.guardrails.inventory.wholes.beyond import beyond_end
from ralph.system.patterns import later

Row = tuple[str, str, tuple[str, ...]]
"""The function, how it is asked, and the pieces: what is given and what is wanted."""
CALL = later(r"(?P<name>[\w.]+)\((?P<given>.*)\)")
SEARCHED = later(r"\.\w+\((?P<text>'[^'\n]{4,}'|\"[^\"\n]{4,}\")\)$")
"""A last call that is given a text."""
TELLING = later(r".*[^\W\d_]{3}.*[^\w\"'`].*[^\W\d_]{2}.*")
"""Two words at least."""


def stand_in_new(gone: Sequence[Check], pair: Pair, ledger: Ledger, context: Context) -> list[Check]:
    """Those of the assertions that are answered for."""
    offered = list(_offered(pair, ledger)) if gone else []
    rows = [row for test in _added(pair, ledger) for row in _rows(test, ledger)] if offered else []
    with_product = bool(offered) and context.product_changed and context.concerns(pair.new)
    left = pair.new.facts().literals if offered else frozenset()
    ways = (_same_constant, partial(_same_search, left), *((_same_question, _all_of_it) if with_product else ()))
    answered = [check for check in gone if _row(check) in rows or any(_taken(check, offered, way) for way in ways)]
    if with_product:
        there = [*pair.new.facts().checks, *(each for test in _added(pair, ledger) for each in test.facts().checks)]
        answered += [check for check in gone if is_written_out(check, pair, there)]
    if answered and with_product:
        answered += [check for check in gone if check.grade is Grade.EXISTS]
    past = beyond_end(gone, pair) if gone and context.product_changed and context.concerns(pair.new) else ()
    return [
        *answered,
        *past,
        *context.asking_for_gone(gone, pair),
        *(of_deprecated(gone, context.warning_less) if gone else ()),
    ]


def _taken(check: Check, offered: Iterable[Units], way: Callable[[Check, Check], bool]) -> bool:
    for unit in offered:
        if unit.left and unit.check.grade >= check.grade and way(unit.check, check):
            unit.left -= 1
            return True
    return False


def _offered(pair: Pair, ledger: Ledger) -> Iterator[Units]:
    for test in _added(pair, ledger):
        yield from ledger.gained_of.get(id(test), ())


def _added(pair: Pair, ledger: Ledger) -> Iterator[Test]:
    words = pair.old.facts().words
    for test in ledger.added:
        if test.kind == "test" and test.path == pair.new.path and test.facts().words & words:
            yield test


def _rows(test: Test, ledger: Ledger) -> Iterator[Row]:
    """What a table asks in each of its rows, where an assertion runs for all of them."""
    cases = test.facts().cases or ()
    for unit in ledger.gained_of.get(id(test), ()):
        asked = CALL.fullmatch(unit.check.subject)
        if asked is not None and unit.check.grade is Grade.EXACT and unit.check.times == len(cases):
            for row in cases:
                yield asked["name"], unit.check.relation, tuple(row.split(ROW))


def _row(check: Check) -> Row | None:
    """An assertion, as a row would write it."""
    asked = CALL.fullmatch(check.subject)
    if asked is None:
        return None
    return asked["name"], check.relation, (*parts_of_list(asked["given"]), check.wanted)


def _same_constant(new: Check, old: Check) -> bool:
    same = new.relation == old.relation and new.wanted == old.wanted
    return same and old.known and new.known and TELLING.fullmatch(old.wanted) is not None


def _same_search(left: frozenset[str], new: Check, old: Check) -> bool:
    """`left`: the constants that the edited test still has."""
    was, now = SEARCHED.search(old.subject), SEARCHED.search(new.subject)
    if was is None or now is None or was[0] != now[0]:
        return False
    return (new.relation, new.wanted) == (old.relation, old.wanted) and was["text"] not in left


def _same_question(new: Check, old: Check) -> bool:
    return new.relation == old.relation and new.subject == old.subject and bool(CALLED.search(old.subject))


def _all_of_it(new: Check, old: Check) -> bool:
    if old.grade > Grade.SHAPE or new.grade is not Grade.EXACT:
        return False
    return bool(_asked(old.subject)) and _asked(old.subject) == _asked(new.subject)


def _asked(subject: str) -> frozenset[str]:
    return frozenset(CALLED.findall(subject))
