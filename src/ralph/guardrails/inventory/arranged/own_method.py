"""A method of the very object that a test asks is made to answer what is wanted (policy set v2, class G06).

Rule, for a statement that the base's test did not have: it gives a method of an object an answer of its own, a constant
that assertions of both sides want, and the test calls another method of that object: `vi.spyOn(bill, "rate")` answers
7, and `bill.total()` has to be 7. What did the work in the base is not run any more. The base's test said the constant
nowhere but in assertions: a double that gave it before, or an input, may well have become this one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ralph.guardrails.inventory.arranged.edits import ASSERTS, Edits, constants, split, whole
from ralph.system.patterns import later

OBJECT = r"(?<![\w.])(?P<object>[$@]?[A-Za-z_]\w*)"
METHOD = r"(?P<method>[A-Za-z_]\w*[?!]?)"
TELLS = (
    r"(?:mock(?:Return|Resolved)Value(?:Once)?|mockImplementation(?:Once)?|returns|resolves|callsFake|and\.returnValue"
    r"|andReturn|willReturn)"
)
STUBS = (
    later(
        rf"\b(?:spyOn|stub)\(\s*{OBJECT}(?:\.prototype)?\s*(?:as\s+\w+\s*)?,\s*[\"'`]{METHOD}[\"'`]\s*(?:as\s+\w+\s*)?\)\.{TELLS}\((?P<given>.*)\)"
    ),
    later(
        rf"\b(?:setattr|patch\.object)\(\s*{OBJECT}\s*,\s*[\"']{METHOD}[\"']\s*,"
        r"(?P<given>.*(?:\blambda\b|[mM]ock\w*\(|return_value|side_effect).*)\)"
    ),
    later(
        rf"^\s*(?:\(\s*)?{OBJECT}(?:\s+as\s+\w+\s*\))?\.{METHOD}\s*=(?!=)\s*(?P<given>.*(?:=>|\blambda\b|[mM]ock\w*\(|\.fn\(|\bfunction\b).*)"
    ),
    later(rf"\b(?:doReturn|doAnswer)\((?P<given>.*?)\)\.when\(\s*{OBJECT}\s*\)\.{METHOD}\("),
    later(rf"\bwhen(?:ever)?\(\s*{OBJECT}\.{METHOD}\(.*?\)\s*\)\.then\w*\((?P<given>.*)\)"),
    later(rf"\b(?:co)?[eE]very\s*\{{\s*{OBJECT}\.{METHOD}\(.*?\)\s*\}}\s*(?:returns|answers)\b(?P<given>.*)"),
    later(rf"\ballow\(\s*{OBJECT}\s*\)\.to\s+receive\(\s*:{METHOD}\s*\).*?\.and_return\(?(?P<given>.*)"),
    later(rf"{OBJECT}\.stubs?\(\s*:{METHOD}\s*\)?,?.*?(?:\.returns\(|,)(?P<given>.*)"),
    later(
        rf"{OBJECT}->(?:shouldReceive|expects|method)\(\s*['\"]{METHOD}['\"]\s*\)->(?:\w+\(\)->)*{TELLS}\((?P<given>.*)\)"
    ),
)
"""How languages give a method of an object another answer."""
MAY_STUB = later(r"(?i)spyon|stub|setattr|patch\.object|doReturn|doAnswer|\bwhen|every|receive|mock|lambda|=>|\.fn\(")
SIGNS = "_'\"`"
FEWEST = 2
"""A shorter constant may be the same by chance."""


def stubs_own_method(edits: Edits) -> str | None:
    """The statement, as it was written; None if none does."""
    if not MAY_STUB.search(edits.said):
        return None
    for number in edits.fresh:
        statement = edits.whole(number)
        for object_, method, given in stubbed(statement):
            wanted = [each for each in constants(given) if len(each.strip(SIGNS)) >= FEWEST]
            asked = bool(wanted) and calls_another(object_, method, edits)
            if asked and any(_is_only_asserted(each, edits) for each in wanted):
                return statement
    return None


def stubbed(statement: str) -> Iterator[tuple[str, str, str]]:
    for form in STUBS:
        match = form.search(statement)
        if match is not None:
            yield match["object"], match["method"], match["given"]


def calls_another(name: str, method: str, edits: Edits) -> bool:
    made = re.compile(rf"([$@]?[A-Za-z_]\w*)\s*:?=\s*(?:new\s+)?{re.escape(name)}(?:\.new\b|[({{])")
    names = "|".join(map(re.escape, {name, *(match[1] for each in edits.new if (match := made.search(each)))}))
    called = re.compile(rf"(?<![\w.$@])(?:{names})(?:\.|->|\?\.)(?!{re.escape(method)}(?!\w))\w+[?!]?(?!\w|\s*=[^=])")
    return any(called.search(each) for each in edits.new if not any(form.search(each) for form in STUBS))


def _is_only_asserted(constant: str, edits: Edits) -> bool:
    """Both sides want it, and all that the base's test has to do with says it nowhere else."""
    old, new = edits.old, edits.new
    asserted = (
        any(constant in constants(each) for each in statements if ASSERTS.search(each)) for statements in (old, new)
    )
    if not all(asserted):
        return False
    said = split(edits.test.text)
    begins = [number for number, each in enumerate(said) if constant in each]
    return all(ASSERTS.search(said[number]) or _is_within(said, number) for number in begins)


def _is_within(said: list[str], number: int) -> bool:
    """It stands in an assertion that began on a line above."""
    return any(
        ASSERTS.search(said[at]) and said[number].strip() in whole(said, at) for at in range(max(0, number - 5), number)
    )
