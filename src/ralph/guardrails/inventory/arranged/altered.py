"""What the product answered is altered by the test itself, before it looks at it (policy set v2, class G05).

Rules, for a statement that the base's test did not have; the assertion behind is one that the base had, word for word:

- It empties or filters what only assertions look at behind it, fills it with what one of them wants, or counts it up:
  `cart.errors.clear()`, `errors.reject! { … }`, `got.push("c")`, `got ||= 3`, `got += 1`.
- A setter, or reflection, gives an object that came of a call the very constant that is wanted of it:
  `cart.setCurrency("EUR")`, `setField(cart, "total", 3)`.
- It is a statement of the base with the wanted constant around its value:
  `total().clamp(3, 3)`, `load().copy(net = 3)`.

Where a statement about the same object went, the test does something else now, and not more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from ralph.guardrails.inventory.arranged.edits import NOTE
from ralph.guardrails.inventory.arranged.given import NEAR
from ralph.guardrails.inventory.arranged.overwritten import CONSTANT
from ralph.guardrails.inventory.match import Pair
from ralph.guardrails.inventory.model import Check, Grade
from ralph.record import record
from ralph.system.patterns import later

PLACE = r"[$@]?[A-Za-z_]\w*(?:(?:\.|->|\?\.|!!\.)\w+(?:\(\))?|\[(?:\d+|\"[^\"\n]*\"|'[^'\n]*')\])*"
_NOTHING = (
    r"vec!\[\]|\w+(?:<[\w:<>]*>)?::new\(\)|new\b[\w<> ]*\(\)|\[\]|\{\}|\w*(?:[lL]ist|Map|Set)(?:Of)?\(\)|List\.of\(\)"
)
_IN_PLACE = (
    r"[cC]lear|[rR]emove(?:All|If|Where|Values)|retain(?:All)?|drain|reject!|select!|filter!|keep_if|delete_if|compact!"
    r"|clear_errors|g?sub!|strip!|chomp!|upcase!|downcase!|uniq!|map!|squeeze!|merge!|slice!|tr!|replace(?=\(\s*[\"'])"
)
ASSERTS = later(
    r"(?i)\b(?:expect\w*|assert\w*|refute\w*|require|should\w*|must\w*|verify|check\w*|xctassert\w*)\b"
    r"|^\s*if\b.*(?:!=|!\w|==)"
)
EMPTIES = later(
    rf"\s*(?P<path>{PLACE})(?:\s*=\s*(?:{_NOTHING})\s*|(?:\.|->|\?\.)(?:{_IN_PLACE})(?:\s*[({{].*[)}}])?\s*)"
)
FILLS = later(
    rf"\s*(?P<path>{PLACE})(?:(?:\.|->)(?:[aA]dd|push|push_back|append|insert|unshift|[iI]nsert)\s*\(\s*(?:\d+\s*,\s*)?"
    rf"|\s*<<\s*|\s*(?:\|\||\?\?)=\s*)(?P<value>{CONSTANT})(?:\.to_string\(\)|\.into\(\)|\.to_owned\(\))?\s*\)?\s*"
)
COUNTS = later(rf"\s*(?P<path>{PLACE})\s*(?:[-+*/]=\s*-?\d[\w.]*|\+\+|--)\s*")
SETTER = later(rf"\s*(?P<owner>{PLACE})(?:\.|->)(?:set_?)(?P<name>[A-Za-z]\w*)\(\s*(?P<value>{CONSTANT})\s*\)\s*")
REFLECTS = later(
    r".*\b(?:setField|setInternalState|writeField|setPrivateField|setPropertyValue|SetFieldValue)\w*\("
    rf"\s*(?P<first>\w+)\s*,.*?(?P<given>{CONSTANT})(?:\s*,\s*true)?\s*\)+\s*"
    rf"|\s*(?P<own>[@\w]+)\.instance_variable_set\W+@(?P<member>\w+).*,\s*(?P<ruby>{CONSTANT})\s*\)?\s*"
    r"|.*(?:\.|->)(?:set|setValue|SetValue|set(?:Int|Long|Double|Boolean))\("
    rf"\s*(?P<object>[$\w]+)\s*,\s*(?P<told>{CONSTANT})\s*\)+\s*"
)
GIVES = later(
    r"\s*(?:(?:let|var|val|const|final|auto|mut|[A-Z][\w<>\[\],]*|int|long|double|bool(?:ean)?|string)\s+|[$])*"
    r"(?P<name>\$?[A-Za-z_]\w*)(?:\s*:\s*[\w<>?]+)?\s*:?=(?![=>~])\s*(?P<value>\S.*?)\s*"
)
AMENDS = later(r"\b(?:apply|also|with|copy|tap|replace|update)\b|\.\.|^\s*\{")
KEYED = later(rf"(?P<key>\w+)\s*(?::|=(?!=))\s*(?P<value>{CONSTANT})")
STANDS_IN = later(
    r"\|\||\?\?|\?|\b(?:or|rescue)\b|\b(?i:max|min|clamp|coerce\w*|unwrap_or|orElse\w*|or_else|takeIf|getOrDefault|presence|ifEmpty|fallback"
    r"|defaultIfEmpty|getOrElse)\b|\bif\b"
)
ANSWERS = frozenset({"true", "false", "nil"})
"""What is wanted of a member without being written down: `refute parser.failed?`."""
VALUE = later(rf"(?<![\w.]){CONSTANT}")
CALLS = later(r"\w\(|\w(?:\.|->|::)\w")
MAKES = later(
    r"\bnew\s+(?:[A-Z]\w*(?:List|Map|Set|Builder)|StringBuilder)\b|\bVec::|\bvec!|\b\w*(?:List|Map|Set|Array)Of\("
)
"""A collection of the test's own, which is no answer."""
BLOCK = later(
    r"(?<=\w)\s*(?:\{|do\b(?:[ \t]*\|\w+\|)?)[ \t]*\n"
    r"(?P<inner>(?:[ \t]*[\w.]+\s*=(?![=>])[^\n{}]*\n){1,5})[ \t]*(?:\}|end\b)"
)
HANDLES = later(r"\b(?:rescue|catch)\b")
HANDLED = later(
    r"(?m)^(?P<name>[^\n=]{1,200}=[ \t]*)(?:begin|try[ \t]*\{)[ \t]*\n?[ \t]*(?P<value>[^\n}]+?)[ \t]*\n?[ \t]*"
    r"(?:\}[ \t]*)?(?:rescue|catch)\b[^\n{]*\{?[ \t]*\n?[ \t]*(?P<instead>[^\n}]+?)[ \t]*\n?[ \t]*(?:end\b|\})"
)
"""A value with a handler that gives another one."""
SHIFTED = later(r"\s*[-+*/%]\s*\d[\w.]*$")
BLANK = later(r"\s*[})\]]*\s*(?:(?://|#).*)?")


