"""Tests that a change takes away, and tests that it makes demand less.

Rules (policy set v2, classes G04 and G05; `match` says which test is which, `weaken` what an assertion lost):

- A test that is gone: see `removed.tests`. What was always skipped lost nothing when it is written anew.
- A test that another of its name now replaces is gone, however strong the other one is.
- A test under a new name is for a person; a test in another file or suite is no finding.
- An assertion that is gone, or demands clearly less, blocks; somewhat less is for a person. So is a loss in a test
  about something that the product no longer defines.
- So does the same question about less (`cut`), or an easier one (`inputs`), if no product code changed with it that the
  test can notice; not where it is only spelled in another way (`respelled`). A member that is no longer compared is
  less (`left_out`).
- Another expected value blocks if no product code changed with it that the test can notice: the test was made to agree.
  Else it is for a person.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice

from ralph.guardrails.inventory.arranged import arranged
from ralph.guardrails.inventory.arranged.attitude import attitudes, may_replace
from ralph.guardrails.inventory.equivalents.elsewhere import stand_in_new
from ralph.guardrails.inventory.equivalents.ledger import Ledger
from ralph.guardrails.inventory.equivalents.merged_arms import merged_into
from ralph.guardrails.inventory.equivalents.respelled import same_questions
from ralph.guardrails.inventory.equivalents.version_arms import other_version_left
from ralph.guardrails.inventory.failures.flags import fails_at_once
from ralph.guardrails.inventory.failures.handed_on import handed_on
from ralph.guardrails.inventory.failures.unfelt import may_drop, unfelt
from ralph.guardrails.inventory.findings import at, written
from ralph.guardrails.inventory.lending.helpers import Helpers
from ralph.guardrails.inventory.loss import Kind, Loss
from ralph.guardrails.inventory.match import Matching, Pair, match
from ralph.guardrails.inventory.model import Inventory, Test
from ralph.guardrails.inventory.product_changes.context import Context, sides_of
from ralph.guardrails.inventory.product_changes.defaults import of_default
from ralph.guardrails.inventory.product_changes.errors_of_gone import is_error_of_gone
from ralph.guardrails.inventory.product_changes.lost_members import LostMembers
from ralph.guardrails.inventory.product_changes.no_longer_said import is_withdrawn
from ralph.guardrails.inventory.product_changes.refused_now import lines_refused, rows_refused
from ralph.guardrails.inventory.readers import after, may_run
from ralph.guardrails.inventory.removed.commented import without_commented
from ralph.guardrails.inventory.removed.renamed_tests import renamed_tests
from ralph.guardrails.inventory.removed.tests import removed
from ralph.guardrails.inventory.rows.before_loop import stands_before_loop
from ralph.guardrails.inventory.rows.cut import cut_down, is_asked
from ralph.guardrails.inventory.rows.elsewhere import divided_by_truth, stand_elsewhere
from ralph.guardrails.inventory.rows.gone import only_of_gone
from ralph.guardrails.inventory.rows.inputs import other_inputs, trivial_rows
from ralph.guardrails.inventory.rows.left_behind import left_behind
from ralph.guardrails.inventory.rows.narrower import is_mild, restrictions
from ralph.guardrails.inventory.rows.recorded_rows import went_with_recordings
from ralph.guardrails.inventory.wanted.both_sides import coarse_helpers
from ralph.guardrails.inventory.wanted.compiled import accepted, is_declared
from ralph.guardrails.inventory.wanted.rescaled import rescaled
from ralph.guardrails.inventory.weaken import losses as losses_of
from ralph.guardrails.inventory.wholes.left_out import is_changing, is_open, left_out
from ralph.guardrails.model import Change, FileChange, Hit
from ralph.guardrails.python.removed.dead_branches import stands_in_dead_branch
from ralph.record import replace
from ralph.system.patterns import later

CALLED = later(r"(?<!\w)(\w+)\(")


def losses(change: Change, files: Iterable[FileChange]) -> Iterator[Hit]:
    """New files are read only where something is lost that they may hold, where they may replace what they test, or
    drop its failures."""
    listed = list(files)
    head = after(change)
    tells = (file for file in listed if file.status != "A" or may_replace(file) or may_drop(file))
    telling = (file for file in tells if file.status != "A" or may_run(file, change, head))
    sides = sides_of(change, telling)
    matching = _matched(sides, change)
    ledger = Ledger(matching)
    if matching.removed or ledger.any_lost:
        sides = sides_of(change, listed, sides)
        matching = _matched(sides, change)
        ledger = Ledger(matching)
    yield from _replaced(sides.values())
    yield from attitudes(matching)
    yield from unfelt(matching.added)
    yield from coarse_helpers(matching)
    context, helpers = Context(change, sides), Helpers(matching, change)
    ghosts = [ghost for _, new in sides.values() for ghost in new.ghosts]
    same = same_questions(matching.pairs)
    for pair in (each for each in matching.pairs if id(each.new) not in same and not each.old.facts().nowhere):
        yield from _weakened(pair, ledger, context, helpers, change)
    yield from removed(matching, ledger, ghosts, context, change)
    yield from renamed_tests(chain(matching.moved, matching.pairs), head)


def _matched(sides: Mapping[str, tuple[Inventory, Inventory]], change: Change) -> Matching:
    base = (test for old, _ in sides.values() for test in old.tests)
    twice = {(ghost.path, ghost.name) for old, _ in sides.values() for ghost in old.ghosts if ghost.twin}
    matching = match(base, (test for _, new in sides.values() for test in new.tests), twice)
    return without_commented(matching, change)


def _replaced(sides: Iterable[tuple[Inventory, Inventory]]) -> Iterator[Hit]:
    """Twins that the base did not have."""
    for old, new in sides:
        known = Counter(ghost.name for ghost in old.ghosts if ghost.twin)
        for ghost in new.ghosts:
            if ghost.twin and not known[ghost.name]:
                yield at(ghost, "test.replaced", ghost.name, f"{ghost.name}: {ghost.why}")
            known[ghost.name] -= ghost.twin


def _weakened(pair: Pair, ledger: Ledger, context: Context, helpers: Helpers, change: Change) -> Iterator[Hit]:
    """One finding for each rule and test: an assertion rarely falls alone."""
    found: dict[str, list[Loss]] = defaultdict(list)
    asked = context.answering.judged(losses_of(pair, ledger))
    asked = (loss for loss in asked if not (loss.gone and is_declared(loss.gone, pair.new.facts())))
    asked = (loss for loss in asked if not (loss.gone and stands_in_dead_branch(loss.gone, pair.old, change)))
    lost = [_merged(loss) for loss in asked if not (loss.gone and helpers.still_ask(loss.gone, pair))]
    with_product = context.names_gone(pair.old) if lost else False
    answered = stand_in_new([loss.gone for loss in lost if loss.gone], pair, ledger, context)
    answered += LostMembers(change).calls(loss.gone for loss in lost if loss.gone)
    refused = lines_refused(pair, ledger, context.refuses) if lost and context.concerns(pair.new) else frozenset()
    for loss in lost:
        row = loss.kind is Kind.GONE and loss.old is not None and not loss.old.known and loss.old.relation == "=="
        if (row or loss.kind is Kind.FEWER_CASES) and stand_elsewhere(pair, ledger):
            continue
        milder = with_product or loss.old in answered or _is_excused(loss, context, refused) or of_default(loss, change)
        milder = milder or (loss.kind is Kind.FEWER_CASES and _are_of_gone(loss, pair, context))
        milder = milder or (loss.kind is Kind.FEWER_CASES and _are_refused(pair, ledger, context))
        milder = milder or (loss.kind is Kind.FEWER_CASES and _were_taken_back(pair, context, change))
        milder = milder or (row and _is_asked_of_the_rest(loss, pair, context))
        milder = milder or divided_by_truth(loss.old, pair, ledger)
        found[_rule(loss, milder, pair.new, context)].append(loss)
    yield from _asked_otherwise(pair, context)
    yield from rescaled(pair, context, change)
    yield from _given_less(pair, ledger, context)
    yield from _tries_less(pair, context)
    yield from _left_out(pair, context)
    yield from arranged(pair, context, change)
    yield from left_behind(pair, context, change)
    yield from handed_on(pair, change)
    for rule, same in found.items():
        first = min(same, key=lambda loss: (loss.new is None, loss.new.line if loss.new else 0))
        yield at(pair.new, rule, pair.new.name, _told(first, pair, len(same)), first.new)


def _merged(loss: Loss) -> Loss:
    """What nothing stands for, unless the assertion of another branch runs in its place, too, or the opposite holds, or
    only other versions were asked for it."""
    if loss.gone is None:
        return loss
    before, after = loss.pair.old.facts(), loss.pair.new.facts()
    new = merged_into(loss.gone, before, after) or accepted(loss.gone, before, after)
    if new is None and (new := other_version_left(loss.gone, loss.pair)) is not None:
        return replace(loss, kind=Kind.SOMEWHAT_WEAKER, new=new)
    return loss if new is None else replace(loss, kind=Kind.OTHER_VALUE, new=new)


def _are_of_gone(loss: Loss, pair: Pair, context: Context) -> bool:
    """What a table lost, or the call whose error was asked, went with the product's; or it is asked before a loop."""
    if only_of_gone(pair.old.facts(), pair.new.facts(), context.gone) or stands_before_loop(loss.old, pair):
        return True
    return loss.old is not None and is_error_of_gone(loss.old, pair, context.gone)


