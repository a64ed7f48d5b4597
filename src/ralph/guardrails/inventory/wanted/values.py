"""Whether two assertions want the same value, however it is written, and whether two values that are made differ.

A value that is made of constants (`Decimal("3")`, `{"total": Money(3)}`) is another one where nothing but its constants
is other than before; a member of an enumeration where the names of the two have no word in common, as aliases have.
"""

from __future__ import annotations

import ast
import math
import re
from collections import Counter

from ralph.guardrails.inventory.model import Check, Grade
from ralph.guardrails.inventory.wanted.arithmetic import number_of, same_number
from ralph.system.patterns import later

CONSTANT = later(r"(?<![\w.])-?\d[\w.]*|(?:\bb)?(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")
MAKER = (
    r"(?:(?!(?:Is|Any|Has|Contains|Partial|Matches|Starts|Ends|Regex|Like|Approx|Mock|Magic|Unordered)[A-Z(])[A-Z]\w*"
    r"|date|time|datetime|timedelta|set|frozenset|dict|list|tuple|bytes|bytearray|complex|deque)"
    r"(?:\.(?:of|from|valueOf|parse|new))?"
)
MADE = later(
    rf"(?=.*_)(?:\b(?:new )?(?:[A-Za-z]\w*(?:\.|::))*{MAKER}\(|\b[A-Za-z]\w*(?:=(?!=)|:(?!:))|_"
    r"|\b(?:None|True|False|null|true|false)\b|:(?!:)|[-\[\](){},\s])+",
    re.DOTALL,
)
"""What is left of such a value when each constant is a `_`."""
QUALIFIER = later(rf"(?<![\w.])(?:[a-z_]\w*\.)+(?={MAKER}\()")
NAME = later(r"[A-Za-z_][\w.]*")
LONGEST = 100
"""A longer text is tried on no pattern."""
MEMBER = later(r"((?:\w+(?:\.|::))*[A-Z]\w*)(?:\.|::)([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)")
REFUSES = later(r"(?i)rais|throw|reject")
"""Relations that are about what is refused, and about what is not."""
REFUSED = later(r"(?i)(?:assert_?|should_?|expect_?)?(?:rais|throw|reject)")
PUT_OFF = later(r"^(?:\(\)\s*[-=]>|lambda\s*:|\|\|)\s*")
"""What stands before a call that is handed on."""
ASKED = later(r"(?P<name>(?:\w+\.)*?\w+)(?:\.bind)?\(")
NOT_A_NUMBER = later(r"(?:Number\.)?isNaN\(")
OPPOSITES = frozenset(
    {
        frozenset({("==", "nil"), ("!=", "nil")}),
        frozenset({("==", "None"), ("!=", "None")}),
        frozenset({("==", "null"), ("!=", "null")}),
        frozenset({("==", "true"), ("==", "false")}),
        frozenset({("NoError", ""), ("Error", "")}),
        frozenset({("falsy", ""), ("exists", "")}),
        frozenset({("Nil", ""), ("NotNil", "")}),
        frozenset({("Empty", ""), ("NotEmpty", "")}),
    }
)
"""Of two answers the other one: there is nothing third that the test could want."""
THERE, NOT_THERE = frozenset({"true", "exists"}), frozenset({"false", "falsy"})
NOTHING = frozenset({"False", "false", "None", "null", "nil", "undefined"})
TRUTHS = frozenset({"False", "false"})
NEGATION = later(r"^(?:not |never |!|Not(?=[A-Z])|(?:assert)?[dD]oesNot(?=[A-Z]))")
CALLED = later(r"(?i)called")
VOLATILE = later(
    r"(?i)_*(?:\w*?_?id|\w*(?:_at|_?date|_?time|stamp|token|uuid|guid|nonce|hash|etag|checksum|signature|cursor)s?"
    r"|now|seed|random\w*|duration\w*|elapsed\w*|took|ms|pid|port|version|host(?:name)?|cwd|stack)|\w+At"
)
"""What values are called that are other ones each time."""


def other_number(old: Check, new: Check) -> bool:
    """Close to another number than the one that it was equal to, or the other way round."""
    if new.subject != old.subject or {old.relation, new.relation} != {"==", "~"} or new.grade < Grade.CLOSE:
        return False
    was, now = number_of(old.wanted), number_of(new.wanted)
    near = max(old.slack or 0.0, new.slack or 0.0, 1e-6)
    return was is not None and now is not None and not math.isclose(was, now, rel_tol=near)


