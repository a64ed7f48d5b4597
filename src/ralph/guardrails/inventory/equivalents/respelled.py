"""Tests that ask what they asked, of the same spelled in another way (policy set v2, class G05).

Rules:

- A host has another name (see `hosts`).
- One mark that parts two sides of a text became another one, before the same word, wherever many tests had it:
  `"form-data, boundary=a"`, `"form-data; boundary=a"`. It stands in what they give, and in nothing that they want, and
  nothing else in them is other than before. A sign, a bracket or what a text begins with parts nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ralph.guardrails.inventory.equivalents.hosts import renamed
from ralph.guardrails.inventory.match import Pair
from ralph.system.patterns import later

TEXT = later(r"(\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')")
WORD = later(r"[^\W\d_]{3,}")
PARTING = frozenset(",;:|/_- ")
FEWEST = 6
"""A mark that changes in so many tests is a matter of spelling; in a few it may be an easier question."""

Mark = tuple[str, str, str]
"""What stood there, what stands there now, and the word behind it."""


def same_questions(pairs: Iterable[Pair]) -> frozenset[int]:
    """The identities of the head's tests that ask what they asked."""
    listed = list(pairs)
    marks = {id(pair.new): found for pair in listed if pair.old.kind == "test" and (found := _marks(pair))}
    common = Counter(each for found in marks.values() for each in found)
    spelled = {test for test, found in marks.items() if min(common[each] for each in found) >= FEWEST}
    kept = {mark for pair in listed for mark in common if _still_has(pair, mark)}
    return renamed(listed) | {test for test in spelled if not marks[test] & kept}


def _marks(pair: Pair) -> frozenset[Mark]:
    """The marks that are other ones now; nothing where something else is other than before."""
    old, new = TEXT.split(pair.old.text), TEXT.split(pair.new.text)
    if len(old) != len(new) or old[::2] != new[::2]:
        return frozenset()
    changed = [(was, now) for was, now in zip(old[1::2], new[1::2], strict=True) if was != now]
    found = [_mark(was, now) for was, now in changed]
    checks = (*pair.old.facts().checks, *pair.new.facts().checks)
    wanted = " ".join(check.wanted for check in checks if check.known)  # else it may be what the test was given
    if None in found or any(text[1:-1] in wanted for each in changed for text in each):
        return frozenset()
    return frozenset(mark for mark in found if mark is not None)


def _mark(was: str, now: str) -> Mark | None:
    """The one mark in which two texts differ."""
    if len(was) != len(now):
        return None
    places = [at for at, (one, other) in enumerate(zip(was, now, strict=True)) if one != other]
    if len(places) != 1 or not was[places[0] - 1].isalnum():
        return None
    mark, behind = (was[places[0]], now[places[0]]), WORD.search(was, places[0])
    return None if behind is None or not PARTING.issuperset(mark) else (*mark, behind[0])


def _still_has(pair: Pair, mark: Mark) -> bool:
    """The head's test has a text with the old mark before the word."""
    return any(_before(text, mark) for text in TEXT.findall(pair.new.text))


def _before(text: str, mark: Mark) -> bool:
    at = text.find(mark[2])
    return at > 0 and text[:at].rstrip().endswith(mark[0])