def _were_taken_back(pair: Pair, context: Context, change: Change) -> bool:
    return context.product_only_loses and went_with_recordings(pair.old.facts(), pair.new.facts(), change)


def _is_asked_of_the_rest(loss: Loss, pair: Pair, context: Context) -> bool:
    """A table lost a column with rows about what is gone; the other rows are asked as before."""
    before, after, old = pair.old.facts(), pair.new.facts(), loss.old
    if (
        old is None
        or not only_of_gone(before, after, context.gone, inside=True)
        or any(each.subject == old.subject for each in after.checks)
    ):
        return False
    return any(
        (each.relation, each.wanted) == (old.relation, old.wanted) and each.grade >= old.grade for each in after.checks
    )


def _are_refused(pair: Pair, ledger: Ledger, context: Context) -> bool:
    """What the table lost is refused in another way, as the product has it now."""
    return rows_refused(pair, ledger.added) and context.concerns(pair.new)


def _asks_gone(loss: Loss, context: Context) -> bool:
    """A helper of the file called what the product no longer has, and the test does not name it."""
    check = loss.gone
    if check is None or not check.through:
        return False
    return not context.gone.isdisjoint(CALLED.findall(check.subject))


def _is_excused(loss: Loss, context: Context, refused: frozenset[int]) -> bool:
    """It asked for an address that is gone, or of what is refused now; or the product's own name for the text that it
    wanted is wanted now; or a callback fails that raised a flag."""
    if loss.old is None:
        return False
    return (
        loss.old.line in refused
        or context.routes.is_asked(loss.old)
        or (loss.new is not None and context.holds_text(loss.old, loss.new))
        or _is_withdrawn(loss, context)
        or fails_at_once(loss.old, loss.pair.old.facts(), loss.pair.new.facts())
        or _asks_gone(loss, context)
        or _wanted_gone_text(loss, context)
    )


