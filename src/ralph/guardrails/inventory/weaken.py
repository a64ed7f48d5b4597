"""What the assertions of touched tests lost, over the whole change.

Rules (policy set v2, class G05):

1. Inside a test, an assertion that is still there, with the same grade or a higher one and no more slack, is kept.
2. One that another test gained (a split, a merge, a move into a helper that tests use) is not lost.
3. What is left is paired with what the same test gained: first about the same subject, then the nearest that is as
   strong, then whatever there is; of a test that is otherwise the same only what is `related`. A pair is a loss if the
   new one demands less, or the same where it may not run; another value of the same subject or another exception, the
   opposite, or a value of what was refused; if it allows more slack. What has no partner is gone.
4. An assertion of a low grade is not missed where a stronger one is about its subject. One of grade NOTHING is none.
5. A test of many values that a library makes up runs for fewer cases where it is one of a value or a few.
6. An assertion that runs for several cases counts as many times; if nobody can tell how many, it stands for any number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ralph.guardrails.inventory.equivalents.ledger import Ledger
from ralph.guardrails.inventory.equivalents.related import asks_nothing_of, related, same_otherwise, shared, still_there
from ralph.guardrails.inventory.equivalents.settling import answers
from ralph.guardrails.inventory.equivalents.units import Units
from ralph.guardrails.inventory.failures.refusing import is_waited_for, was_never_reached
from ralph.guardrails.inventory.failures.unawaited import is_unawaited
from ralph.guardrails.inventory.loss import Kind, Loss
from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.rows.joined import holds_check
from ralph.guardrails.inventory.rows.rewritten import of_rows
from ralph.guardrails.inventory.texts.asked_part import asked_apart
from ralph.guardrails.inventory.texts.held_only import held_only
from ralph.guardrails.inventory.texts.longer import says_more
from ralph.guardrails.inventory.texts.said_apart import says_apart
from ralph.guardrails.inventory.wanted.absent import is_missing
from ralph.guardrails.inventory.wanted.alone import alone
from ralph.guardrails.inventory.wanted.coarser import (
    has_alternative,
    one_way,
    only_part,
    only_perhaps,
    only_somewhat,
    wider,
)
from ralph.guardrails.inventory.wanted.computed import is_computed
from ralph.guardrails.inventory.wanted.less import demands_less, only_there
from ralph.guardrails.inventory.wanted.more_members import has_more
from ralph.guardrails.inventory.wanted.one_bit import is_plain, other_answer, says_outright
from ralph.guardrails.inventory.wanted.outcome import shows_outcome
from ralph.guardrails.inventory.wanted.ranges import settle_ranges
from ralph.guardrails.inventory.wanted.values import (
    is_answered,
    is_refusal,
    kinds_of,
    made_another,
    names_another,
    narrower_pattern,
    other_number,
    other_record,
    other_truth,
    same_value,
)
from ralph.guardrails.inventory.wholes.exact import exact_of, meets
from ralph.guardrails.inventory.wholes.hashes import hash_of
from ralph.guardrails.inventory.wholes.implied import (
    contradicts,
    gives_the_same,
    implied,
    only_a_type,
    was_needless,
    whole_of,
    with_member,
)
from ralph.guardrails.inventory.wholes.lengths import other_length
from ralph.guardrails.inventory.wholes.of_itself import of_itself
from ralph.guardrails.inventory.wholes.orders import any_order, is_about_order
from ralph.guardrails.inventory.wholes.pieces import in_pieces
from ralph.guardrails.inventory.wholes.recorded_calls import writes_calls_down
from ralph.guardrails.inventory.wholes.short import at_once, cut_short, in_full
from ralph.guardrails.inventory.wholes.slices import in_slice
from ralph.record import replace

WIDER_TOLERANCE, WIDER_BOUND = 10.0, 4.0
"""By how much more slack is a plain loss; less is for a person."""
FEW_ROWS = 2
LESS = (only_perhaps, only_part, has_alternative, demands_less)


def losses(pair: Pair, ledger: Ledger) -> Iterator[Loss]:
    """What is lost from one test to the other."""
    before, after = pair.old.facts(), pair.new.facts()
    if after.empty and not before.empty:
        yield Loss(Kind.EMPTIED, pair)
        return
    if before.generated and not after.generated and len(after.cases or ()) <= FEW_ROWS and not ledger.any_generated:
        yield Loss(Kind.FEWER_CASES, pair)
    gained = ledger.gained_of[id(pair.new)]
    lost = ledger.rest(pair.old)
    settle_ranges(lost, gained, after)
    for unit in lost:
        unit.take_all(each for each in gained if in_full(each.check, unit.check, after))
        if any(at_once(each.check, unit.check, before) for each in gained) or is_waited_for(unit.check, before, after):
            unit.left = 0
        if was_never_reached(unit.check, before, after) or (unit.left and says_apart(unit.check, before, after)):
            unit.left = 0
        if unit.left and writes_calls_down(unit.check, before, after):
            unit.left = 0
        yield from _answered(pair, unit, gained)
        yield from _of_other_length(pair, unit, gained)
        yield from _partnered(pair, unit, [each for each in gained if _is_about(each.check, unit.check)])
        yield from _in_a_whole(pair, unit)
        yield from _held_only(pair, unit, gained)
        _as_a_member(pair, unit, gained)
        yield from _exactly(pair, unit)
    rest = [unit for unit in lost if unit.left]
    written_anew = bool(rest) and not same_otherwise(before, after, [unit.check for unit in lost])
    for unit in rest:
        parts = in_pieces(unit.check, [each.check for each in gained if each.left], after)
        if parts is not None:
            unit.left = 0
            yield from (Loss(Kind.WEAKER, pair, unit.check, each) for each in parts[:1])
        else:
            yield from _stood_for(pair, unit, gained if written_anew else _near(unit.check, gained, after))
    fallen: list[Loss] = []
    for unit in (unit for unit in rest if unit.left and not implied(unit.check, before, after)):
        if only_a_type(unit.check, before, {loss.old for loss in fallen if loss.old}):
            continue
        fallen += _partnered(pair, unit, gained if written_anew else _candidates(unit.check, gained, after))
        if unit.left:
            fewer = any(each.check.key == unit.check.key for each in gained)
            fallen.append(Loss(Kind.FEWER_CASES if fewer else Kind.GONE, pair, unit.check))
    lost_too = [loss.old for loss in fallen if loss.old]
    yield from (loss for loss in fallen if not (loss.gone and was_needless(loss.gone, before, lost_too)))
    yield from of_rows(pair, before, after)


def _of_other_length(pair: Pair, unit: Units, gained: Iterable[Units]) -> Iterator[Loss]:
    for each in gained:
        if unit.left and each.left and other_length(each.check, unit.check):
            unit.take(each)
            yield Loss(Kind.OTHER_VALUE, pair, unit.check, each.check, known=alone(pair, unit.check, each.check))


def _in_a_whole(pair: Pair, unit: Units) -> Iterator[Loss]:
    before, after = pair.old.facts(), pair.new.facts()
    if unit.left and hash_of(unit.check, before, after) is not None:
        unit.left = 0
    if unit.left and (whole := whole_of(unit.check, before, after)) is not None:
        unit.left = 0
        if contradicts(whole, unit.check):
            known = gives_the_same(before, after, whole, unit.check)
            yield Loss(Kind.OTHER_VALUE, pair, unit.check, whole, known=known)


def _held_only(pair: Pair, unit: Units, gained: Iterable[Units]) -> Iterator[Loss]:
    free = [each.check for each in gained if each.left] if unit.left else []
    asked = (unit.check, pair.old.facts(), pair.new.facts())
    if free and (part := of_itself(*asked) or held_only(unit.check, free, *asked[1:])) is not None:
        unit.left = 0
        yield Loss(Kind.WEAKER, pair, unit.check, part)


def _as_a_member(pair: Pair, unit: Units, gained: Iterable[Units]) -> None:
    """The whole that has it stands for its members, and for nothing else."""
    whole = with_member(unit.check, pair.old.facts(), pair.new.facts()) if unit.left else None
    if whole is not None:
        unit.left = 0
        for each in gained:
            each.left = 0 if each.check.key == whole.key else each.left


def _exactly(pair: Pair, unit: Units) -> Iterator[Loss]:
    """Instead of how a value begins or ends, what it is."""
    exact = exact_of(unit.check, pair.new.facts()) if unit.left else None
    if exact is not None:
        unit.left = 0
        if not meets(exact, unit.check):
            yield Loss(Kind.OTHER_VALUE, pair, unit.check, exact)


def _is_about(new: Check, old: Check) -> bool:
    """Of the same subject; that something is refused and what it gives are two questions."""
    same = new.of_same(old) or names_another(old, new) or says_outright(old, new)
    same = same or is_missing(new, old) or asked_apart(old, new) is not None
    return is_unawaited(new, old) or (same and not is_answered(new, old))


def _answered(pair: Pair, unit: Units, gained: Iterable[Units]) -> Iterator[Loss]:
    """What was refused is answered: another value. It is not where as much is refused as before."""
    free = [each for each in gained if each.left]
    if any(is_refusal(each.check) and each.check.wanted == unit.check.wanted for each in free):
        return
    for each in free:
        shown = is_answered(each.check, unit.check) or shows_outcome(each.check, unit.check, pair)
        if unit.left and each.left and shown:
            unit.take(each)
            yield Loss(Kind.OTHER_VALUE, pair, unit.check, each.check)


def _partnered(pair: Pair, unit: Units, partners: Iterable[Units]) -> Iterator[Loss]:
    free = (each for each in partners if each.left)
    for partner in sorted(free, key=lambda each: (-each.check.grade, not each.check.exactly)):
        if not unit.left:
            return
        unit.take(partner)
        if is_unawaited(partner.check, unit.check):
            new = replace(partner.check, why="nobody waits for the answer")
            yield Loss(Kind.UNAWAITED, pair, unit.check, new)
        else:
            yield from _compared(pair, unit.check, partner.check)


def _near(old: Check, gained: Iterable[Units], after: Facts) -> list[Units]:
    return [each for each in gained if each.left and related(each.check, old, after)]


def _stood_for(pair: Pair, unit: Units, partners: Iterable[Units]) -> Iterator[Loss]:
    """Others that are as strong answer for it, those that ask the most of what it asked first, then the weakest."""
    old, after = unit.check, pair.new.facts()
    free = (each for each in partners if each.left)
    strong = sorted(
        (each for each in free if answers(each.check, old) and not cut_short(each.check, old, after)),
        key=lambda each: (-shared(each.check, old), each.check.grade),
    )
    asked = unit.left
    unit.take_all(strong)
    if unit.left < asked and asks_nothing_of(old, after):
        yield Loss(Kind.OTHER_QUESTION, pair, old, strong[0].check)


def _candidates(old: Check, gained: Iterable[Units], after: Facts) -> list[Units]:
    """What has something in common with an assertion; where nothing has, and all that it told is there in another form,
    as in a table or the call of a helper, what wants no constant of its own; else only what demands less."""
    if near := _near(old, gained, after):
        return near
    there = still_there(old, after)
    return [
        each
        for each in (each for each in gained if each.left)
        if not answers(each.check, old) or (there and not (each.check.known and each.check.wanted))
    ]


def _compared(pair: Pair, old: Check, new: Check) -> Iterator[Loss]:
    if (another := _another_value(pair, old, new)) is not None:
        yield another
    elif (same := in_slice(new, old)) is not None:
        if not same:
            yield Loss(Kind.OTHER_VALUE, pair, old, new, known=old.known)
    elif cut_short(new, old, pair.new.facts()):
        yield Loss(Kind.WEAKER, pair, old, new)
    elif any_order(new, old):
        plain = is_about_order(pair.old, old)
        yield Loss(Kind.WEAKER if plain else Kind.SOMEWHAT_WEAKER, pair, old, new)
    elif new.grade < old.grade or any(less(new, old) for less in LESS):
        yield _less(pair, old, new)
    elif is_computed(new, old, pair.new.facts()):
        yield Loss(Kind.WEAKER, pair, old, new)
    elif new.of_same(old) and new.relation == old.relation:
        if old.relation == "raises" and (
            new.grade > old.grade or kinds_of(new) < kinds_of(old) or narrower_pattern(old, new)
        ):
            return  # a certain exception instead of any, or of several; more of its message
        table = pair.new.facts()
        named = old.relation == "raises" or "(" not in new.wanted
        tabled = named and not new.known and old.wanted in table.literals and holds_check(table, old)
        if not same_value(old, new) and new.grade >= Grade.SHAPE and not tabled:
            known = (old.known and new.known) or made_another(old, new) or says_more(new, old)
            yield Loss(Kind.OTHER_VALUE, pair, old, new, known=known and alone(pair, old, new))
        else:
            yield from _wider(pair, old, new)
    elif one_way(old, new):
        yield from _wider(pair, old, new)


def _another_value(pair: Pair, old: Check, new: Check) -> Loss | None:
    """Where another value is wanted of something else by its name: of another member, another length, another part."""
    known = None
    if other_answer(old, new):
        known = is_plain(old, new) or alone(pair, old, new)
    elif (apart := asked_apart(old, new)) is not None:
        known = alone(pair, *apart)
    elif other_number(old, new) or other_record(old, new) or names_another(old, new):
        known = old.known and new.known and alone(pair, old, new)
    elif other_truth(old, new) or is_missing(new, old) or has_more(new, old):
        known = True
    return None if known is None else Loss(Kind.OTHER_VALUE, pair, old, new, known=known)


def _less(pair: Pair, old: Check, new: Check) -> Loss:
    mild = only_somewhat(old, new, pair.new.facts()) or only_there(new, old)
    if mild and old.relation == new.relation == "raises" and len(kinds_of(new)) > len(kinds_of(old)):
        return Loss(Kind.OTHER_VALUE, pair, old, new, known=True)
    return Loss(Kind.SOMEWHAT_WEAKER if mild else Kind.WEAKER, pair, old, new)


def _wider(pair: Pair, old: Check, new: Check) -> Iterator[Loss]:
    if factor := wider(old, new):
        plain = factor >= (WIDER_TOLERANCE if new.wanted else WIDER_BOUND) and not old.guessed
        yield Loss(Kind.WEAKER if plain else Kind.SOMEWHAT_WEAKER, pair, old, new)
