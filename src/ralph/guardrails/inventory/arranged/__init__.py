"""What a test itself arranges so that what it asserts holds, whatever the product does (classes G05 and G06).

The assertions are those of the base, word for word; what is new stands before them. A module for each way:

- `given`: what it looks at is given the wanted constant just before.
- `altered`: the answer is emptied, filled, counted up, or gets the constant around it.
- `in_place`: a list or mapping that came of a call loses or gets elements, or is put in order.
- `state`: a member of an object on which something was called is filled or emptied.
- `stale`: an object is no longer loaded again before it is looked at.
- `overwritten`: between answer and assertion the variable is given a constant (asked where assertions are read).
- `equal`: one side is made the other.
- `corrected`: a wrong answer is put right, an error is made where none came.
- `done`: the test does the product's work, or a double's.
- `asked`: what it asked the product, it now asks itself.
- `subclassed`: a class of its own answers for the product's.
- `own_method`: a method of the object that it asks answers what it wants.
- `own_decision`: a method of the object that it asks says yes or no for it.
- `if_there`: it asserts only where an answer came.
- `doubles`: the expectation of a double asks for less.
"""

from __future__ import annotations

from collections.abc import Iterator

from ralph.guardrails.bats.answered import answers_itself
from ralph.guardrails.inventory.arranged.altered import altered, shifted
from ralph.guardrails.inventory.arranged.asked import asked_itself, uses_no_product
from ralph.guardrails.inventory.arranged.corrected import corrected
from ralph.guardrails.inventory.arranged.done import done_itself
from ralph.guardrails.inventory.arranged.doubles import asked_less
from ralph.guardrails.inventory.arranged.edits import Edits
from ralph.guardrails.inventory.arranged.equal import made_equal
from ralph.guardrails.inventory.arranged.given import put_there
from ralph.guardrails.inventory.arranged.if_there import asked_if_there
from ralph.guardrails.inventory.arranged.in_place import changed_in_place
from ralph.guardrails.inventory.arranged.own_decision import decides_itself
from ralph.guardrails.inventory.arranged.own_method import stubs_own_method
from ralph.guardrails.inventory.arranged.stale import no_longer_loaded
from ralph.guardrails.inventory.arranged.state import state_put_right
from ralph.guardrails.inventory.arranged.subclassed import asks_own_class
from ralph.guardrails.inventory.findings import at, written
from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check
from ralph.guardrails.inventory.product_changes.context import Context
from ralph.guardrails.model import Change, Hit
from ralph.guardrails.plainshell.answered import gives_itself

WEAKENED = "test.weakened"


def arranged(pair: Pair, context: Context, change: Change) -> Iterator[Hit]:
    edits = Edits(pair)
    if (path := put_there(pair, edits)) is not None:
        yield _hit(pair, f"the test gives {path} a constant before it looks at it")
    elif (statement := _altered(pair, edits)) is not None:
        yield _hit(pair, f"the test alters what it looks at behind: `{statement}`")
    elif (changed := changed_in_place(edits)) is not None:
        rule = WEAKENED if changed.plain else "test.somewhat-weaker"
        yield _hit(pair, f"the test changes what it looks at behind: `{changed.statement}`", rule)
    if (check := shifted(pair)) is not None and not context.concerns(pair.new):
        yield _hit(pair, f"the test puts a number on the answer: `{written(check)}`", check=check)
    if (statement := done_itself(edits) or made_equal(edits) or corrected(edits)) is not None:
        yield _hit(pair, f"the test itself makes what it asserts true: `{statement}`")
    if (statement := asked_if_there(edits)) is not None:
        yield _hit(pair, f"nothing is asserted where nothing came: `{statement}`")
    yield from _subject(pair, edits, context, change)
    less = {
        "a double asks for less": asked_less(edits),
        "the test no longer loads what it looks at": no_longer_loaded(edits),
    }
    for told, statement in less.items():
        if statement is not None:
            rule = "test.somewhat-weaker" if context.concerns(pair.new) else WEAKENED
            yield _hit(pair, f"{told}: `{statement}`", rule)


def _subject(pair: Pair, edits: Edits, context: Context, change: Change) -> Iterator[Hit]:
    """What the test asks is no longer the product's."""
    if (check := asked_itself(pair, change)) is not None and not context.names_gone(pair.old):
        yield _hit(
            pair, f"the test does itself what it asked the product: `{written(check)}`", "test.subject-faked", check
        )
    elif (check := uses_no_product(pair)) is not None and not context.names_gone(pair.old):
        yield _hit(pair, f"nothing of the product is used any more: `{written(check)}`", "test.subject-faked", check)
    if (check := asks_own_class(pair, change)) is not None:
        yield _hit(pair, f"a class of the test's own answers: `{written(check)}`", "test.subject-faked", check)
    if (statement := stubs_own_method(edits)) is not None:
        yield _hit(pair, f"what it asks is made to answer what it wants: `{statement}`", "test.subject-faked")
    elif (decided := decides_itself(pair, edits, change)) is not None:
        rule = "test.subject-faked" if decided[1] else "test.somewhat-weaker"
        yield _hit(pair, f"the test decides for what it asks: `{decided[0]}`", rule)


def _altered(pair: Pair, edits: Edits) -> str | None:
    return altered(pair) or answers_itself(pair) or gives_itself(edits) or state_put_right(edits)


def _hit(pair: Pair, detail: str, rule: str = WEAKENED, check: Check | None = None) -> Hit:
    return at(pair.new, rule, pair.new.name, f"{pair.new.name}: {detail}", check)
