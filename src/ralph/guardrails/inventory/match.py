"""Which test of the head is which test of the base.

Rules, tried in this order; each test is matched once:

1. The same file, names and text: nothing happened, nobody looks further. The same with another file: it moved.
2. Of tests whose name the base gave to several, of which the last one counts: the same body in the same file.
3. The same names in the same file, then in another file: the test was edited, perhaps moved.
4. The same own name and body, then the same body: it was wrapped in a suite or taken out of one, or renamed. In one
   file, the same questions, once what names of the suite stand for is written out: it has another form.
5. The same own name in a suite that most of its neighbours went to: the suite has another name.
6. In one file, a test that is made for each of several cases, and whose title begins with the old one (`adds`,
   `adds ${x}`).
7. The same own name and much the same words: edited, and moved to another suite; then the same own name where those
   went. In one suite, a title with a word more or less, and all constants of the old test (`named_more`).
8. In one file, a test with most of the old one's words, which asks for each thing that it asked, and for one of them as
   it did: renamed and extended.
9. In one file, much the same words alone: renamed and edited; but no answer for a refusal (`refused_alike`).

A helper is matched by its names only, or by its own name where there is one of that on each side. It is a renaming if
the names differ by more than suites put around or taken off.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

from ralph.guardrails.inventory.model import Check, Test
from ralph.guardrails.inventory.removed.named_more import named_more, suite_of
from ralph.guardrails.inventory.removed.refused_alike import told_apart
from ralph.record import field, record
from ralph.system.patterns import later

ALIKE = 0.6
"""Two tests are much the same when they share this much of all their words and constants."""
MOST_PAIRS = 40_000
"""So many pairs are looked at for likeness: in a change that replaces more tests than that, nobody can tell."""

CODE = later(r"\{.*\}$|do\b.*\bend$")

Key = Callable[[Test], Hashable | None]


@record
class Pair:
    old: Test
    new: Test

    @property
    def renamed(self) -> bool:
        shorter, longer = sorted((self.old.parts, self.new.parts), key=len)
        rest = iter(longer)
        return not (shorter[-1:] == longer[-1:] and all(part in rest for part in shorter))

    @property
    def unnamed(self) -> bool:
        """Neither has a name other than what it does: `it { is_expected.to eq(3) }`."""
        return all(CODE.match(test.parts[-1]) for test in (self.old, self.new))


@record(frozen=False)
class Matching:
    """`pairs` are the tests that were touched; those that nothing happened to are not here, or in `moved`."""

    pairs: list[Pair] = field(default_factory=list)
    moved: list[Pair] = field(default_factory=list)
    removed: list[Test] = field(default_factory=list)
    added: list[Test] = field(default_factory=list)


def match(base: Iterable[Test], head: Iterable[Test], twice: AbstractSet[tuple[str, str]] = frozenset()) -> Matching:
    """`twice` are files and names that the base gave to several tests there."""
    old, new = list(base), list(head)
    matching = Matching()
    _, old, new = _matched(old, new, _untouched)
    matching.moved, old, new = _matched(old, new, _moved)
    ones = [test for test in old if (test.path, test.parts[-1]) in twice]
    found, _, new = _matched(ones, new, _body_there)
    paired = {id(pair.old) for pair in found}
    matching.pairs, old = found, [test for test in old if id(test) not in paired]
    for key in (_edited, _names, _name_and_body, _body):
        found, old, new = _matched(old, new, key)
        matching.pairs += found
    found, old, new = _matched(old, new, _questions(old, new))
    matching.pairs += found
    found, old, new = _helpers(old, new)
    matching.pairs += found
    found, old, new = _with_neighbours(old, new, matching.pairs)
    matching.pairs += found
    found, old, new = _begun(old, new)
    matching.pairs += found
    for step in (
        partial(_alike, key=_own_name, score=_likeness),
        partial(_with_neighbours, pairs=matching.pairs),
        partial(_alike, key=suite_of, score=named_more),
        _extended,
        _renamed,
    ):
        found, old, new = step(old, new)
        matching.pairs += found
    matching.removed, matching.added = old, new
    return matching


def _helpers(old: Sequence[Test], new: Sequence[Test]) -> tuple[list[Pair], list[Test], list[Test]]:
    """Pairs of helpers of one own name, of which there is no other: one went to another class, or file."""
    named = [Counter(test.parts[-1] for test in side if test.kind == "helper") for side in (old, new)]

    def key(test: Test) -> Hashable | None:
        name = test.parts[-1]
        return name if test.kind == "helper" and all(side[name] == 1 for side in named) else None

    return _matched(old, new, key)


Place = tuple[str, tuple[str, ...]]
"""A file, and a suite in it."""


def _suite(test: Test) -> Place:
    return (test.path, test.parts[:-1])


def _with_neighbours(
    old: Sequence[Test], new: Sequence[Test], pairs: Sequence[Pair]
) -> tuple[list[Pair], list[Test], list[Test]]:
    """Pairs of one own name, in a suite and in the one where most of its tests are that are known to be elsewhere, or
    where all that is left of it has its names."""
    known = Counter((_suite(pair.old), _suite(pair.new)) for pair in pairs if pair.old.kind == "test")
    known = known or Counter(_called_alike(old, new))
    went = {place: other for (place, other), _ in reversed(known.most_common()) if place != other}

    def key(test: Test) -> Hashable | None:
        return (went.get(_suite(test), _suite(test)), test.parts[-1]) if test.kind == "test" else None

    return _matched(old, new, key) if went else ([], list(old), list(new))


def _called_alike(old: Sequence[Test], new: Sequence[Test]) -> Iterator[tuple[Place, Place]]:
    """Suites of one file, of several tests that have the same own names."""
    left, came = _names_of(old), _names_of(new)
    for place, names in left.items():
        other = next((each for each, there in came.items() if each[0] == place[0] and names <= there), None)
        if other is not None and len(names) > 1:
            yield place, other


def _names_of(tests: Iterable[Test]) -> dict[Place, set[str]]:
    names: dict[Place, set[str]] = defaultdict(set)
    for test in tests:
        if test.kind == "test":
            names[_suite(test)].add(test.parts[-1])
    return names


def _untouched(test: Test) -> Hashable:
    return (test.path, test.kind, test.parts, test.text)


def _moved(test: Test) -> Hashable:
    return (test.kind, test.parts, test.text)


def _edited(test: Test) -> Hashable:
    return (test.path, test.kind, test.parts)


def _names(test: Test) -> Hashable:
    return (test.kind, test.parts)


def _name_and_body(test: Test) -> Hashable | None:
    body = _body(test)
    return None if body is None else (test.parts[-1], body)


def _body(test: Test) -> Hashable | None:
    facts = test.facts() if test.kind == "test" else None
    return facts.body if facts and facts.body and not facts.empty else None


def _questions(old: Sequence[Test], new: Sequence[Test]) -> Key:
    """What tests ask outright, of those that ask the same as one whose suite gives what it looks at a name."""
    left = [test for test in (*old, *new) if test.kind == "test"] if old and new else []
    named = {facts.outright for test in left if (facts := test.facts()).outright}

    def key(test: Test) -> Hashable | None:
        facts = test.facts() if named and test.kind == "test" else None
        asked = (facts.outright or frozenset(check.key for check in facts.checks)) if facts is not None else frozenset()
        return (test.path, asked) if asked in named else None

    return key


def _body_there(test: Test) -> Hashable | None:
    body = _body(test)
    return None if body is None else (test.path, body)


def _own_name(test: Test) -> Hashable | None:
    return test.parts[-1] if test.kind == "test" else None


def _place(test: Test) -> Hashable | None:
    return test.path if test.kind == "test" else None


def _matched(old: Sequence[Test], new: Sequence[Test], key: Key) -> tuple[list[Pair], list[Test], list[Test]]:
    """Pairs of equal keys, in order, and what is left of both sides."""
    if not old or not new:
        return [], list(old), list(new)
    waiting: dict[Hashable, list[Test]] = defaultdict(list)
    for test in reversed(new):
        if (value := key(test)) is not None:
            waiting[value].append(test)
    pairs, left = [], []
    for test in old:
        value = key(test)
        if value is not None and waiting.get(value):
            pairs.append(Pair(test, waiting[value].pop()))
        else:
            left.append(test)
    taken = {id(pair.new) for pair in pairs}
    return pairs, left, [test for test in new if id(test) not in taken]


def _begun(old: Sequence[Test], new: Sequence[Test]) -> tuple[list[Pair], list[Test], list[Test]]:
    """Pairs of a test and the tests of a loop that are called after it, each of which is in one pair."""
    made = [test for test in new if test.kind == "test" and " " in test.parts[-1]] if old else []
    if len(old) * len(made) > MOST_PAIRS:
        return [], list(old), list(new)
    pairs: list[Pair] = []
    for test in (each for each in old if each.kind == "test"):
        taken = {id(pair.new) for pair in pairs}
        named = (each for each in made if id(each) not in taken and _is_begun(test, each))
        if (found := next(named, None)) is not None:
            pairs.append(Pair(test, found))
    known = {id(test) for pair in pairs for test in (pair.old, pair.new)}
    return pairs, [test for test in old if id(test) not in known], [test for test in new if id(test) not in known]


def _is_begun(old: Test, new: Test) -> bool:
    """It holds the words of the old title first, and runs for several cases."""
    if old.path != new.path or old.parts[:-1] != new.parts[:-1] or not old.parts[-1]:
        return False
    begins = re.match(rf"{re.escape(old.parts[-1])}(?!\w)", new.parts[-1]) is not None
    return begins and any(check.times != 1 for check in new.facts().checks) and not old.facts().cases


def _extended(old: Sequence[Test], new: Sequence[Test]) -> tuple[list[Pair], list[Test], list[Test]]:
    return _alike(old, new, _place, _kept)


def _kept(old: Test, new: Test) -> float:
    """How much of the old test's words stand in the new one, if that asks for all that it asked."""
    was, now = ({(*_asked(check), check.wanted) for check in test.facts().checks} for test in (old, new))
    if was == now or was.isdisjoint(now) or not {each[:2] for each in was} <= {each[:2] for each in now}:
        return 0.0
    one, other = (facts.words | facts.literals for facts in (old.facts(), new.facts()))
    return len(one & other) / max(len(one), 1)


