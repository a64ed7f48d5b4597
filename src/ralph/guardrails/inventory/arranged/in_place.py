"""What the product gave is changed in place by the test, before it is compared (policy set v2, class G05).

Rules for a statement that the base's test did not have, about a collection; behind it the base's own assertion compares
the very variable with a list or mapping that is written down, and the base gave it the answer of a call. That it is
declared so that it can change, or as a copy (`let mut got`, `new ArrayList<>(skus())`), is nothing new:

- It takes elements out, puts what is wanted in, or another value in a place: `got.dedup()`, `got.remove("jam")`,
  `got << "tea"`, `got = append(got, "tea")`, `got[0] = "cup"`, `del got["id"]`. A member that is another one in every
  run by its name (an id, a time) may go.
- It puts it in order: `got.sort()`, `Collections.sort(got)`, `slices.Reverse(got)`. The assertion may be another one
  then, with the same constants. That is plain where the order is what the test is about, else it is for a person. One
  that takes the place of another that put it in order is nothing new.

Any other answer is given again with the wanted constant in the place of others: `let got = got.max(3)`,
`got = 3 if got != 3`, `got = got.zero? ? 3 : got`, `got += 3 - got`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.arranged.altered import STANDS_IN
from ralph.guardrails.inventory.arranged.edits import ASSERTS, NUMBER, TEXT, Edits, constants, holds_wanted
from ralph.guardrails.inventory.wholes.left_out import is_changing
from ralph.guardrails.inventory.wholes.orders import is_about_order
from ralph.record import record
from ralph.system.patterns import later

NAME = r"(?P<{0}>[$@]?[A-Za-z_]\w*)"
ORDERS = later(
    r"\s*(?:(?:(?:java\.util\.)?Collections\.(?:sort|reverse)|Arrays\.sort|Array\.(?:Sort|Reverse)|slices\.(?:Sort\w*|Reverse)"
    rf"|sort\.(?:Strings|Ints|Float64s|Slice|SliceStable)|sort|usort|rsort|ksort)\(\s*{NAME.format('given')}\b.*\)"
    rf"|{NAME.format('of')}(?:\.|->)(?:sort\w*!?|Sort|reverse!?|Reverse|shuffle!?)(?:\s*[({{].*[)}}])?)\s*"
)
TAKES = later(
    rf"\s*(?:{NAME.format('of')}(?:\.|->)(?:dedup\w*|truncate|uniq!|compact!|retain\w*|[rR]emove\w*|RemoveRange|pop\w*|shift"
    r"|splice|delete\w*|discard|swap_remove|drain|filter!|reject!|select!|keep_if|slice!|clear|Clear|keepAll)(?:\s*[({].*[)}])?"
    rf"|del\s+{NAME.format('item')}\[(?P<key>.*)\]|delete\s+{NAME.format('member')}(?:\.(?P<called>\w+)|\[(?P<at>.*)\])"
    rf"|delete\(\s*{NAME.format('map')}\s*,\s*(?P<entry>[^,()]+)\))\s*"
)
PUTS = later(
    rf"\s*(?:{NAME.format('of')}(?:\.|->)(?:[aA]dd\w*|push\w*|append|Append|[iI]nsert\w*|unshift|prepend|extend\w*|set|put\w*"
    r"|replace|fill|concat|merge!)\s*\(.*\)"
    rf"|{NAME.format('onto')}\s*<<\s*.+|{NAME.format('grown')}\s*=\s*append\(\s*(?P=grown)\s*,.*\)"
    rf"|{NAME.format('item')}(?:\[[^\]\n]*\]|\.\w+)\s*(?:\|\||\?\?)?=(?![=>~]).+|Object\.assign\(\s*{NAME.format('object')}\s*,.+\))\s*"
)
WRITTEN = later(r"[\[{]|%[wi]\W|\b(?:\w*[lL]ist|\w*[sS]et|\w*[mM]ap|Arrays)(?:Of|\.of|\.asList)?\(")
"""A list or a mapping in an assertion."""
DECLARES = later(
    r"\s*(?:(?:let|var|val|const|final|auto|mut|(?:[A-Z][\w.]*|int|string)(?:<[^=]*>)?[?\[\]]*)\s+)*[$@]?[A-Za-z_]\w*"
    r"(?:\s*:\s*[^=]+)?\s*:?=(?![=>~])\s*(?P<value>\S.*)"
)
AGAIN = later(
    r"\s*(?:(?:let|var|val|const|mut)\s+)*(?P<name>[$@]?[A-Za-z_]\w*)\s*(?:[-+*/]|\|\||\?\?)?:?=(?![=>~])\s*(?P<value>.*?)\s*"
)
CHOOSES = later(rf"{STANDS_IN.pattern}|\b(?:match|switch|when|case|unless|cmp)\b")
OWN = later(r"(?:new\b|vec!|\[|\{|%[wi]|[\"'`\d]|Vec::|\w*(?:List|Set|Map)(?:Of)?\(\)|make\()")
"""Made by the test: what it does with that is no matter."""
COPIES = later(r"new\s+(?:\w+\.)*\w+(?:<[\w<>, ?]*>)?\((?=.*\w\()|\[\s*(?:\.\.\.|\*)")
CALLED = later(r"[\w>]\(|[A-Za-z]\.[a-z]\w|::\w")
WORDS = later(r"%[wi][\[({](?P<words>[^\])}]*)[\])}]")
LONGEST = 400


@record
class Changed:
    statement: str
    plain: bool


def changed_in_place(edits: Edits) -> Changed | None:
    """The new statement that does it, as it is written; None if none does."""
    for number in edits.fresh:
        statement = edits.whole(number)
        if len(statement) > LONGEST or ASSERTS.match(statement):
            continue
        if (match := ORDERS.fullmatch(statement)) is not None:
            name = match["of"] or match["given"]
            if (
                not _was_ordered(edits, name)
                and any(_came(edits, name, number))
                and any(_compared(edits, number, name, ordered=True))
            ):
                return Changed(edits.new[number].strip(), _is_about_order(edits))
        elif any(rule(edits, number, statement) for rule in (_takes, _puts, _gives_again)):
            return Changed(edits.new[number].strip(), plain=True)
    return None


def _was_ordered(edits: Edits, name: str) -> bool:
    """The base's test put it in order already, be it by another comparison: the answer's own order was no matter."""
    return any((was := ORDERS.fullmatch(each)) is not None and name in (was["of"], was["given"]) for each in edits.gone)


def _takes(edits: Edits, number: int, statement: str) -> bool:
    match = TAKES.fullmatch(statement)
    if match is None:
        return False
    name = next(match[each] for each in ("of", "item", "member", "map") if match[each])
    key = (match["key"] or match["called"] or match["at"] or match["entry"] or "").strip("\"' :")
    if key and is_changing(key):
        return False
    return any(_came(edits, name, number)) and any(_compared(edits, number, name))


def _puts(edits: Edits, number: int, statement: str) -> bool:
    match = PUTS.fullmatch(statement)
    if match is None:
        return False
    name = next(match[each] for each in ("of", "onto", "grown", "item", "object") if match[each])
    said = (each for each in _compared(edits, number, name) if holds_wanted(_quoted(statement), _quoted(each)))
    return any(said) and any(_came(edits, name, number))


def _gives_again(edits: Edits, number: int, statement: str) -> bool:
    match = AGAIN.fullmatch(statement)
    if match is None:
        return False
    name, value = match["name"], match["value"]
    itself = rf"(?<![\w.$@]){re.escape(name)}(?!\w)"
    if not re.search(itself, value) or not (CHOOSES.search(value) or re.search(rf"\d\s*-\s*{itself}", value)):
        return False
    plain = re.compile(rf"{itself}(?![.(\[])")
    said = (each for at, each in edits.asserted(number) if plain.search(each) and edits.is_at_once(number, at))
    return any(constants(statement) & constants(each) for each in said) and any(_came(edits, name, number))


def _came(edits: Edits, name: str, number: int) -> Iterator[bool]:
    """What the base gave the name, and the head still gives it, be it as a copy: the answer of a call."""
    named = re.compile(rf"(?<![\w.$@]){re.escape(name)}\b[^=\n(]*:?=(?![=>~])")
    was = [match["value"].strip() for each in edits.old if named.search(each) and (match := DECLARES.fullmatch(each))]
    now = [each for each in edits.new[:number] if named.search(each)]
    for value in was:
        made = OWN.match(value) is not None and COPIES.match(value) is None
        asks = CALLED.search(value) is not None or re.fullmatch(r"[a-z_]\w*[?!]?", value) is not None
        if not made and asks and any(value in each for each in now):
            yield True


def _compared(edits: Edits, number: int, name: str, *, ordered: bool = False) -> Iterator[str]:
    """Assertions of the base that look at the whole behind a statement; of an order, also those with its constants."""
    plain = re.compile(rf"(?<![\w.$@]){re.escape(name)}(?![\w.(\[])")
    for at, said in edits.asserted(number):
        if plain.search(said) and WRITTEN.search(said) and edits.is_at_once(number, at):
            yield said
    if not ordered:
        return
    gone = [sorted(_told(each)) for each in edits.gone if ASSERTS.search(each) and plain.search(each)]
    for at in edits.fresh:
        said = edits.whole(at)
        if at > number and ASSERTS.search(said) and plain.search(said) and sorted(_told(said)) in gone:
            yield said


def _quoted(statement: str) -> str:
    """Ruby's lists of words as texts."""
    return WORDS.sub(lambda match: " ".join(f'"{word}"' for word in match["words"].split()), statement)


def _told(statement: str) -> list[str]:
    texts = [next((part for part in match if part), "") for match in TEXT.findall(statement)]
    return texts + NUMBER.findall(TEXT.sub("", statement))


def _is_about_order(edits: Edits) -> bool:
    return any(is_about_order(edits.test, each) for each in edits.test.facts().checks)
