"""What a test of such a language does: its assertions, with what keeps them from being reached (class G05).

Rules:

- What stands deeper than a line stands in it: under a condition an assertion may not run, in a loop it runs so many
  times as nobody knows, behind a `return` or under a condition that never holds it is not reached.
- What a `try` catches and drops fails nothing.
- A local name that is given a value once stands for it; a function of the file that asserts something is written out
  where it is called.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ralph.guardrails.commas import between_commas
from ralph.guardrails.inventory.model import SWALLOWED, Check, Facts, Grade
from ralph.guardrails.lines.asks import CONSTANT, asked
from ralph.guardrails.lines.blocks import Block, Statement
from ralph.guardrails.lines.dialects import Dialect
from ralph.guardrails.lines.splitting import STRINGS
from ralph.record import record, replace
from ralph.system.patterns import later

CONDITION = later(r"[})]*\s*(?:if|unless|elsif|elseif|elif|else|switch|case|when|guard|cond)\b|.*\bthen$")
NEVER = later(r"(?:if|when|unless)\b\s*\(?\s*(?:(?<!unless \()(?:false|0|nil|False))\s*\)?\s*(?:\{|then|do)?$")
ELSE = later(r"[})]*\s*(?:else|elsif|elseif|elif)\b")
LAST = later(r"[})]*\s*else\b(?!\s*if)")
LOOP = later(
    r"(?:for|foreach|while|repeat|loop|until)\b|.*\|\w+(?:,\s*\w+)*\|\s*\{?$"
    r"|.*(?:\.|->|\b)(?:for_?each|each|map|walk)\b.*(?:\{|do|=>)\s*(?:\w+\s+in)?$"
)
TRY = later(r"(?:try|do)\b\s*\{?$")
CATCH = later(r"[})]*\s*(?:catch|rescue|except|on\s+\w+|with)\b")
FAILS = later(r"\b(?:fail|throw|raise|rethrow|flunk|assert|expect|abort|exit)\w*")
LEAVES = later(r"return(?:\s+(?:true|null|nil|void|0|unit))?|exit\(0\)")
WORD = later(r"[A-Za-z_]\w{2,}")
OWN = later(
    r"assert\w*|expect\w*|EXPECT_\w+|ASSERT_\w+|REQUIRE\w*|CHECK\w*|XCT\w+|test\w*|should\w*|this|self|function|func|let"
    r"|return|const|auto|var|val|def|end|true|false|null|nil|string|int|void|new|for|each|equal\w*|toBe\w*"
)
LITERAL = later(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|(?<![\w$.])\d+(?:\.\d+)?\b")
HELPER = later(
    r"(?:[\w<>:&*]+\s+)*(?:function|func|def|defp|fn|fun|void|bool|auto|int|let)\s+(?P<plain>\w+)\s*\((?P<given>[^)]*)\)"
)
CALLS = later(r"(?:(?:return|try|await|\$this->|self\.|self::|static::|this\.)\s*)*(?P<name>\w+)\s*\((?P<given>.*)\)")
MOST_DEEP = 3


@record
class Helper:
    parameters: tuple[str, ...]
    statements: tuple[Statement, ...]


def facts(block: Block, dialect: Dialect, helpers: Mapping[str, Helper]) -> Facts:
    body = "\n".join(each.text for each in block.statements)
    checks = _checks(block.statements, dialect, helpers, {})
    return Facts(
        checks=tuple(replace(check, times=None) if block.often else check for check in checks),
        cases=None if block.often else (),
        words=frozenset(word for word in WORD.findall(body) if not OWN.fullmatch(word)),
        literals=frozenset(LITERAL.findall(body)),
        body=body,
        empty=not body,
    )


def _checks(
    statements: Sequence[Statement],
    dialect: Dialect,
    helpers: Mapping[str, Helper],
    handed: Mapping[str, str],
    deep: int = 0,
) -> Iterator[Check]:
    known = {**_values(statements, dialect), **handed}
    for at, statement in enumerate(statements):
        text = statement.text
        cap, why, times = _reach(statements, at, dialect)
        found = False
        for ask in asked(text, dialect):
            found = True
            if ask.relation == "fails" and _is_otherwise(statements, at):
                continue
            subject, wanted = _put_in(ask.subject, known), _put_in(ask.wanted, known)
            low = cap < ask.grade
            yield Check(
                subject=subject,
                relation=ask.relation,
                wanted=wanted,
                grade=min(ask.grade, cap),
                line=statement.line,
                column=statement.indent + 1,
                known=bool(wanted) and CONSTANT.fullmatch(wanted) is not None,
                perhaps=cap is Grade.EXISTS,
                times=times,
                why=why if low else "",
                snippet=text,
            )
        call = CALLS.fullmatch(text) if deep < MOST_DEEP else None
        helper = helpers.get(call["name"]) if call is not None else None
        if call is not None and helper is not None and not found:
            given = [_put_in(each, known) for each in between_commas(call["given"], STRINGS)]
            passed = dict(zip(helper.parameters, given, strict=False))
            for check in _checks(helper.statements, dialect, helpers, passed, deep + 1):
                grade = min(check.grade, cap)
                yield replace(check, grade=grade, line=statement.line, times=times if check.times == 1 else check.times)


def helper_of(block: Block, head: re.Match[str]) -> Helper:
    given = between_commas(head["given"], STRINGS)
    names = (re.findall(r"[A-Za-z_]\w*", each.partition("=")[0].partition(":")[0]) for each in given if each)
    return Helper(tuple(found[-1] for found in names if found), block.statements)


def _values(statements: Sequence[Statement], dialect: Dialect) -> dict[str, str]:
    given = [match for each in statements if (match := dialect.gives.fullmatch(each.text))]
    often = Counter(match["name"] for match in given)
    found: dict[str, str] = {}
    for match in given:
        if often[match["name"]] == 1 and not match["value"].endswith(("{", "(", "[")):
            found[match["name"]] = _put_in(match["value"].strip(), found)
    return found


def _put_in(text: str, known: Mapping[str, str]) -> str:
    if not known or len(text) > 400:
        return text
    return re.sub(r"\$?(?<![\w.>\"'])([A-Za-z_]\w*)\b(?![(\"'])", lambda match: known.get(match[1], match[0]), text)


def _reach(statements: Sequence[Statement], at: int, dialect: Dialect) -> tuple[Grade, str, int | None]:
    cap, why, depth = Grade.EXACT, "", statements[at].indent
    often: int | None = 1
    for before in range(at - 1, -1, -1):
        each = statements[before]
        if each.indent > depth:
            continue
        if each.indent == depth and LEAVES.fullmatch(each.text):
            return Grade.NOTHING, "it is never reached", often
        if each.indent == depth:
            continue
        depth = each.indent
        if NEVER.match(each.text):
            return Grade.NOTHING, "it is never reached", often
        if CONDITION.match(each.text) and not _asks_in_each_arm(statements, before, dialect):
            cap, why = min(cap, Grade.EXISTS), "it depends on a condition"
        elif LOOP.match(each.text):
            often = None
        elif TRY.match(each.text) and _is_dropped(statements, before, dialect):
            return Grade.NOTHING, SWALLOWED, often
    return cap, why, often


def _is_otherwise(statements: Sequence[Statement], at: int) -> bool:
    """Of what is thrown a test fails by itself, and what an `else` is left for is asked before it."""
    above = next((each for each in reversed(statements[:at]) if each.indent < statements[at].indent), None)
    return above is not None and (CATCH.match(above.text) or ELSE.match(above.text)) is not None


def _asks_in_each_arm(statements: Sequence[Statement], at: int, dialect: Dialect) -> bool:
    """Whatever the condition is, something is asserted."""
    depth, first = statements[at].indent, at
    while ELSE.match(statements[first].text):
        first = next((n for n in range(first - 1, -1, -1) if statements[n].indent <= depth), -1)
        if first < 0 or statements[first].indent < depth:
            return False
    arms = [False]
    has_else = False
    for each in statements[first + 1 :]:
        if each.indent <= depth and not ELSE.match(each.text):
            break
        if each.indent == depth:
            arms.append(False)
            has_else = has_else or LAST.match(each.text) is not None
        elif _may_fail(each.text, dialect):
            arms[-1] = True
    return has_else and all(arms)


def _is_dropped(statements: Sequence[Statement], at: int, dialect: Dialect) -> bool:
    """What is caught of the `try` at that place fails nothing."""
    depth, caught, dropped = statements[at].indent, False, True
    for each in statements[at + 1 :]:
        if each.indent == depth and CATCH.match(each.text):
            caught = True
        elif each.indent <= depth and caught:
            break
        elif each.indent > depth and caught and _may_fail(each.text, dialect):
            dropped = False
    return caught and dropped


def _may_fail(text: str, dialect: Dialect) -> bool:
    return FAILS.search(text) is not None or any(True for _ in asked(text, dialect))
