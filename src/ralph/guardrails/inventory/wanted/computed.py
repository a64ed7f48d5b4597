"""A written value that was wanted, and that the product works out now (policy set v2, class G05).

Rules: it is a loss where a constant was wanted, and now what the function itself gives for something else. It is one,
for `bill.total() == Money.of("12.50")` that became `bill.total() == bill.net() + bill.tax()`, where a constant, or what
is made of constants, was wanted, and now the answer of another method of the same, or of several functions that get
the same. Whatever they all do wrong together passes. It is none where the constant is wanted in another assertion of
the test, and where what is asked only says the same in another form, or is the very error that has the text; nor where
the exception is wanted as before, and its text now as well.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import Check, Facts, Grade
from ralph.guardrails.inventory.texts.longer import says_more
from ralph.guardrails.inventory.wanted.coarser import asks_itself
from ralph.guardrails.inventory.wanted.normal import is_whole
from ralph.guardrails.inventory.wanted.values import CONSTANT, is_made
from ralph.guardrails.inventory.wholes.parts import MADE_IN_GO
from ralph.system.patterns import later

DOT = later(r"\??\.|::|->")
MEMBER = later(r"(?s)(?P<name>[A-Za-z_]\w*)(?:\((?P<given>.*)\))?[!?]?$")
FUNCTION = later(r"(?s)(?P<name>[A-Za-z_]\w*)\((?P<given>.+)\)$")
SAYS_AGAIN = later(
    r"(?i)(?:__)?(?:to_?(?:s|string|json|dict|list|a|h|iso_?string|array|str|model)|as_?(?:dict|json|tuple|\w*str)|str|repr|dict|copy|clone"
    r"|value_?of|get\w*|format\w*|unwrap|clone|iter|into|borrow|as_ref|len\w*|size|count|keys|values|items|map|filter|sort\w*)"
)
"""What gives the thing itself, a part of it or its size: it works nothing out."""
OTHERS = later(
    r"(?i)(?:expect|want|make|build|create|new|mock|fake|any|assert|load|read|parse|open|b(?:16|32|64)|sha|md5|crc|dump|encode"
    r"|decode|quote|escape|unquote|reverse|sort|round|range)\w*|sqrt|sum|min|max|abs|list|tuple|set|int|float|bool|pow|hex|bin"
    r"|oct|type|zip|hash|id|bytes|complex|slugify|await"
)
"""Functions of tests by their names, such as make something, and such as a library has: these are not the product's."""
NAMED = later(r"(?:[A-Za-z]\w*(?:\.|::))+[A-Z]\w*|[A-Z][A-Z\d]*_[A-Z\d_]+")
"""A constant by its name: `http.StatusForbidden`."""
ERROR = later(r"(?:new )?(?:\w+\.)*[A-Z]\w*\((?P<text>\"[^\"]+\"|'[^']+')\)")
LONGEST = 400


def is_computed(new: Check, old: Check, facts: Facts) -> bool:
    """`facts` are those of the test that has the new assertion."""
    if old.relation == new.relation == "raises" and new.wanted.startswith(f"{old.wanted} "):
        return False
    plain = (
        (_is_written(old) or NAMED.fullmatch(old.wanted))
        and not new.known
        and new.subject == old.subject
        and not _is_the_error(new, old)
    )
    itself = bool(plain) and ((asks_itself(new) and not asks_itself(old)) or _is_made_of_it(new))
    return (itself and not says_more(new, old)) or _asks_others(new, old, facts)


def _is_made_of_it(new: Check) -> bool:
    """What is looked at stands in what is wanted: `{ id: got.id }` of `got`, `log.mock.lastCall[0]` of `log`."""
    subject = new.subject
    return len(subject) <= LONGEST and re.search(rf"(?<![\w.]){re.escape(subject)}(?=[.\[])", new.wanted) is not None


def _is_the_error(new: Check, old: Check) -> bool:
    """Of what is refused the very error is wanted now, which the test made with the text that it wanted of it."""
    made = ERROR.fullmatch(new.wanted) if old.relation == new.relation == "raises" else None
    return made is not None and made["text"] == old.wanted


def _asks_others(new: Check, old: Check, facts: Facts) -> bool:
    if old.relation != "==" or new.relation != "==" or new.subject != old.subject or old.grade is not Grade.EXACT:
        return False
    if not new.wanted or new.known or max(len(new.subject), len(new.wanted)) > LONGEST or not _is_written(old):
        return False
    if any(_told(each.wanted) & _told(old.wanted) for each in facts.checks):
        return False
    return any(name != asked and SAYS_AGAIN.fullmatch(name) is None for asked, name in _asked(new, facts))


def _is_written(check: Check) -> bool:
    made = is_made(check.wanted) or ("(" not in check.wanted and MADE_IN_GO.fullmatch(check.wanted) is not None)
    return check.known or (made and bool(_told(check.wanted)))


def _told(wanted: str) -> frozenset[str]:
    return frozenset(CONSTANT.findall(wanted))


def _asked(check: Check, facts: Facts) -> list[tuple[str, str]]:
    """What is looked at is asked by the first of two names, and gives what is wanted by the other."""
    found: list[tuple[str, str]] = []
    if (member := _member(check.subject)) is not None:
        owner, asked = member
        methods = re.findall(rf"(?<![\w.]){re.escape(owner)}([A-Za-z_]\w*)[!?]?\(", check.wanted)
        found += [(asked, name) for name in methods]
    function = FUNCTION.match(check.subject)
    if function is not None and is_whole(function["given"]):
        given = re.escape(function["given"])
        called = re.findall(rf"(?<![\w.])([a-z_]\w*)\({given}\)", check.wanted)
        own = (*facts.defined, *facts.own)
        others = {name for name in called if name not in own and OTHERS.fullmatch(name) is None}
        found += [(function["name"], name) for name in others] if len(others) > 1 else []
    return found


def _member(subject: str) -> tuple[str, str] | None:
    """The last member that is asked, and whose it is, the dot included."""
    for dot in reversed(list(DOT.finditer(subject))):
        owner, member = subject[: dot.end()], MEMBER.match(subject, dot.end())
        if member is not None and is_whole(member["given"] or "") and owner.count("(") == owner.count(")"):
            return owner, member["name"]
    return None