def names_another(old: Check, new: Check) -> bool:
    """Of the same whole, an assertion that names what it asks about names something else."""
    apart = bool(old.named and new.named) and old.named != new.named
    return apart and old.subject.removesuffix(old.named) == new.subject.removesuffix(new.named)


def other_truth(old: Check, new: Check) -> bool:
    """Just `True` is wanted now, where it was another constant: `x == "*"`, `x is True`; or nothing at all is."""
    if new.subject != old.subject or old.relation != "==" or not old.known or old.grade < Grade.CLOSE:
        return False
    return new.exactly or (old.grade is Grade.EXACT and _is_nothing(new) and TELLING.fullmatch(old.wanted) is not None)


def _is_nothing(check: Check) -> bool:
    """`x is None`, `not x`, `assert.Nil(t, x)`, `x.Should().BeEmpty()`."""
    if check.relation == "==":
        return check.wanted in NOTHING
    return bool(check.grade) and not check.wanted and NOTHING_THERE.fullmatch(check.relation) is not None


TELLING = later(r"[rbuf]?(['\"])[^'\"\n]+\1|-?(?!0+(?:\.0*)?$)\d[\d_.]*")
"""A text that is not empty, and a number that is not nought: neither is nothing."""
NOTHING_THERE = later(r"(?i)(?:(?:assert|should|must|is|be)[_ ]?)*(?:nil|null|none|false|falsy|falsey|empty|zero)")


SNAPSHOT = "snapshot =="
"""The relation to a value that a tool wrote into the test, in its own notation."""
THROWN = "raises snapshot"
"""The same of an error's message."""
PARTS = later(r"[^\W_]+")


SAID_OTHERWISE = ({"==", SNAPSHOT}, {"==", "match_array"}, {"==", "ElementsMatch"})
"""Two ways to want one value. The last two leave its order open."""


def other_record(old: Check, new: Check) -> bool:
    """A value that is wanted in another way, such as recorded by a tool, and is another one: made of other names and
    constants, or a message of which neither is a part of the other."""
    pair = {old.relation, new.relation}
    if new.subject != old.subject or len(pair) == 1:
        return False
    if pair in SAID_OTHERWISE:
        return Counter(PARTS.findall(old.wanted)) != Counter(PARTS.findall(new.wanted))
    one, other = old.wanted.strip("'\""), new.wanted.strip("'\"")
    return pair == {"raises", THROWN} and old.grade is new.grade and one not in other and other not in one


def same_value(old: Check, new: Check) -> bool:
    """`6` and `6.0` are one number, `URL("/")` and `http.URL("/")` one object."""
    if old.wanted == new.wanted or same_number(old.wanted, new.wanted):
        return True
    if old.relation == new.relation == "~" and (old.slack or 0.0) > (new.slack or 0.0):
        near, nearer = number_of(old.wanted), number_of(new.wanted)  # said more exactly, as far as it was said
        return near is not None and nearer is not None and math.isclose(near, nearer, rel_tol=old.slack or 0.0)
    if old.relation == new.relation and _said_more_exactly(old.wanted, new.wanted):
        return True
    was, now = QUALIFIER.sub("", old.wanted), QUALIFIER.sub("", new.wanted)
    return was == now or (was[:1] == now[:1] in ("{", "[", "(") and _written_alike(was, now))


def _said_more_exactly(one: str, other: str) -> bool:
    """A pattern became one of the texts that it is a pattern of."""
    was, now = (re.fullmatch(r"/ ?(\^?)(.*?)(\$?) ?/", each, re.DOTALL) for each in (one, other))
    if was is None or now is None or (was[1], was[3]) > (now[1], now[3]):
        return False
    text = re.sub(r"\\([^\w\s])", r"\1", now[2])
    if (
        re.search(r"\\|[*+?|()\[\]{}]|\.(?!\w)", now[2])
        or len(text) > LONGEST
        or len(re.findall(r"[*+{?]", was[2])) > 2
    ):
        return False
    try:
        return re.search(f"{was[1]}{was[2]}{was[3]}", text) is not None
    except (re.error, RecursionError, OverflowError):
        return False


