"""What was given to the product and taken, and is refused now (policy set v2, classes G04 and G05).

Rules, where product code changed that the test can notice:

- A test gave a long text, on a line that asserted that it is taken and more. A new assertion says of the same call,
  with the same text, that it fails: what the line asserted is another answer now, and for a person.
- So is all that a test asked of the answer of a call that fails now, with an error that the product came to give
  (see `raised_now`).
- A test that is gone did so, and one that arrives in its file, under its name and a word more, gives the same text to
  the same functions and waits for a failure: it was written anew.
- A row of a table is gone whose test only says what is refused. A test that is new gives a text that only this row
  had, and says with which error that is refused: with another one than before, by another way to ask.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.equivalents.ledger import Ledger
from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check, Facts, Grade, Test
from ralph.guardrails.inventory.product_changes.raised_now import OF_GO, Refuses, asks_of, refused_calls
from ralph.guardrails.inventory.wanted.values import CONSTANT, is_refusal
from ralph.system.patterns import later

SHORTEST = 20
"""A shorter text may be given by chance."""
SHORTEST_OF_ROW, MOST_ROWS = 6, 20
"""With its quotes, and of one row alone."""
NOTHING = frozenset({"nil", "null", "undefined", "None"})
CALLED = later(r"\b([A-Za-z_]\w{3,})\(")
WORD = later(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
FEWEST_WORDS = 3


def lines_refused(pair: Pair, ledger: Ledger, refuses: Refuses) -> frozenset[int]:
    """The lines of the old test whose calls fail now. `refuses`: whether the product gives an error now."""
    refused = refused_calls((each.check for each in ledger.gained_of[id(pair.new)]), refuses)
    lines = frozenset(check.line for check in pair.old.facts().checks if refused and asks_of(check, refused))
    failing = {each.check.subject for units in ledger.gained_of.values() for each in units if _fails(each.check)}
    if not failing:
        return lines
    taken = (check for check in pair.old.facts().checks if _is_taken(check) and check.subject in failing)
    return lines | {check.line for check in taken if any(_long_texts(check.subject))}


def rows_refused(pair: Pair, added: Sequence[Test]) -> bool:
    """Each row that is gone from a table of refusals is refused in a test of its own."""
    before, after = pair.old.facts(), pair.new.facts()
    felt = [check for check in before.checks if check.grade]
    if not felt or not all(map(_is_certain_refusal, felt)):
        return False
    kept = _texts_of(after.cases or ())
    gone = [_texts_of([row]) - kept for row in before.cases or () if row not in (after.cases or ())]
    if not 0 < len(gone) <= MOST_ROWS:
        return False
    refusing = (test for test in added if test.kind == "test" and any(map(_is_certain_refusal, test.facts().checks)))
    said = [frozenset(test.facts().literals) for test in refusing]
    return all(any(texts & known for known in said) for texts in gone)


def _is_certain_refusal(check: Check) -> bool:
    """A certain error, or its message."""
    refuses = is_refusal(check) or check.relation in OF_GO
    return refuses and check.grade >= Grade.CLOSE and not check.perhaps


def _texts_of(rows: Sequence[str]) -> frozenset[str]:
    return frozenset(each for row in rows for each in CONSTANT.findall(row) if len(each) >= SHORTEST_OF_ROW)


def is_refused_now(test: Test, added: Sequence[Test]) -> bool:
    """`test` is gone, `added` are those that arrived."""
    facts = test.facts()
    if not any(_is_taken(check) for check in facts.checks):
        return False
    given = [each[1:-1] for each in facts.literals if len(each) >= SHORTEST]
    words = WORD.findall(test.parts[-1])
    for other in added:
        same = other.kind == "test" and other.path == test.path and other.parts[:-1] == test.parts[:-1]
        if not same or len(words) < FEWEST_WORDS or not _has_more(WORD.findall(other.parts[-1]), words):
            continue
        new = other.facts()
        if _asked(new) & facts.words and any(each in text for each in given for text in new.literals):
            return True
    return False


def _is_taken(check: Check) -> bool:
    return check.relation == "==" and check.wanted in NOTHING and bool(check.grade)


def _fails(check: Check) -> bool:
    refuses = check.relation == "!=" and check.wanted in NOTHING
    return (refuses or is_refusal(check)) and bool(check.grade) and not check.perhaps


def _long_texts(subject: str) -> Iterator[str]:
    return (each for each in CONSTANT.findall(subject) if len(each) >= SHORTEST)


def _has_more(longer: Sequence[str], words: Sequence[str]) -> bool:
    rest = iter(longer)
    return len(longer) > len(words) and all(word in rest for word in words)


def _asked(facts: Facts) -> frozenset[str]:
    """The functions of which it says that they fail."""
    calls = (CALLED.search(CONSTANT.sub(" ", check.subject)) for check in facts.checks if _fails(check))
    return frozenset(call[1] for call in calls if call is not None)
