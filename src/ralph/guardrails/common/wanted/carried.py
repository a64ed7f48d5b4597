"""Expected values and limits that a test gets from somewhere else (policy set v2, class G05).

Rule: beside tests, one literal takes the place of another where it has a name: a constant, an attribute that a set-up
fills, a member of an object, the answer of a function (`carriers`). The tests that name it are judged as if the old
literal had stood there, and the new one stands there now: another expected value, a wider limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, partial
from itertools import islice

from ralph.guardrails.change.edits import with_texts
from ralph.guardrails.common.wanted.carriers import Carrier, carriers, is_declaring
from ralph.guardrails.common.wanted.whole_values import whole_values
from ralph.guardrails.inventory.model import Check
from ralph.guardrails.inventory.readers import (
    Side,
    after,
    before,
    inventory,
    is_beside_tests,
    language,
    reader_of,
)
from ralph.guardrails.inventory.texts.asked_part import subject_of
from ralph.guardrails.languages import language_of
from ralph.guardrails.model import Change, ChangeDetector, FileChange, Hit
from ralph.guardrails.texts import as_text
from ralph.record import record, replace

RULES = frozenset({"test.weakened", "test.somewhat-weaker", "test.expected-changed", "test.expected-changed-with-code"})
MOST_CARRIERS, MOST_FILES = 100, 400
"""Names that are followed, and files beside one in which they may stand."""
MOST_BELOW = 3
"""Lines below the first one of an assertion that may still be its own."""


@record(slots=False)
class User:
    """A file of tests that names carriers."""

    path: str
    old: str
    new: str
    found: Sequence[Carrier]

    @cached_property
    def sides(self) -> tuple[bytes, bytes]:
        old, new = self.old, self.new
        for each in self.found:
            own = each.line if each.path == self.path else 0
            old, new = _with(each.old, each, old, own), _with(each.new, each, new, own)
        return old.encode(), new.encode()


def carried(change: Change) -> Iterator[Hit]:
    changed = [file for file in change.files if file.status == "M" and not file.binary and _is_beside(file, change)]
    found = list(islice((each for file in changed for each in _told(file, change)), MOST_CARRIERS))
    if not found:
        return
    users = _only_asserting(list(_users(found, change)), change)
    users = [user for user in users if user.sides != (user.old.encode(), user.new.encode())]
    if not users:
        return
    from ralph.guardrails.inventory.losses import losses  # few changes need it

    inlined = with_texts(change, {user.path: user.sides for user in users})
    files = [file for file in inlined.files if any(file.path == user.path for user in users)]
    asked = {file.path: _asked(file, inlined) for file in files}
    for hit in losses(inlined, files):
        if hit.rule in RULES and hit.line in asked[hit.path]:
            yield from _placed(hit, users, change)


def _told(file: FileChange, change: Change) -> Iterator[Carrier]:
    """Literals, and what is made of them."""
    head = cache(partial(_lines, change.blobs.after, file.path))
    single = list(carriers(file, head))
    yield from single
    known = {each.name for each in single}
    wholes = whole_values(file, _lines(change.blobs.before, file.path), head())
    yield from (each for each in wholes if each.name not in known)


def _only_asserting(users: Sequence[User], change: Change) -> list[User]:
    """Without the carriers that are named for anything else than to compare with them: what they feed may decide what
    is right to expect."""
    feeding = {each for user in users for each in _feeding(user, change)}
    left = (replace(user, found=[each for each in user.found if each not in feeding]) for user in users)
    return [user for user in left if user.found]


def _feeding(user: User, change: Change) -> Iterator[Carrier]:
    """By the base: what is named for something else only now may be named to hide behind it."""
    lines = user.old.split("\n")
    plain = with_texts(change, {user.path: (user.old.encode(), user.new.encode())}, alone=True)
    asserted = {check.line for check in _checks(plain.files[0], change, before(change))}
    for carrier in user.found:
        named = (number for number, line in enumerate(lines, start=1) if carrier.is_used_in(line))
        asking = (number for number in named if not is_declaring(lines[number - 1], carrier))
        if not all(any(number - back in asserted for back in range(MOST_BELOW + 1)) for number in asking):
            yield carrier


def _checks(file: FileChange, change: Change, side: Side) -> list[Check]:
    return [check for test in inventory(file, change, side).tests for check in test.facts().checks]


def _asked(file: FileChange, change: Change) -> frozenset[int]:
    """The lines of assertions that are about what the base's are about; of one that demands nothing now, what it was
    about may stand somewhere in it."""
    old = {subject_of(check) for check in _checks(file, change, before(change))}
    new = _checks(file, change, after(change))
    same = (each.line for each in new if subject_of(each) in old)
    empty = (each.line for each in new if not each.grade and any(was in each.subject for was in old if was))
    return frozenset((*same, *empty))


def _placed(hit: Hit, users: Iterable[User], change: Change) -> Iterator[Hit]:
    """A test in a file that did not change: what it compares with did."""
    if any(file.path == hit.path for file in change.files):
        yield hit
        return
    user = next(user for user in users if user.path == hit.path)
    carrier = user.found[0]
    detail = f"{carrier.name} is {carrier.new} where it was {carrier.old}: {hit.detail}"
    yield replace(hit, path=carrier.path, line=carrier.line, column=1, detail=detail)


def _users(found: Sequence[Carrier], change: Change) -> Iterator[User]:
    """The files that name one of the carriers: its own, and those of tests in its folder and below."""
    own = {each.path for each in found}
    for path in sorted(own):
        old, new = as_text(change.blobs.before(path)), as_text(change.blobs.after(path))
        mine = [each for each in found if each.path == path and _is_given_once(each, old) and _is_given_once(each, new)]
        if asked := [each for each in mine if _is_named(each, new, each.line)]:
            yield User(path, old, new, asked)
        spoken = language_of(path)
        for other in _below(path, change) if mine else ():
            if other in own or language_of(other) != spoken:
                continue
            was, now = as_text(change.blobs.before(other)), as_text(change.blobs.after(other))
            asked = [each for each in mine if each.is_used_in(now) and not each.given.search(now)]
            if asked and was:
                yield User(other, was, now, asked)


def _is_named(carrier: Carrier, text: str, own: int) -> bool:
    """Somewhere but on the line that gives it a value."""
    lines = enumerate(text.split("\n"), start=1)
    return any(number != own and carrier.is_used_in(line) and not is_declaring(line, carrier) for number, line in lines)


def _below(path: str, change: Change) -> list[str]:
    folder = path.rpartition("/")[0]
    there = change.blobs.paths_after() & change.blobs.paths_before()
    near = sorted(each for each in there if each.startswith(f"{folder}/" if folder else "") and each != path)
    tests = [each for each in near if is_beside_tests(each, reader_of(language_of(each)))]
    return tests if len(tests) <= MOST_FILES else []


def _is_given_once(carrier: Carrier, text: str) -> bool:
    return len(carrier.given.findall(text)) == 1


def _with(literal: str, carrier: Carrier, text: str, own: int) -> str:
    """The literal in the place of what stands for it; not on the line `own`, which gives it the value."""
    return "\n".join(
        line if number == own or is_declaring(line, carrier) else carrier.used.sub(lambda _: literal, line)
        for number, line in enumerate(text.split("\n"), start=1)
    )


def _is_beside(file: FileChange, change: Change) -> bool:
    spoken = language(file, change)
    return spoken is not None and is_beside_tests(file.path, reader_of(spoken))


def _lines(read: Callable[[str], bytes | None], path: str) -> list[str]:
    return as_text(read(path)).split("\n")


CHANGE_DETECTORS: tuple[ChangeDetector, ...] = (carried,)
