"""What was given to the product and taken, and is refused now (policy set v2, classes G04 and G05).

Rules, where product code changed that the test can notice:

- A test gave a long text, on a line that asserted that it is taken and more. A new assertion says of the same call,
  with the same text, that it fails: what the line asserted is another answer now, and for a person.
- A test that is gone did so, and one that arrives in its file, under its name and a word more, gives the same text to
  the same functions and waits for a failure: it was written anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ralph.guardrails.inventory.ledger import Ledger
from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check, Facts, Test
from ralph.guardrails.inventory.values import CONSTANT, is_refusal
from ralph.system.patterns import later

SHORTEST = 20
"""A shorter text may be given by chance."""
NOTHING = frozenset({"nil", "null", "undefined", "None"})
CALLED = later(r"\b([A-Za-z_]\w{3,})\(")
WORD = later(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
FEWEST_WORDS = 3


def lines_refused(pair: Pair, ledger: Ledger) -> frozenset[int]:
    """The lines of the old test whose calls fail now."""
    failing = {each.check.subject for units in ledger.gained_of.values() for each in units if _fails(each.check)}
    if not failing:
        return frozenset()
    taken = (check for check in pair.old.facts().checks if _is_taken(check) and check.subject in failing)
    return frozenset(check.line for check in taken if any(_long_texts(check.subject)))


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