def _asked(check: Check) -> tuple[str, str]:
    return check.subject, check.relation


def _alike(
    old: Sequence[Test], new: Sequence[Test], key: Key, score: Callable[[Test, Test], float]
) -> tuple[list[Pair], list[Test], list[Test]]:
    """Pairs of an equal key that are much the same, the most alike first."""
    waiting: dict[Hashable, list[int]] = defaultdict(list)
    for index, test in enumerate(new):
        if (value := key(test)) is not None:
            waiting[value].append(index)
    candidates = [(i, j) for i, test in enumerate(old) for j in waiting.get(key(test), ())]
    scored = [(score(old[i], new[j]), i, j) for i, j in candidates[:MOST_PAIRS]]
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for likeness, i, j in sorted(scored, key=lambda each: (-each[0], each[1:])):
        if likeness >= ALIKE and i not in pairs and j not in taken:
            pairs[i] = j
            taken.add(j)
    found = [Pair(old[i], new[j]) for i, j in sorted(pairs.items())]
    left = [test for i, test in enumerate(old) if i not in pairs]
    return found, left, [test for j, test in enumerate(new) if j not in taken]


def _renamed(old: Sequence[Test], new: Sequence[Test]) -> tuple[list[Pair], list[Test], list[Test]]:
    apart = told_apart(old, new)
    return _alike(old, new, _place, lambda one, other: 0.0 if apart(one, other) else _likeness(one, other))


def _likeness(old: Test, new: Test) -> float:
    one, other = (facts.words | facts.literals for facts in (old.facts(), new.facts()))
    return len(one & other) / max(len(one | other), 1)
