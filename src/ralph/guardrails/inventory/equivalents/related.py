"""Whether one assertion may stand for another that asks something else: they have something in common.

That is a function or a member that both ask, or a constant that says something. A test that asks as much, of something
else altogether, no longer asks what it asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ralph.guardrails.config.node import names
from ralph.guardrails.inventory.model import Check, Facts
from ralph.guardrails.inventory.truth import HELPER
from ralph.guardrails.inventory.wanted.coarser import CALLED
from ralph.guardrails.inventory.wanted.values import CONSTANT, SNAPSHOT
from ralph.guardrails.source import remembered
from ralph.system.patterns import later

ASKED = later(r"(?<!['\"\w])[A-Za-z_]\w*[!?]?(?=\()|(?<=\.)[A-Za-z_]\w*")
NAMES = later(r"(?<!['\"\w.])[A-Za-z_]\w*(?![\w'\"])")
WHOLES = (SNAPSHOT, "snapshot")
"""How a whole is asked for, of which an assertion looked at a part."""
ALIKE = 0.7
"""From so much on two names are spellings of one."""
LONGEST = 200
"""So many characters of what is looked at are compared."""
WORD = later(r"\w+")
"""Alone: something that a function around it is given, or a part of something: nobody can tell what it is."""
GENERAL = frozenset(
    names(
        "len str repr int float bool list dict set tuple sorted sum min max abs round type isinstance hasattr getattr"
        " callable any all String Number Object keys values length size count Count Length toString to_s to_a equal"
        " Equal equals expect assert not is be to have new unwrap await clone iter collect get Err Ok Some None error"
        " Error"
    )
)
"""What anything may be asked."""
PLAIN = frozenset(names("0 1 2 -1 0.0 1.0 '' \"\" true false True False None nil null"))


def related(new: Check, old: Check, after: Facts) -> bool:
    asked, asks = _asked(old.subject), _asked(new.subject)
    if not asked or new.relation in WHOLES or not asked.isdisjoint(asks) or not _told(old).isdisjoint(_told(new)):
        return True
    if (new.relation, new.wanted) == (old.relation, old.wanted) and (old.wanted or _named_alike(new, old)):
        return True
    if asked.isdisjoint(after.words) and asked.isdisjoint(_words(after.body)):
        return True  # what it asked has another name in the whole test, or is asked no more, which others tell
    return WORD.fullmatch(new.subject) is not None


def shared(new: Check, old: Check) -> int:
    """How many functions and members both ask: of several assertions the nearest stands for another."""
    return len(_asked(new.subject) & _asked(old.subject))


def _named_alike(new: Check, old: Check) -> bool:
    """They begin with the same variable, or one has the other's name in another spelling."""
    from difflib import SequenceMatcher  # few changes need it

    if SequenceMatcher(None, _spelled(new), _spelled(old)).ratio() >= ALIKE:
        return True
    one, two = (NAMES.findall(CONSTANT.sub(" ", each.subject)) for each in (new, old))
    return bool(one and two) and one[0] == two[0] and f"{one[0]}(" not in new.subject


def _spelled(check: Check) -> str:
    return re.sub(r"[\W_]", "", check.subject[:LONGEST]).lower()


def still_there(check: Check, after: Facts) -> bool:
    """A value that was wanted, and something of what it was asked with, are constants of the test now, in a table or a
    call of a helper; or it was no constant."""
    if check.relation in ("raises", "warns") or not check.wanted:
        return False
    known = "\0".join(map(_plain, after.literals))  # two of them, side by side, are no third one
    asked, wanted = (list(map(_plain, CONSTANT.findall(part))) for part in (check.subject, check.wanted))
    numbers = (each.removeprefix("-") for each in asked)  # to most grammars the sign is no part of the constant
    return all(each in known for each in wanted) and (not asked or any(each in known for each in numbers))


def asks_nothing_of(check: Check, after: Facts) -> bool:
    """Neither the functions that this assertion asked nor the constant that it wanted are in the test now."""
    called = frozenset(CALLED.findall(check.subject))
    plain = check.relation == "==" and CONSTANT.fullmatch(check.wanted) is not None
    if not called or not plain or not called.isdisjoint(after.words):
        return False
    told = " ".join(f"{each.subject} {each.wanted}" for each in after.checks)
    return called.isdisjoint(CALLED.findall(told)) and check.wanted not in told and check.wanted not in after.literals


def same_otherwise(before: Facts, after: Facts, lost: Iterable[Check]) -> bool:
    """The test has everything that it had, but for what these assertions told: it was not written anew."""
    told = [f"{each.subject} {each.wanted} {each.snippet}" for each in lost]
    named = frozenset(word for each in told for word in WORD.findall(each))
    constants = frozenset(map(_plain, (each for text in told for each in CONSTANT.findall(text))))
    gone = frozenset(map(_plain, before.literals)) - frozenset(map(_plain, after.literals))
    return before.words - after.words <= named and all(" " in each for each in gone - constants - named)


def _plain(constant: str) -> str:
    return constant.strip("'\"")


@remembered(20_000)
def _asked(subject: str) -> frozenset[str]:
    """The functions and members that are asked; of one without, or with none but a helper of the tests, the variables.
    An assertion is held against every other of its test."""
    text = CONSTANT.sub(" ", subject)
    asked = frozenset(each for each in ASKED.findall(text) if not HELPER.match(each)) - GENERAL
    return asked or frozenset(NAMES.findall(text)) - GENERAL


@remembered(64)
def _words(body: str) -> frozenset[str]:
    return frozenset(WORD.findall(body))


def _told(check: Check) -> frozenset[str]:
    """The constants that it wants; where it wants none, those it asks with."""
    wanted = CONSTANT.findall(check.wanted)
    return frozenset(wanted or CONSTANT.findall(check.subject)) - PLAIN