@record
class Altering:
    """What a new statement does: to which object or member, with which constant, and what of it is then asked."""

    path: str
    value: str
    member: str = ""
    """The name of a getter or member of which the constant is then wanted."""
    at_once: bool = True
    """Nothing but assertions stands between."""


def altered(pair: Pair) -> str | None:
    """The new statement that alters an answer, as it is written; None if none does."""
    old, new = (_statements(each.lines) for each in (pair.old, pair.new))
    kept = {each.strip() for each in old}
    there = {each.strip() for each in new}
    gone = [each for each in old if each.strip() not in there]
    fresh = [number for number, each in enumerate(new) if each.strip() and each.strip() not in kept]
    for number in fresh if len(fresh) <= NEAR else ():
        for found in _altering(new[number], gone):
            if _is_answer(found, new[:number], kept) and _is_wanted(found, new[number + 1 :], kept):
                return new[number].strip()
    return None


def shifted(pair: Pair) -> Check | None:
    """A new assertion that wants what the base's did, of the same with a number added: `assert_eq!(got + 1, 3)`."""
    old, new = pair.old.facts().checks, pair.new.facts().checks
    was = {_said(each) for each in old if each.grade is Grade.EXACT} - set(map(_said, new))
    for check in new:
        bare = SHIFTED.sub("", check.subject)
        if bare != check.subject and (bare, check.relation, check.wanted) in was:
            return check
    return None


