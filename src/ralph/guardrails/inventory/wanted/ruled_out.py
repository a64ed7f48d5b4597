"""What an assertion rules out, and whether another one still does (policy set v2, class G05).

To rule something out demands little, and so does to see that there is something: of two that demand little, neither
would be missed for the other one. Rules:

- That something is not this (`"id" not in r`, `not isinstance(r, Item)`, `expect(r.has("b")).toBe(false)`), or is that
  by its name (`toHaveProperty("id")`), became that it is there at all, or of what type, or that what it belongs to is.
- That a member is there became that its owner is, or has such a member; that each of a list is so, that there are some.
- Something else is ruled out of the same: another value. A part of what was ruled out rules out as much.
- What is looked at has its `!` taken off or put on, and the answer stayed: the opposite.
"""

from __future__ import annotations

import re

from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.inventory.wanted.values import CONSTANT, NOTHING
from ralph.system.patterns import later

NEGATED = later(
    r"(?:[nN]ot |does ?not |refute_|assert_(?:not?|does_not)_|wont_)(?P<what>.*)"
    r"|(?:assert|is|toBe|Be|does)?Not(?:Be)?(?P<go>[A-Z]\w*)"
)
EMPTY = later(r"(?i)(?:assert |be_|to |be )*(?:nil|null|none|undefined|empty|blank|nothing)?")
"""What is ruled out where nothing else is asked but whether there is something."""
RAISES = later(r"(?i).*(?:rais|throw|panic)")
NAMES = frozenset({"matches", "hasattr", "respond_to"})
"""Relations of little weight that name what they look for."""
THERE = frozenset({"true", "exists", "be_truthy", "be_present", "assert_present", "assert_not_nil", "called"})
_KIND = r"(?:array|bool|string|int|float|object|iterable|numeric|callable)"
TYPED = later(
    rf"isinstance|assertIsInstance|IsType|Implements|type|(?:assert )?is {_KIND}|be_(?:an?|kind_of|instance_of)"
    rf"|(?:is(?:Exactly)?|assert)InstanceOf|hasattr|callable|respond_to|assert_respond_to|isA|is a|to be {_KIND}"
)
NONE = NOTHING | {"", "''", '""', "[]", "{}", "()", "NULL", "nullptr"}
WANTED = later(r":\w+[?!]?|/.*/|\w+(?:(?:\.|::)\w+)*", re.DOTALL)
EITHER = later(r"(?i)[\[({]?\s*(?:true,\s*false|false,\s*true)\s*[\])}]?|Is\.(?:True\.Or\.False|False\.Or\.True)")
"""Both answers that there are."""
ONE_OF = frozenset({"in", "be_in", "is", "BeOneOf", "isIn", "part", "toBeOneOf", "must_be"})
BLOCK = later(r"^\{?\s*(?:(?:async )?\(\w*\)\s*[-=]>\s*\{?\s*)?|[};\s]+$")
"""What stands around the code that raises nothing."""
ITSELF = later(
    r"!|(?:\??\.|->)(?:ConfigureAwait\(\w*\)|Value|Result|await|(?:unwrap|get|clone|as_ref|as_deref|orElseThrow|expect)\([^()]*\))"
)
"""What gives a thing itself once more."""
QUOTES = "\"'"
YES = frozenset({("==", "true"), ("==", "True"), ("true", ""), ("exists", "")})
NO = frozenset({("==", "false"), ("==", "False"), ("false", ""), ("falsy", "")})
TURNED = later(r"(?:!(?!=)|not (?!in ))\s*")
JOINED = later(r"&&|\|\||[=<>]=|[<>?]|\b(?:and|or|in|is)\b")
"""What stands between two things of which a `!` in front turns only the first."""


def rules_out(check: Check) -> bool:
    """It names what is not to be so."""
    if check.grade is not Grade.EXISTS:
        return False
    if check.relation == "!=":
        return check.wanted not in NONE
    match = NEGATED.fullmatch(check.relation)
    return match is not None and EMPTY.fullmatch(match["what"] or match["go"] or "") is None