def _wanted_gone_text(loss: Loss, context: Context) -> bool:
    """The product no longer has the message, and the failure is wanted as before."""
    lost, old, new = loss.gone, loss.old, loss.new
    if loss.kind is Kind.WEAKER and old is not None and new is not None and old.relation == new.relation == "raises":
        lost = old if new.wanted and old.wanted.startswith(f"{new.wanted} ") else None
    return lost is not None and context.texts.were_wanted_by(lost, loss.pair.new.facts())


def _is_withdrawn(loss: Loss, context: Context) -> bool:
    """The product no longer says what was wanted, and that is asked."""
    if loss.old is None or loss.new is None:
        return False
    pair = loss.pair
    plain = is_withdrawn(loss.old, loss.new, pair.old.facts(), pair.new.facts())
    return plain and context.product_only_loses and context.concerns(pair.new)


def _given_less(pair: Pair, ledger: Ledger, context: Context) -> Iterator[Hit]:
    cut = cut_down(pair.old.facts(), pair.new.facts())
    for old, new in islice((each for each in cut if not is_asked(each[0], ledger)), 1):
        if context.concerns(pair.new):
            return
        detail = f"{pair.new.name}: `{written(old)}` is given less: `{written(new)}`"
        yield at(pair.new, "test.weakened", pair.new.name, detail, new)