def _said(check: Check) -> tuple[str, str, str]:
    return check.subject, check.relation, check.wanted


def _statements(text: str) -> list[str]:
    joined = BLOCK.sub(lambda match: " {" + match["inner"].replace("\n", ", ") + "}", text)
    joined = HANDLED.sub(r"\g<name>\g<value> rescue \g<instead>", joined) if HANDLES.search(joined) else joined
    return re.split(r"[;\n]", NOTE.sub("", joined))


def _altering(statement: str, gone: Sequence[str]) -> Iterator[Altering]:
    if (given := GIVES.fullmatch(statement)) is not None:
        yield from _amended(given["name"], given["value"], gone)
    elif (match := EMPTIES.fullmatch(statement) or COUNTS.fullmatch(statement)) is not None:
        if not _went(match["path"], gone):
            yield Altering(match["path"], "")
    elif (match := FILLS.fullmatch(statement)) is not None:
        if not _went(match["path"], gone):
            yield Altering(match["path"], match["value"])
    elif (match := SETTER.fullmatch(statement)) is not None:
        if not _went(match["owner"], gone):
            yield Altering(match["owner"], match["value"], match["name"])
    elif (match := REFLECTS.fullmatch(statement)) is not None:
        owner, value = (
            match["first"] or match["own"] or match["object"],
            match["given"] or match["ruby"] or match["told"],
        )
        if match["member"] and value in ANSWERS:
            yield Altering(owner, "", match["member"], at_once=False)
        yield Altering(owner, value, at_once=False)


def _amended(name: str, value: str, gone: Sequence[str]) -> Iterator[Altering]:
    """The base gave the name the same, without what is around it now."""
    for match in filter(None, map(GIVES.fullmatch, gone)):
        was = match["value"]
        if match["name"] != name or was == value or was not in value or not CALLS.search(was):
            continue
        before, _, behind = value.partition(was)
        around = f"{before} {behind}"
        if AMENDS.search(around):
            yield from (Altering(name, each["value"], each["key"], at_once=False) for each in KEYED.finditer(around))
        elif STANDS_IN.search(around):
            yield from (Altering(name, each, at_once=False) for each in VALUE.findall(around))


def _went(path: str, gone: Sequence[str]) -> bool:
    root = re.compile(rf"\s*{re.escape(_root(path))}(?![\w$])")
    return any(root.match(each) and not ASSERTS.search(each) for each in gone)


def _root(path: str) -> str:
    return re.split(r"[.\[?!-]", path)[0]


def _is_answer(found: Altering, above: Sequence[str], kept: AbstractSet[str]) -> bool:
    """It came of a call, and the test did nothing new with it since."""
    root = re.escape(_root(found.path))
    given = re.compile(rf"(?<![\w.$@]){root}\b[^=\n(]*:?=(?![=>~])(?P<value>[^\n]*)")
    named = re.compile(rf"(?<![\w.$@]){root}(?!\w)")
    came = False
    for each in above:
        match = given.search(each)
        if match is not None:
            came = CALLS.search(match["value"]) is not None and not MAKES.search(match["value"])
        if named.search(each) and each.strip() not in kept and not ASSERTS.search(each):
            return False
    return came or not found.at_once


def _is_wanted(found: Altering, below: Sequence[str], kept: AbstractSet[str]) -> bool:
    names = {found.path} if found.at_once else {_root(found.path)}
    value = re.compile(rf"(?<![\w.]){re.escape(found.value)}(?![\w.]*\w)") if found.value else None
    member = re.compile(rf"(?i)\b(?:get_?|is_?)?{re.escape(found.member.lstrip('_'))}\b") if found.member else None
    for each in below[:NEAR]:
        looks = any(re.search(rf"(?<![\w.$@]){re.escape(name)}(?![\w$])", each) for name in names)
        if ASSERTS.search(each):
            asked = looks and (value is None or value.search(each)) and (member is None or member.search(each))
            if asked and each.strip() in kept:
                return True
        elif found.at_once and not BLANK.fullmatch(each) and each.strip() in kept:
            return False
        elif looks and (given := GIVES.fullmatch(each)) is not None and each.strip() in kept:
            names.add(given["name"])
    return False