def _written_alike(one: str, other: str) -> bool:
    """The order of a set or of a dictionary is nothing."""
    try:
        return bool(ast.literal_eval(one) == ast.literal_eval(other))
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return False


def made_another(old: Check, new: Check) -> bool:
    """Both values are made of constants, or stand in one enumeration, and are not the same."""
    if same_number(old.wanted, new.wanted) is False:
        return True
    one, other = MEMBER.fullmatch(old.wanted), MEMBER.fullmatch(new.wanted)
    if one and other:
        return one[1] == other[1] and not set(one[2].split("_")) & set(other[2].split("_"))
    form = CONSTANT.sub("_", old.wanted)
    if form != CONSTANT.sub("_", new.wanted) or not MADE.fullmatch(form):
        return False
    pairs = zip(CONSTANT.findall(old.wanted), CONSTANT.findall(new.wanted), strict=True)
    return any(_differ(was.strip("'\""), now.strip("'\"")) for was, now in pairs)


def _differ(one: str, other: str) -> bool:
    number = number_of(one)
    return one != other and (number is None or number != number_of(other))


def is_made(wanted: str) -> bool:
    """It is made of constants."""
    return MADE.fullmatch(CONSTANT.sub("_", wanted)) is not None


def narrower_pattern(old: Check, new: Check) -> bool:
    """The pattern for a message says what it said and more; nothing that was put to it makes a part of it optional."""
    one, other = (check.wanted.partition(" ") for check in (old, new))
    was, now = one[2][1:-1], other[2][1:-1]
    return one[0] == other[0] and bool(was) and was in now and re.search(r"[|?*({]", now.replace(was, "", 1)) is None


def kinds_of(check: Check) -> frozenset[str]:
    """The names of the exceptions that a test waits for."""
    return frozenset(NAME.findall(check.wanted)) if check.wanted.startswith("(") else frozenset({check.wanted})


def answer(check: Check) -> tuple[str, str]:
    return check.relation, check.wanted


def opposite(old: Check, new: Check) -> bool:
    """Of two answers the other one; both are about the same subject."""
    if frozenset({answer(old), answer(new)}) in OPPOSITES or is_something(new, old):
        return True
    return new.grade >= old.grade and _denies(new, old)


def is_something(new: Check, old: Check) -> bool:
    """What gave nothing at all gives something now, and the test says what it holds."""
    was_nothing = old.relation == "==" and old.wanted in NOTHING - TRUTHS
    return was_nothing and new.relation == "part" and new.grade >= Grade.CLOSE and new.wanted not in ("", "{}", "{ }")


def _denies(new: Check, old: Check) -> bool:
    """It demands no less, and what was demanded would fail."""
    if old.relation in THERE and (new.relation in NOT_THERE or (new.relation == "==" and new.wanted in NOTHING)):
        return True
    if {old.relation[:1], new.relation[:1]} == {"<", ">"}:
        return old.slack is not None and new.slack is not None and abs(old.slack) == abs(new.slack)
    was, now = NEGATION.sub("", old.relation), NEGATION.sub("", new.relation)
    if (was == old.relation) == (now == new.relation):
        return False
    if REFUSES.search(was) and REFUSES.search(now):
        return True  # whatever it says
    if CALLED.search(was) and CALLED.search(now):
        return True  # however often
    return old.wanted == new.wanted and was.lower().lstrip("=") == now.lower().lstrip("=")


def is_refusal(check: Check) -> bool:
    return REFUSED.match(check.relation) is not None


def is_answered(new: Check, refused: Check) -> bool:
    """What was refused gives a value now; or its like gives what is no number, or a collection of nothing."""
    if not is_refusal(refused) or REFUSES.search(new.relation) or not new.grade:
        return False
    call = PUT_OFF.sub("", refused.subject).strip("{} ;")
    given = new.subject.removeprefix("await ")
    if call.endswith(")") and given.startswith(call) and ".catch(" not in given and new.grade >= refused.grade:
        return True
    asked = ASKED.match(refused.subject) if refused.grade < Grade.EXACT else None
    if new.grade is not Grade.SHAPE or asked is None or asked["name"] not in new.subject:
        return False
    return (new.relation, new.wanted) == ("length", "0") or NOT_A_NUMBER.match(new.subject) is not None
