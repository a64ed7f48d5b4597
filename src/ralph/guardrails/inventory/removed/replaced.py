"""Tests that are gone, and in whose place others arrive (policy set v2, class G04).

Rules:

- It is for a person where other tests arrive that name the same things and demand as much, or where the product changed
  and one of them says what the very same call gives now that gave nothing. What one says of a whole answers for all
  that was said of its parts.
- It blocks where nothing ties them to the test that is gone but the function that they ask, and no product code
  changed: their names have no telling word in common, and they give and want other constants.
- It blocks where one of them asks the very same question and takes any answer, or another exception, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.inventory.equivalents.ledger import Ledger
from ralph.guardrails.inventory.match import Matching
from ralph.guardrails.inventory.model import Check, Grade, Test
from ralph.guardrails.inventory.product_changes.context import Context
from ralph.guardrails.inventory.wanted.coarser import CALLED
from ralph.guardrails.inventory.wanted.values import CONSTANT, is_something, kinds_of
from ralph.guardrails.inventory.wholes.implied import is_part
from ralph.guardrails.inventory.wholes.orders import words_of
from ralph.guardrails.source import remembered
from ralph.system.patterns import later

ASKED = later(r"\b(?!(?:len|str|repr|type|list|sorted|dict|set|tuple|int|bool|new)\b)[A-Za-z_]\w*(?=\()")
SAY_NOTHING = later(
    r"tests?|it|should|an?|the|of|for|with|in|is|are|be|to|and|or|on|by|from|when|if|that|as|not?|does|do|has|have"
    r"|returns?|gives?|works?|values?|results?|ok|cases?|basic|simple"
)
TRIVIAL = frozenset({"0", "1", "-1", "0.0", "1.0", "''", '""', "True", "False", "true", "false", "None", "null", "nil"})
STEM = 4
"""Words that begin with the same letters, so many, are one."""


def rewritten(
    test: Test, matching: Matching, ledger: Ledger, context: Context, heirs: frozenset[str] = frozenset()
) -> bool:
    """New tests name what it named, and demand as much; what edited tests gained counts where it asks the same function
    the same question. What they demand answers for one test only, and not for one that nothing ties them to. `heirs`:
    what does now what it asked."""
    needed = ledger.rest(test)
    words = test.facts().words | heirs
    new = [each for each in matching.added if each.kind == "test" and each.facts().words & words]
    offered = [unit for each in new for unit in ledger.gained_of.get(id(each), ())]
    if not needed:
        return bool(new)
    if new and not any(_is_tied(test, each) for each in new) and not context.concerned(test):
        return False
    if any(_takes_anything(unit.check, new) for unit in needed):
        return False
    edited = [pair.new for pair in matching.pairs if pair.new.kind == "test" and pair.new.facts().words & words]
    also = [unit for each in edited for unit in ledger.gained_of.get(id(each), ())]
    for unit in needed:
        if any(other.left and _holds(other.check, unit.check) for other in offered):
            unit.left = 0
        same = [other for other in also if _asks_the_same(unit.check, other.check)]
        for other in sorted((*offered, *same), key=lambda each: each.check.grade):
            fits = other.check.grade >= unit.check.grade or _gives(other.check, unit.check, context)
            if unit.left and other.left and fits:
                unit.take(other)
    return not any(unit.left for unit in needed)


def _holds(new: Check, old: Check) -> bool:
    """Of `rows[0] == "a"`: the new one says what all of `rows` is, and `"a"` is in it."""
    exact = min(old.grade, new.grade) is Grade.EXACT and old.relation == new.relation == "==" and old.known
    if not exact or not CONSTANT.fullmatch(old.wanted) or not is_part(old.subject, new.subject):
        return False
    return old.wanted in CONSTANT.findall(new.wanted)


def _takes_anything(old: Check, new: Sequence[Test]) -> bool:
    """The very same is asked, with the same constants, and not as strictly anywhere: any answer will do."""
    given = frozenset(CONSTANT.findall(old.subject))
    if not given or old.grade < Grade.CLOSE or not CALLED.search(old.subject):
        return False
    asked = [check for each in new for check in each.facts().checks if _is_the_question(old, given, check, each)]
    return bool(asked) and all(check.grade <= Grade.EXISTS or _refuses_more(check, old) for check in asked)


def _refuses_more(new: Check, old: Check) -> bool:
    """One of several exceptions will do, and no message is asked for."""
    refused = old.relation == new.relation == "raises" and new.grade < old.grade
    return refused and old.wanted.partition(" ")[0] in kinds_of(new) and len(kinds_of(new)) > 1


def _is_the_question(old: Check, given: frozenset[str], new: Check, test: Test) -> bool:
    """A row of a table may hold what is given."""
    if new.subject == old.subject:
        return new.relation != "helper"
    rows = test.facts().cases or ()
    refused = old.relation == new.relation == "raises" and CALLED.findall(old.subject) == CALLED.findall(new.subject)
    return refused and any(given <= {*CONSTANT.findall(new.subject), *CONSTANT.findall(row)} for row in rows)


def _gives(new: Check, old: Check, context: Context) -> bool:
    asked = new.subject == old.subject and bool(CALLED.search(old.subject))
    return asked and context.product_changed and is_something(new, old)


def _asks_the_same(old: Check, new: Check) -> bool:
    return old.relation == new.relation and bool(_called(old.subject) & _called(new.subject))


@remembered(20_000)
def _called(subject: str) -> frozenset[str]:
    return frozenset(CALLED.findall(subject))


def _is_tied(old: Test, new: Test) -> bool:
    """Something besides the function that both ask says that one came of the other."""
    before, after = old.facts(), new.facts()
    asked = frozenset(name for check in before.checks for name in ASKED.findall(check.subject))
    constants = before.literals - TRIVIAL
    if not asked or not constants or constants & after.literals:
        return True
    if before.cases != () or after.cases != () or len(old.parts) != len(new.parts):
        return True  # a table took it in, or the suite moves to another style
    if (before.words - asked) & after.words:
        return True
    plain = {part[:STEM] for name in asked for part in words_of(name)}
    return bool((_telling(old) & _telling(new)) - plain)


def _telling(test: Test) -> set[str]:
    return {word[:STEM] for word in words_of(test.parts[-1]) if not SAY_NOTHING.fullmatch(word)}