def _tries_less(pair: Pair, context: Context) -> Iterator[Hit]:
    before, after = pair.old.facts(), pair.new.facts()
    if limits := restrictions(before, after):
        mild = is_mild(limits, before, after) or context.concerns(pair.new)
        detail = f"{pair.new.name}: {limits[0].lstrip('0123456789 ')} leaves out values that were tried before"
        yield at(pair.new, "test.somewhat-weaker" if mild else "test.weakened", pair.new.name, detail)


def _left_out(pair: Pair, context: Context) -> Iterator[Hit]:
    members = left_out(pair.old.facts(), pair.new.facts())
    if members:
        mild = all(map(is_changing, members)) or (context.concerns(pair.new) and not any(map(is_open, members)))
        rule = "test.somewhat-weaker" if mild else "test.weakened"
        yield at(pair.new, rule, pair.new.name, f"{pair.new.name}: it no longer compares {', '.join(members)}")


def _asked_otherwise(pair: Pair, context: Context) -> Iterator[Hit]:
    before, after = pair.old.facts(), pair.new.facts()
    asked = list(other_inputs(before, after))
    if (asked or trivial_rows(before, after)) and not context.concerns(pair.new):
        answered = next((each for each in asked if each[2]), asked[0] if asked else None)
        plain = answered is None or (answered[2] and not context.only_renamed(*answered[:2], pair.old))
        new = None if answered is None else answered[1]
        told = "a row of its parameters" if answered is None else f"`{written(answered[0])}`"
        detail = f"{pair.new.name}: {told} asks something {'easier' if plain else 'else'} now"
        yield at(pair.new, "test.weakened" if plain else "test.somewhat-weaker", pair.new.name, detail, new)


def _rule(loss: Loss, with_product: bool, test: Test, context: Context) -> str:
    if loss.kind is Kind.OTHER_VALUE:
        agrees = loss.known and not context.concerns(test)
        return "test.expected-changed" if agrees else "test.expected-changed-with-code"
    if loss.kind is Kind.OTHER_QUESTION:
        return "test.somewhat-weaker" if context.concerns(test) else "test.assertion-removed"
    if loss.kind is Kind.SOMEWHAT_WEAKER or with_product:
        return "test.somewhat-weaker"
    return {
        Kind.EMPTIED: "test.emptied",
        Kind.GONE: "test.assertion-removed",
        Kind.FEWER_CASES: "test.fewer-cases",
    }.get(loss.kind, "test.weakened")


def _told(loss: Loss, pair: Pair, number: int) -> str:
    more, name = f" (and {number - 1} more)" if number > 1 else "", pair.new.name
    if loss.old is None:
        return f"{name}: {loss.kind.value}{more}"
    if loss.new is None:
        return f"{name}: nothing in it stands for `{written(loss.old)}`{more}"
    why = f", where {loss.new.why}" if loss.new.why else ""
    return f"{name}: `{written(loss.old)}` became `{written(loss.new)}`{why}{more}"