def only_there(new: Check, old: Check) -> bool:
    """What was ruled out, or asked for by its name, is not asked now: only whether there is something, or its owner."""
    if new.grade > Grade.SHAPE or not new.subject or not old.subject or not (typed := _is_typed(new)) ^ _is_there(new):
        return False
    if _is_quiet(old) and _is_quiet(new):
        return _owns(BLOCK.sub("", new.subject), BLOCK.sub("", old.subject))
    if rules_out(old) and not (_is_quiet(old) and typed):
        return _stands_in(new.subject, old.subject) or _stands_in(old.subject, new.subject)
    if new.relation == "hasattr" and f"{new.subject}.{new.wanted.strip(QUOTES)}" == old.subject:
        return True
    if old.grade is not Grade.EXISTS or typed:
        return False
    if old.relation in NAMES and old.wanted:
        return _stands_in(new.subject, old.subject) or _stands_in(old.subject, new.subject)
    if old.subject.startswith("all(") and old.relation == "==":
        return "all(" not in new.subject and old.subject[4:-1].strip("()[]") in new.subject
    return _is_there(old) and _owns(new.subject, old.subject)


def rules_out_other(new: Check, old: Check) -> bool:
    """Of the same, something else by its name."""
    same = (new.subject, new.relation) == (old.subject, old.relation)
    if not same or not rules_out(old) or not rules_out(new) or RAISES.match(old.relation):
        return False
    was, now = (each.wanted.strip("\"'/ ") for each in (old, new))
    plain = all(CONSTANT.fullmatch(each.wanted) or WANTED.fullmatch(each.wanted) for each in (old, new))
    return plain and bool(now) and now not in was


def is_turned(new: Check, old: Check) -> bool:
    """The same answer of the opposite question, or the other way round: `!r.ok` is true, and `r.ok` is true."""
    if "!" not in old.subject + new.subject and "not " not in old.subject + new.subject:
        return False
    (one, was), (other, now) = _asked(old), _asked(new)
    return was is not None and now is not None and was != now and one == other and new.grade >= old.grade


def _asked(check: Check) -> tuple[str, bool | None]:
    """What is looked at without its negations, and the answer; None where there is no plain one."""
    answer = (check.relation, check.wanted)
    positive = True if answer in YES else False if answer in NO else None
    subject = check.subject
    while positive is not None and (match := TURNED.match(subject)):
        subject, positive = subject[match.end() :], not positive
        if JOINED.search(CONSTANT.sub("", subject)):
            positive = None
    return subject, positive


def _is_there(check: Check) -> bool:
    if check.grade is not Grade.EXISTS:
        return False
    if check.relation == "!=":
        return check.wanted in NONE
    if _is_quiet(check):
        return True
    match = NEGATED.fullmatch(check.relation)
    plain = check.relation in THERE or (check.relation, check.wanted) == ("==", "true")
    return plain or (match is not None and EMPTY.fullmatch(match["what"] or match["go"] or "") is not None)


def _is_quiet(check: Check) -> bool:
    """Nothing is raised."""
    return rules_out(check) and RAISES.match(check.relation) is not None


def is_either(check: Check) -> bool:
    return check.relation in ONE_OF and EITHER.fullmatch(check.wanted) is not None


def _is_typed(check: Check) -> bool:
    return is_either(check) or TYPED.fullmatch(check.relation) is not None


def _owns(owner: str, member: str) -> bool:
    rest = member.removeprefix(owner)
    return rest != member and rest[:1] in (".", "?", "[", "-", "&", "!") and not ITSELF.fullmatch(rest)


def _stands_in(part: str, whole: str) -> bool:
    return part in whole and re.search(rf"(?<![\w.]){re.escape(part)}(?!\w)", whole) is not None
