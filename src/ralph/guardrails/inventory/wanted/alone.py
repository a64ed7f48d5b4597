"""Whether a test gives the product what it gave it before, so that only what it wants can have changed."""

from __future__ import annotations

from collections.abc import Sequence

from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check, Facts
from ralph.guardrails.inventory.wanted.as_often import is_as_often
from ralph.guardrails.inventory.wanted.values import CONSTANT, PARTS, SNAPSHOT
from ralph.system.patterns import later

CLOSENESS = frozenset({"pytest", "approx", "rel", "abs", "math", "isclose", "rel_tol", "abs_tol", "places", "delta"})
"""Words that say how close something must be, and are none of the product's."""
LENGTHS = frozenset({"length", "'length'", '"length"'})
"""Words that say of what a number is, and are none of the product's."""

WORD = later(r"\w+")
QUOTES = frozenset("'\"")
RAW = later(r"^r#*(?=\")")
"""What begins a raw text of Rust."""


def alone(pair: Pair, old: Check, new: Check) -> bool:
    """What its assertions want apart, the test has the words and constants that it had, up to the assertion that became
    another one: what comes later has no part in it. Of an exception only its kind is plainly another one: what a
    library says in words may change with the library."""
    before, after = pair.old.facts(), pair.new.facts()
    if is_as_often(old, new, before, after):
        return False
    if before.given and after.given and new.relation not in ("raises", "warns"):
        differ = before.given(old.line) ^ after.given(new.line)
        return not differ - _asked_beside(old, before) - _asked_beside(new, after)
    checks = (*before.checks, *after.checks, old, new)
    wanted = {part for check in checks for part in (check.wanted, *check.wanted.split(), repr(check.slack))}
    wanted |= CLOSENESS | LENGTHS | {each.relation for each in checks} | {_name(each) for each in checks}
    if new.relation in ("==", "match_array", "ElementsMatch"):
        wanted = wanted.union(*(CONSTANT.findall(each.wanted) for each in checks))
    wanted |= {f"'{each[1:-1]}'" for each in wanted if each[:1] == '"' == each[-1:]}
    recorded, texts = _recorded(checks), tuple(check.wanted for check in checks)
    one, other = (
        {
            each
            for each in _up_to(facts, one, same=old.subject == new.subject)
            if each not in wanted and repr(each) not in wanted and not _is_of(each, recorded)
            if not (each[:1] in QUOTES and any(each in text for text in texts))
        }
        for facts, one in ((before, old), (after, new))
    )
    told = _telling(old, new) if old.subject == new.subject else frozenset()
    return not (one ^ other) - _asked_beside(old, before) - _asked_beside(new, after) - told


def _telling(old: Check, new: Check) -> frozenset[str]:
    """The words with which the same is asked, such as `notEqual` and `isFalse`: they stand in the assertions alone."""
    asked = frozenset() if new.through else frozenset(WORD.findall(f"{new.subject} {old.wanted} {new.wanted}"))
    return frozenset(WORD.findall(f"{'' if new.through else old.snippet} {new.snippet}")) - asked


def _asked_beside(check: Check, facts: Facts) -> frozenset[str]:
    """What else a helper asks that asks this: all of it stands on one line."""
    beside = [each.subject for each in facts.checks if each.line == check.line] if check.through else []
    return frozenset(WORD.findall(" ".join(beside)))


def _up_to(facts: Facts, check: Check, *, same: bool) -> frozenset[str]:
    """Where both ask for the same, only what stands before them can make a difference."""
    return facts.before(check.line) if same and facts.before else facts.words | facts.literals


def _name(check: Check) -> str:
    """The text in which an assertion names a member."""
    return repr(check.named[1:] if check.named.startswith(".") else check.named.strip("[]'"))


def _recorded(checks: Sequence[Check]) -> frozenset[str]:
    """What wanted values are made of, where a tool wrote one of them in its own notation."""
    if not any(check.relation == SNAPSHOT for check in checks):
        return frozenset()
    return frozenset(part for check in checks for part in PARTS.findall(check.wanted))


def _is_of(written: str, recorded: frozenset[str]) -> bool:
    """A name or a text that has nothing but parts of recorded values."""
    parts = PARTS.findall(RAW.sub("", written))
    return bool(parts) and recorded.issuperset(parts)
